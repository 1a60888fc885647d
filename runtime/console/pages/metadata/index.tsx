/** The metadata page: the document, inconsistent objects, advice, history, environment variables. */
import "../../styles/metadata.css";
import { useEffect } from "preact/hooks";
import { Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { addressOf, navigate } from "../../routing/router.ts";
import { loadMetadata, metadata, metadataError, resourceVersion } from "../../state/metadata.ts";
import { Advice } from "./advice.tsx";
import { MetadataDocument } from "./document.tsx";
import { History } from "./history.tsx";
import { Inconsistent } from "./inconsistent.tsx";
import { Variables } from "./variables.tsx";

type View = "document" | "inconsistent" | "advice" | "history" | "variables";

const views: readonly { readonly name: View; readonly label: string }[] = [
  { name: "document", label: "Document" },
  { name: "inconsistent", label: "Inconsistent objects" },
  { name: "advice", label: "Advice" },
  { name: "history", label: "History" },
  { name: "variables", label: "Environment variables" },
];

export default function MetadataPage({ path }: { readonly path: readonly string[] }) {
  useEffect(() => void loadMetadata(), []);
  const version = resourceVersion.value;
  if (!metadata.value || version === null) {
    return metadataError.value ? <ErrorBox error={metadataError.value} /> : <Loading item="metadata" />;
  }
  const current = views.find(({ name }) => name === path[0])?.name ?? "document";
  return (
    <Tabs<View>
      label="Metadata"
      tabs={views}
      current={current}
      onChange={(name) => navigate(addressOf(name === "document" ? ["metadata"] : ["metadata", name]))}
    >
      {current === "document" && <MetadataDocument value={metadata.value} version={version} />}
      {current === "inconsistent" && <Inconsistent />}
      {current === "advice" && <Advice />}
      {current === "history" && <History version={path[1]} />}
      {current === "variables" && <Variables />}
    </Tabs>
  );
}
