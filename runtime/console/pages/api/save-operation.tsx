/** Dialog that saves the operation in a collection and optionally creates a REST endpoint. */
import { useState } from "preact/hooks";
import type { Operation } from "../../http/metadata-api.ts";
import type { RestMethod } from "../../http/rest-api.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { CheckField, TextField } from "../../parts/field.tsx";
import { notify } from "../../parts/toast.tsx";
import { metadata } from "../../state/metadata.ts";
import { useGuardedSave } from "../permissions/use-guarded-save.tsx";
import { defaultMethods, suggestedUrl, urlProblem } from "./endpoint-change.ts";
import { MethodsField } from "./methods-field.tsx";
import { operation, query } from "./request-state.ts";

export function SaveOperation({ onClose }: { readonly onClose: () => void }) {
  const suggested = operation.value?.name?.value ?? "";
  const [collection, setCollection] = useState(metadata.value?.query_collections?.[0]?.name ?? "console");
  const [name, setName] = useState(suggested);
  const [isEndpoint, setEndpoint] = useState(false);
  const [url, setUrl] = useState(suggestedUrl(suggested));
  const [methods, setMethods] = useState(defaultMethods(operation.value?.operation));
  const variables = operation.value?.variableDefinitions?.map(({ variable }) => variable.name.value) ?? [];
  const {
    isBusy,
    error,
    submit: save,
    confirmation,
  } = useGuardedSave({
    change: () => ({
      type: "bulk",
      args: savingOperations({ collection, name, url: isEndpoint ? url : null, methods }),
    }),
    // Roles may run each operation of a collection in the allow-list.
    canWiden: isEndpoint || (metadata.value?.allowlist?.some((each) => each.collection === collection) ?? false),
    roles: () => [],
    onSaved: () => {
      notify(isEndpoint ? `Saved ${name} with the endpoint /api/rest/${url}` : `Saved ${name}`);
      onClose();
    },
  });
  return (
    <Dialog
      title="Save operation"
      onClose={onClose}
      onSubmit={save}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={isBusy}>
            Save
          </Button>
        </>
      }
    >
      <TextField label="Name" isCode required value={name} onInput={setName} />
      <TextField
        label="Collection"
        isCode
        required
        hint="Created if it does not exist."
        value={collection}
        onInput={setCollection}
      />
      <CheckField label="Expose as a REST endpoint" checked={isEndpoint} onChange={setEndpoint} />
      {isEndpoint && (
        <>
          <TextField
            label="Path below /api/rest/"
            isCode
            required
            hint="Write variables as :name."
            value={url}
            error={urlProblem(url, variables)}
            onInput={setUrl}
          />
          <MethodsField
            methods={methods}
            changesData={operation.value?.operation === "mutation"}
            onChange={setMethods}
          />
        </>
      )}
      {error !== null && <ErrorBox error={error} />}
      {confirmation}
    </Dialog>
  );
}

interface Saving {
  readonly collection: string;
  readonly name: string;
  /** Path of the REST endpoint; `null` for none. */
  readonly url: string | null;
  readonly methods: readonly RestMethod[];
}

function savingOperations({ collection, name, url, methods }: Saving): readonly Operation[] {
  const isKnown = metadata.value?.query_collections?.some((each) => each.name === collection) ?? false;
  const saved = { name, query: query.value };
  const definition = { query: { collection_name: collection, query_name: name } };
  return [
    isKnown
      ? { type: "add_query_to_collection", args: { collection_name: collection, query_name: name, query: query.value } }
      : { type: "create_query_collection", args: { name: collection, definition: { queries: [saved] } } },
    ...(url === null
      ? []
      : [{ type: "create_rest_endpoint", args: { name, url, methods, definition, comment: null } }]),
  ];
}
