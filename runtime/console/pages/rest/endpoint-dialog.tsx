/** Dialog that creates an endpoint, or changes and renames one. */
import { useState } from "preact/hooks";
import type { RestEndpoint } from "../../http/metadata-types.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { SelectField, TextField } from "../../parts/field.tsx";
import { notify } from "../../parts/toast.tsx";
import { metadata, resourceVersion } from "../../state/metadata.ts";
import {
  creation,
  defaultMethods,
  draftOf,
  type EndpointDraft,
  replacement,
  type SavedOperation,
  savedOperations,
  signatureOf,
  suggestedUrl,
  urlProblem,
} from "../api/endpoint-change.ts";
import { MethodsField } from "../api/methods-field.tsx";
import { useGuardedSave } from "../permissions/use-guarded-save.tsx";

interface EndpointDialogProps {
  /** `null` for a new endpoint. */
  readonly endpoint: RestEndpoint | null;
  readonly onClose: () => void;
  readonly onSaved: (name: string) => void;
}

const keyOf = ({ collection, name }: Pick<SavedOperation, "collection" | "name">): string =>
  JSON.stringify([collection, name]);

export function EndpointDialog({ endpoint, onClose, onSaved }: EndpointDialogProps) {
  const saved = metadata.value ? savedOperations(metadata.value) : [];
  const [draft, setDraft] = useState<EndpointDraft>(() => (endpoint ? draftOf(endpoint) : newDraft(saved)));
  // The change is refused if the metadata was changed since the dialog was opened.
  const [version] = useState(resourceVersion.value);
  const [isNamed, setNamed] = useState(false);
  const change = (part: Partial<EndpointDraft>): void => setDraft({ ...draft, ...part });
  /** Another operation does not replace a name or path that the user has entered. */
  const edit = (part: Pick<EndpointDraft, "name"> | Pick<EndpointDraft, "url">): void => {
    setNamed(true);
    change(part);
  };
  const current = saved.find(({ collection, name }) => collection === draft.collection && name === draft.query);
  const signature = current ? signatureOf(current.query) : null;
  const {
    isBusy,
    error,
    submit: save,
    confirmation,
  } = useGuardedSave({
    change: () => (endpoint ? replacement(endpoint.name, draft) : creation(draft)),
    // An endpoint runs its operation with the permissions of the caller: no role gains permissions.
    roles: () => [],
    version,
    onSaved: () => {
      notify(`Saved the endpoint ${draft.name}`);
      onSaved(draft.name);
      onClose();
    },
  });
  if (saved.length === 0) return <NothingSaved onClose={onClose} />;
  return (
    <Dialog
      title={endpoint ? `Edit endpoint ${endpoint.name}` : "Create endpoint"}
      onClose={onClose}
      onSubmit={save}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={isBusy}>
            {endpoint ? "Save" : "Create"}
          </Button>
        </>
      }
    >
      <SelectField
        label="Saved operation"
        value={keyOf({ collection: draft.collection, name: draft.query })}
        choices={saved.map((each) => ({ value: keyOf(each), label: `${each.name} in ${each.collection}` }))}
        error={
          signature === null || signature.operation === "subscription"
            ? "Choose a document with one query or mutation and no fragments."
            : null
        }
        onChange={(key) => {
          const chosen = saved.find((each) => keyOf(each) === key);
          if (chosen)
            change({
              collection: chosen.collection,
              query: chosen.name,
              ...(endpoint ? {} : suggestionFor(chosen, isNamed ? draft : null)),
            });
        }}
      />
      <TextField label="Name" isCode required value={draft.name} onInput={(name) => edit({ name })} />
      <TextField
        label="Path below /api/rest/"
        isCode
        required
        value={draft.url}
        error={urlProblem(draft.url, signature?.variables ?? null)}
        hint={
          signature && signature.variables.length > 0
            ? `Write variables as :name. Variables: ${signature.variables.join(", ")}`
            : "The operation has no variables."
        }
        onInput={(url) => edit({ url })}
      />
      <MethodsField
        methods={draft.methods}
        changesData={signature?.operation === "mutation"}
        onChange={(methods) => change({ methods })}
      />
      <TextField label="Comment" rows={2} value={draft.comment} onInput={(comment) => change({ comment })} />
      {error !== null && <ErrorBox error={error} />}
      {confirmation}
    </Dialog>
  );
}

function newDraft([first]: readonly SavedOperation[]): EndpointDraft {
  const { collection = "", name: query = "" } = first ?? {};
  const named = { name: "", url: "", methods: [], ...(first && suggestionFor(first, null)) };
  return { ...named, comment: "", collection, query };
}

/** Returns the methods of a new endpoint, with its name and path unless the user has entered them. */
function suggestionFor(
  { name, query }: SavedOperation,
  entered: EndpointDraft | null,
): Pick<EndpointDraft, "name" | "url" | "methods"> {
  const methods = defaultMethods(signatureOf(query)?.operation);
  return { name: entered?.name ?? name, url: entered?.url ?? suggestedUrl(name), methods };
}

function NothingSaved({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Create endpoint" onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
      <p>There are no saved operations. Save one on the page API first.</p>
    </Dialog>
  );
}
