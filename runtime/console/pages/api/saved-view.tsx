/** Saved operations in the metadata: open, show SQL, make a tool, delete. */
import { useState } from "preact/hooks";
import { pathsOfOperation, type SavedOperation } from "../../http/code-api.ts";
import type { AgentTool, RestEndpoint } from "../../http/metadata-types.ts";
import { Button } from "../../parts/button.tsx";
import { ConfirmButton } from "../../parts/confirm.tsx";
import { Empty } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { Link } from "../../routing/link.tsx";
import { addressOf, navigate } from "../../routing/router.ts";
import { changeMetadata, metadata } from "../../state/metadata.ts";
import { roleOfPath } from "../code/paths.ts";
import { openInEditor, role } from "./request-state.ts";

interface Saved extends SavedOperation {
  readonly query: string;
  readonly endpoints: readonly RestEndpoint[];
  readonly tools: readonly AgentTool[];
}

export function SavedView() {
  const [error, setError] = useState<unknown>(null);
  const all = savedOperations();
  if (all.length === 0) {
    return (
      <Empty title="No saved operations">
        <p>Saved operations and their REST endpoints are listed here.</p>
      </Empty>
    );
  }
  return (
    <div class="history">
      {error !== null && <ErrorBox error={error} />}
      <ul>
        {all.map((saved) => (
          <li key={`${saved.collection} ${saved.name}`} class="saved-entry">
            <div class="saved-text">
              <strong>
                <bdi>{saved.name}</bdi>
              </strong>
              <span class="muted">
                in <bdi>{saved.collection}</bdi>
              </span>
              {saved.endpoints.map(({ name, url, methods }) => (
                <code key={name}>{`${methods.join(", ")} /api/rest/${url}`}</code>
              ))}
              {saved.tools.map(({ name }) => (
                <Link key={name} to={["assistants", "tools", name]}>{`Tool ${name}`}</Link>
              ))}
            </div>
            <div class="row">
              <Button kind="quiet" icon="edit" onClick={() => openInEditor({ query: saved.query, variables: "" })}>
                Open
              </Button>
              <Button kind="quiet" icon="code" onClick={() => void showSql(saved).catch(setError)}>
                SQL
              </Button>
              <Button kind="quiet" icon="assistants" onClick={() => makeTool(saved)}>
                Make it a tool
              </Button>
              <ConfirmButton
                label="Delete"
                icon="remove"
                title={`Delete operation ${saved.name}?`}
                onConfirm={() => remove(saved)}
              >
                <p>
                  {saved.endpoints.length + saved.tools.length === 0
                    ? "The operation has neither REST endpoints nor tools."
                    : "Its REST endpoints and tools are deleted too. Requests to them will fail."}
                </p>
              </ConfirmButton>
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}

function savedOperations(): readonly Saved[] {
  const { query_collections: collections = [], rest_endpoints = [], agent_tools = [] } = metadata.value ?? {};
  return collections.flatMap(({ name: collection, definition: { queries } }) =>
    queries.map(({ name, query }) => {
      const isOf = ({ definition: { query: run } }: Pick<RestEndpoint, "definition">): boolean =>
        run.collection_name === collection && run.query_name === name;
      return { collection, name, query, endpoints: rest_endpoints.filter(isOf), tools: agent_tools.filter(isOf) };
    }),
  );
}

/** Opens the form of a new tool on the page of tools. */
const makeTool = ({ collection, name: operation }: SavedOperation): void =>
  navigate(addressOf(["assistants", "tools"], { collection, operation }));

/** Opens the SQL for the selected role, or the shared file if the role cannot run the operation. */
async function showSql(saved: SavedOperation): Promise<void> {
  const paths = await pathsOfOperation(saved);
  const selectedRole = role.value === "" ? "admin" : role.value;
  const path =
    paths.find((each) => roleOfPath(each) === selectedRole) ?? paths.find((each) => roleOfPath(each) === null);
  if (path === undefined)
    throw new Error(`There is no compiled SQL for ${saved.name}. Check on the Health page that it is consistent.`);
  navigate(addressOf(["code", ...path.split("/")]));
}

const remove = ({ collection, name, endpoints, tools }: Saved): Promise<void> =>
  changeMetadata({
    type: "bulk",
    args: [
      ...endpoints.map((endpoint) => ({ type: "drop_rest_endpoint", args: { name: endpoint.name } })),
      ...tools.map((tool) => ({ type: "drop_agent_tool", args: { name: tool.name } })),
      { type: "drop_query_from_collection", args: { collection_name: collection, query_name: name } },
    ],
  });
