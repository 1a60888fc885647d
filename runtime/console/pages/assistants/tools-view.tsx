/** Tools by role: a list, and the tool that is selected in it. */
import { useState } from "preact/hooks";
import { agentTools, type RoleTool } from "../../http/agent-tools-api.ts";
import type { AgentTool } from "../../http/metadata-types.ts";
import { Button } from "../../parts/button.tsx";
import { Empty, Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { SelectField } from "../../parts/field.tsx";
import { type SideItem, SideList } from "../../parts/side-list.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { Link } from "../../routing/link.tsx";
import { addressOf, navigate, parameters } from "../../routing/router.ts";
import { metadata, resourceVersion } from "../../state/metadata.ts";
import { savedOperations } from "../api/endpoint-change.ts";
import { roleChoices, shownRole, showRole } from "./shown-role.ts";
import { ToolDialog } from "./tool-dialog.tsx";
import { ToolView } from "./tool-view.tsx";

export function ToolsView({ path: [name] }: { readonly path: readonly string[] }) {
  // The page of operations leads here with the operation of a new tool.
  const [collection, operation] = [parameters.value.get("collection"), parameters.value.get("operation")];
  const preset = collection !== null && operation !== null ? { collection, query: operation } : null;
  const [isCreating, setCreating] = useState(false);
  const all = metadata.value?.agent_tools ?? [];
  const hasOperations = metadata.value !== null && savedOperations(metadata.value).length > 0;
  const role = shownRole();
  const { value: tools, error, reload } = useLoaded(() => agentTools(role), `${role} ${resourceVersion.value}`);
  const close = (): void => {
    setCreating(false);
    if (preset) navigate(addressOf(["assistants", "tools"]), "replace");
  };
  return (
    <div class="with-side">
      <SideList label="Tools" items={itemsOf(all, tools, name)} empty="No tools yet">
        <SelectField
          label="Role"
          value={role}
          choices={roleChoices().map((each) => ({ value: each, label: each }))}
          onChange={showRole}
        />
        {hasOperations && (
          <Button kind="primary" icon="add" onClick={() => setCreating(true)}>
            Create tool
          </Button>
        )}
      </SideList>
      <div class="assistants-content">
        {error !== null && (
          <ErrorBox error={error}>
            <Button onClick={reload}>Retry</Button>
          </ErrorBox>
        )}
        {error === null && !tools && <Loading item="tools" />}
        {tools && <Content name={name} role={role} all={all} tools={tools} hasOperations={hasOperations} />}
      </div>
      {(isCreating || preset !== null) && (
        <ToolDialog
          tool={null}
          preset={preset}
          onClose={close}
          onSaved={(saved) => navigate(addressOf(["assistants", "tools", saved]), preset ? "replace" : "push")}
        />
      )}
    </div>
  );
}

/** Lists the tools of the role first, then those that it cannot call. */
function itemsOf(
  all: readonly AgentTool[],
  tools: readonly RoleTool[] | null,
  current: string | undefined,
): readonly SideItem[] {
  if (tools === null) return [];
  const names = new Set(tools.map(({ name }) => name));
  const others = all.filter(({ name }) => !names.has(name)).map(({ name }) => name);
  const item = (name: string, more: Partial<SideItem>): SideItem => ({
    key: name,
    text: name,
    to: ["assistants", "tools", name],
    isCurrent: name === current,
    ...more,
  });
  return [
    ...tools.map(({ name, hints }) => item(name, { note: hints.read_only ? "reads" : "changes data" })),
    ...(others.length > 0 ? [{ key: " others", text: "Other roles", to: null }] : []),
    ...others.sort().map((name) => item(name, { isMuted: true })),
  ];
}

interface ContentProps {
  readonly name: string | undefined;
  readonly role: string;
  readonly all: readonly AgentTool[];
  readonly tools: readonly RoleTool[];
  readonly hasOperations: boolean;
}

function Content({ name, role, all, tools, hasOperations }: ContentProps) {
  if (name !== undefined) {
    const definition = all.find((each) => each.name === name);
    const tool = tools.find((each) => each.name === name) ?? null;
    if (definition) return <ToolView key={name} definition={definition} tool={tool} role={role} />;
    return (
      <Empty title="Tool not found">
        <p>Choose a tool from the list.</p>
      </Empty>
    );
  }
  if (all.length === 0) {
    return (
      <Empty title="No tools">
        <p>A tool is a saved operation that assistants may call at /mcp, with the permissions of the caller's role.</p>
        {hasOperations ? (
          <p>Create one from a saved operation.</p>
        ) : (
          <>
            <p>Save an operation first, then make it a tool.</p>
            <Link to={["api"]} class="button primary">
              Write an operation
            </Link>
          </>
        )}
      </Empty>
    );
  }
  return (
    <Empty title={tools.length === 0 ? `The role ${role} has no tools` : `Tools of the role ${role}`}>
      <p>
        {tools.length === 0
          ? "Its permissions, or the roles of the tools, allow none. Choose a tool from the list to change it."
          : "Choose a tool from the list to see its schemas, change it or delete it."}
      </p>
    </Empty>
  );
}
