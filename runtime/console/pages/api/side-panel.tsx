/** Panel beside the editor: the explorer of the schema or its documentation. */
import type { GraphQLSchema } from "graphql";
import type { ComponentType } from "preact";
import { Button, IconButton } from "../../parts/button.tsx";
import { Empty, Loading } from "../../parts/empty.tsx";
import type { IconName } from "../../parts/icon.tsx";
import { lazy } from "../../parts/lazy.tsx";
import { openedPanel, type PanelName, panelNames, showPanel } from "./panel-state.ts";
import { schema, schemaProblem } from "./schema.ts";

interface Panel {
  readonly title: string;
  readonly icon: IconName;
  readonly Content: ComponentType<{ readonly schema: GraphQLSchema }>;
}

const panels: Readonly<Record<PanelName, Panel>> = {
  explorer: {
    title: "Explorer",
    icon: "filter",
    Content: lazy("explorer", async () => (await import("./explorer/explorer.tsx")).Explorer),
  },
  documentation: {
    title: "Documentation",
    icon: "book",
    Content: lazy("documentation", async () => (await import("./documentation/documentation.tsx")).Documentation),
  },
};

export function PanelButtons() {
  return (
    <>
      {panelNames.map((name) => {
        const isOpen = openedPanel.value === name;
        const { title, icon } = panels[name];
        return (
          <Button key={name} icon={icon} kind="quiet" pressed={isOpen} onClick={() => showPanel(isOpen ? null : name)}>
            {title}
          </Button>
        );
      })}
    </>
  );
}

export function SidePanel() {
  const name = openedPanel.value;
  if (name === null) return null;
  const { title } = panels[name];
  return (
    <section class="api-side with-head" aria-label={title}>
      <div class="api-side-head">
        <h2>{title}</h2>
        <IconButton icon="close" label={`Hide ${title.toLowerCase()}`} onClick={() => showPanel(null)} />
      </div>
      <PanelContent name={name} />
    </section>
  );
}

/** Loads the panel after the schema, so that it does not delay the editor. */
function PanelContent({ name }: { readonly name: PanelName }) {
  const { Content } = panels[name];
  if (schema.value) return <Content schema={schema.value} />;
  if (schemaProblem.value === null) return <Loading item="schema" />;
  return (
    <Empty title="Schema unavailable">
      <p>{schemaProblem.value}</p>
    </Empty>
  );
}
