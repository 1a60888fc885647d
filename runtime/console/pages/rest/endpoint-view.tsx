/** One endpoint: its definition, the roles that can call it, and a form to try it. */
import { useState } from "preact/hooks";
import type { RestEndpoint } from "../../http/metadata-types.ts";
import { openApi, operationRoles } from "../../http/rest-api.ts";
import { Button } from "../../parts/button.tsx";
import { CodeView } from "../../parts/code-view.tsx";
import { ConfirmButton } from "../../parts/confirm.tsx";
import { Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { notify } from "../../parts/toast.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { addressOf, navigate } from "../../routing/router.ts";
import { changeMetadata, metadata, resourceVersion } from "../../state/metadata.ts";
import { deletion, savedOperations } from "../api/endpoint-change.ts";
import { openInEditor } from "../api/request-state.ts";
import { EndpointDialog } from "./endpoint-dialog.tsx";
import { TryOut } from "./try-out.tsx";

export function EndpointView({ endpoint }: { readonly endpoint: RestEndpoint }) {
  const { name, url, methods, comment, definition } = endpoint;
  const { collection_name: collection, query_name: operation } = definition.query;
  const [isEditing, setEditing] = useState(false);
  const saved =
    metadata.value &&
    savedOperations(metadata.value).find((each) => each.collection === collection && each.name === operation);
  const document = useLoaded(() => openApi("admin"), String(resourceVersion.value));
  const openOperation = (): void => {
    if (saved) openInEditor({ query: saved.query, variables: "" });
    navigate(addressOf(["api"]));
  };
  return (
    <div class="page">
      <div class="spread">
        <h1>
          <bdi>{name}</bdi>
        </h1>
        <div class="row">
          <Button icon="edit" onClick={() => setEditing(true)}>
            Edit
          </Button>
          <ConfirmButton
            label="Delete"
            icon="remove"
            title={`Delete endpoint ${name}?`}
            onConfirm={async () => {
              await changeMetadata(deletion(name));
              notify(`Deleted the endpoint ${name}`);
              navigate(addressOf(["rest"]));
            }}
          >
            <p>{`Requests to /api/rest/${url} will fail. The saved operation stays.`}</p>
          </ConfirmButton>
        </div>
      </div>
      <section class="card rest-card stack" aria-label="Definition">
        <p class="rest-url">
          {methods.map((method) => (
            <span key={method} class="badge">
              {method}
            </span>
          ))}
          <code>{`/api/rest/${url}`}</code>
        </p>
        {comment && <p>{comment}</p>}
        <div class="spread">
          <p>
            Runs <bdi>{operation}</bdi> in <bdi>{collection}</bdi>
          </p>
          <Button
            kind="quiet"
            icon="api"
            unavailable={!saved && "The saved operation does not exist."}
            onClick={openOperation}
          >
            Open in API
          </Button>
        </div>
        {saved && (
          <div class="rest-code">
            <CodeView text={saved.query} language="text" label="Saved operation" />
          </div>
        )}
        {saved && <Roles collection={collection} operation={operation} />}
      </section>
      {document.error !== null && <ErrorBox error={document.error} />}
      {document.value === null && document.error === null && <Loading item="parameters" />}
      {document.value && <TryOut endpoint={endpoint} document={document.value} />}
      {isEditing && (
        <EndpointDialog
          endpoint={endpoint}
          onClose={() => setEditing(false)}
          onSaved={(saved) => navigate(addressOf(["rest", "endpoint", saved]), "replace")}
        />
      )}
    </div>
  );
}

interface RolesProps {
  readonly collection: string;
  readonly operation: string;
}

function Roles({ collection, operation }: RolesProps) {
  const { value, error } = useLoaded(
    () => operationRoles(collection, operation),
    JSON.stringify([collection, operation, resourceVersion.value]),
  );
  if (error !== null) return <ErrorBox error={error} />;
  if (value === null) return <Loading item="roles" />;
  return (
    <p>
      Roles that can run the operation: <bdi>{value.roles.join(", ")}</bdi>
      {value.backend_roles.length > 0 && (
        <>
          ; from a backend: <bdi>{value.backend_roles.join(", ")}</bdi>
        </>
      )}
    </p>
  );
}
