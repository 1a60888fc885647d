/** One tool: its definition, and how a role sees it. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { RoleTool } from "../../http/agent-tools-api.ts";
import { jsonText } from "../../http/json.ts";
import type { AgentTool } from "../../http/metadata-types.ts";
import { Button } from "../../parts/button.tsx";
import { CodeView } from "../../parts/code-view.tsx";
import { ConfirmButton } from "../../parts/confirm.tsx";
import { notify } from "../../parts/toast.tsx";
import { Link } from "../../routing/link.tsx";
import { addressOf, navigate } from "../../routing/router.ts";
import { changeMetadata, metadata } from "../../state/metadata.ts";
import { savedOperations } from "../api/endpoint-change.ts";
import { openInEditor } from "../api/request-state.ts";
import { hintWords } from "./hint-words.ts";
import { deletion, limitBounds } from "./tool-change.ts";
import { ToolDialog } from "./tool-dialog.tsx";

interface ToolViewProps {
  readonly definition: AgentTool;
  /** `null` if the role cannot call the tool. */
  readonly tool: RoleTool | null;
  readonly role: string;
}

export function ToolView({ definition, tool, role }: ToolViewProps) {
  const { name } = definition;
  const [isEditing, setEditing] = useState(false);
  return (
    <div class="page">
      <div class="spread">
        <h2 class="tool-heading">
          <bdi>{name}</bdi>
        </h2>
        <div class="row">
          {tool && (
            <Link to={["assistants", "playground", name]} class="button tool-link">
              Try in playground
            </Link>
          )}
          <Button icon="edit" onClick={() => setEditing(true)}>
            Edit
          </Button>
          <ConfirmButton
            label="Delete"
            icon="remove"
            title={`Delete tool ${name}?`}
            onConfirm={async () => {
              await changeMetadata(deletion(name));
              notify(`Deleted the tool ${name}`);
              navigate(addressOf(["assistants", "tools"]));
            }}
          >
            <p>Assistants can no longer call the tool. The saved operation stays.</p>
          </ConfirmButton>
        </div>
      </div>
      <Definition definition={definition} tool={tool} role={role} />
      {tool && (
        <div class="tool-schemas">
          <Schema title="Input schema" value={tool.input_schema} />
          <Schema title="Output schema" value={tool.output_schema} />
        </div>
      )}
      {isEditing && (
        <ToolDialog
          tool={definition}
          preset={null}
          onClose={() => setEditing(false)}
          onSaved={(saved) => navigate(addressOf(["assistants", "tools", saved]), "replace")}
        />
      )}
    </div>
  );
}

function Definition({ definition, tool, role }: ToolViewProps) {
  const { title, roles, scopes = [], comment } = definition;
  const description = tool?.description ?? definition.description;
  const { rows, bytes, seconds } = tool?.limits ?? limitsOf(definition);
  return (
    <section class="card tool-card stack" aria-label="Definition">
      {tool ? (
        <p class="row">
          {hintWords(tool.hints).map(({ text, class: style }) => (
            <span key={text} class={style}>
              {text}
            </span>
          ))}
        </p>
      ) : (
        <p>
          <span class="badge warn">Not for this role</span> The role <bdi>{role}</bdi> cannot call the tool: its
          permissions do not allow the operation, or the tool is for other roles.
        </p>
      )}
      <dl class="tool-facts">
        {title !== undefined && <Fact name="Title">{title}</Fact>}
        <Fact name="Description">
          {description ?? <span class="muted">Derived from the operation for each role</span>}
        </Fact>
        <Fact name="Operation">
          <Operation definition={definition} />
        </Fact>
        <Fact name="Roles">{roles ? roles.join(", ") : "Every role that can run the operation"}</Fact>
        <Fact name="Scopes">{scopes.length === 0 ? "None" : <code>{scopes.join(" ")}</code>}</Fact>
        <Fact name="Limits of a call">
          {`${rows.toLocaleString()} rows, ${bytes.toLocaleString()} bytes, ${seconds.toLocaleString()} seconds`}
        </Fact>
        {comment !== undefined && comment !== "" && <Fact name="Comment">{comment}</Fact>}
      </dl>
    </section>
  );
}

function limitsOf({ limits = {} }: AgentTool): RoleTool["limits"] {
  const { rows, bytes, seconds } = limitBounds;
  return { rows: rows.standard, bytes: bytes.standard, seconds: seconds.standard, ...limits };
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <bdi>{children}</bdi>
      </dd>
    </>
  );
}

/** The name of the operation, which opens it on the page API. */
function Operation({ definition }: { readonly definition: AgentTool }) {
  const { collection_name: collection, query_name: query } = definition.definition.query;
  const saved =
    metadata.value &&
    savedOperations(metadata.value).find((each) => each.collection === collection && each.name === query);
  const open = (): void => {
    if (saved) openInEditor({ query: saved.query, variables: "" });
    navigate(addressOf(["api"]));
  };
  return (
    <span class="row">
      <span>
        <bdi>{query}</bdi> in <bdi>{collection}</bdi>
      </span>
      <Button kind="quiet" icon="api" unavailable={!saved && "The saved operation does not exist."} onClick={open}>
        Open in API
      </Button>
    </span>
  );
}

function Schema({ title, value }: { readonly title: string; readonly value: object }) {
  return (
    <section class="card tool-schema" aria-label={title}>
      <h3>{title}</h3>
      <div class="tool-code">
        <CodeView text={jsonText(value)} language="json" label={title} />
      </div>
    </section>
  );
}
