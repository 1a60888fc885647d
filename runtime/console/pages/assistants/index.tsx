/** The page of tools for assistants: tools by role, a playground, and the calls of the last hour. */
import "../../styles/assistants.css";
import { useEffect } from "preact/hooks";
import { Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { addressOf, navigate } from "../../routing/router.ts";
import { loadMetadata, metadata, metadataError } from "../../state/metadata.ts";
import { Calls } from "./calls.tsx";
import { Playground } from "./playground.tsx";
import { ToolsView } from "./tools-view.tsx";

type Section = "tools" | "playground" | "calls";

const tabs = [
  { name: "tools", label: "Tools" },
  { name: "playground", label: "Playground" },
  { name: "calls", label: "Calls" },
] as const;

export default function AssistantsPage({ path: [name, ...path] }: { readonly path: readonly string[] }) {
  useEffect(() => void loadMetadata(), []);
  const current: Section = tabs.find((tab) => tab.name === name)?.name ?? "tools";
  return (
    <div class="with-head">
      <div class="toolbar">
        <h1>Assistants</h1>
      </div>
      <Tabs<Section>
        label="Assistants sections"
        tabs={tabs}
        current={current}
        onChange={(next) => navigate(addressOf(["assistants", next]))}
      >
        <Content section={current} path={path} />
      </Tabs>
    </div>
  );
}

function Content({ section, path }: { readonly section: Section; readonly path: readonly string[] }) {
  if (section === "calls") return <Calls />;
  if (!metadata.value) {
    return metadataError.value ? <ErrorBox error={metadataError.value} /> : <Loading item="metadata" />;
  }
  return section === "tools" ? <ToolsView path={path} /> : <Playground path={path} />;
}
