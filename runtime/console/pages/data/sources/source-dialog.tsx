/** Dialog that connects a database, changes its connection, or disconnects it. */
import { useState } from "preact/hooks";
import { asApiError } from "../../../http/api-error.ts";
import { prefixOf } from "../../../http/metadata-api.ts";
import type { Source } from "../../../http/metadata-types.ts";
import { Button, IconButton } from "../../../parts/button.tsx";
import { ConfirmButton } from "../../../parts/confirm.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { ErrorBox } from "../../../parts/error-box.tsx";
import { CheckField, SelectField, TextField } from "../../../parts/field.tsx";
import { notify } from "../../../parts/toast.tsx";
import { useSubmission } from "../../../parts/use-submission.ts";
import { addressOf, navigate } from "../../../routing/router.ts";
import { changeMetadata, sources } from "../../../state/metadata.ts";
import { loadDatabaseObjects } from "../database-objects.ts";
import {
  type ConnectionDraft,
  configurationOf,
  draftOf,
  emptyReplica,
  emptySource,
  isWholeNumber,
  kindsOfSource,
} from "./source-form.ts";

interface SourceDialogProps {
  /** `null` to connect a database. */
  readonly source: Source | null;
  readonly onClose: () => void;
}

export function SourceDialog({ source, onClose }: SourceDialogProps) {
  const [draft, setDraft] = useState(() =>
    source ? draftOf(source.name, source.kind, source.configuration) : emptySource,
  );
  const { name, kind, connection, replica } = draft;
  const isTaken = source === null && sources.value.some((each) => each.name === name);
  const configuration = configurationOf(draft, source?.configuration ?? {});
  const missing =
    name.trim() === ""
      ? "Enter a name."
      : isTaken
        ? "Choose another name."
        : "Enter the variable or URL of each connection, and whole numbers as pool settings.";
  const isComplete = name.trim() !== "" && !isTaken && configuration !== null;
  const {
    isBusy,
    error,
    submit: save,
  } = useSubmission(async () => {
    if (!isComplete) return;
    const type = `${prefixOf(kind)}_${source ? "update" : "add"}_source`;
    await changeMetadata({ type, args: { name, configuration } });
    await loadDatabaseObjects({ name, kind });
    notify(source ? `Changed the connection of ${name}` : `Connected ${name}`);
    onClose();
    navigate(addressOf(["data", name]));
  });
  return (
    <Dialog
      title={source ? `Connection of ${source.name}` : "Connect database"}
      onClose={onClose}
      isWide
      onSubmit={save}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={isBusy} unavailable={!isComplete && missing}>
            {source ? "Save" : "Connect"}
          </Button>
        </>
      }
    >
      {source === null && (
        <div class="form-grid">
          <SelectField
            label="Database"
            value={kind}
            choices={Object.entries(kindsOfSource).map(([value, { label }]) => ({ value, label }))}
            onChange={(chosen) => setDraft({ ...draft, kind: chosen, replica: null })}
          />
          <TextField
            label="Name"
            hint="Metadata and relationships refer to the database by this name."
            isCode
            required
            value={name}
            onInput={(text) => setDraft({ ...draft, name: text })}
            error={isTaken ? "A database has this name." : null}
          />
        </div>
      )}
      <ConnectionFields
        kind={kind}
        prefix=""
        draft={connection}
        isStored={source !== null}
        onChange={(changed) => setDraft({ ...draft, connection: changed })}
      />
      {kindsOfSource[kind]?.hasReplicas &&
        (replica ? (
          <fieldset class="card structure-member">
            <legend class="visually-hidden">Read replica</legend>
            <div class="spread">
              <span class="field-label">Read replica: queries and subscriptions use it</span>
              <IconButton
                icon="remove"
                label="Remove read replica"
                onClick={() => setDraft({ ...draft, replica: null })}
              />
            </div>
            <ConnectionFields
              kind={kind}
              prefix="Replica: "
              draft={replica}
              isStored={source?.configuration.read_replicas !== undefined}
              onChange={(changed) => setDraft({ ...draft, replica: changed })}
            />
          </fieldset>
        ) : (
          <div>
            <Button icon="add" onClick={() => setDraft({ ...draft, replica: emptyReplica() })}>
              Add read replica
            </Button>
          </div>
        ))}
      {error !== null && <ErrorBox error={error} />}
      {source && <Disconnect source={source} onDone={onClose} />}
    </Dialog>
  );
}

interface ConnectionFieldsProps {
  readonly kind: string;
  /** Text before the labels. */
  readonly prefix: string;
  readonly draft: ConnectionDraft;
  /** True if the metadata has a connection, whose URL stays if the field is empty. */
  readonly isStored: boolean;
  readonly onChange: (draft: ConnectionDraft) => void;
}

const forms = [
  { value: "variable", label: "Environment variable" },
  { value: "url", label: "Text in the metadata" },
] as const;

function ConnectionFields({ kind, prefix, draft, isStored, onChange }: ConnectionFieldsProps) {
  const { url = "URL", example = "", pool = {} } = kindsOfSource[kind] ?? {};
  return (
    <>
      <div class="form-grid">
        <SelectField
          label={`${prefix}Connection`}
          value={draft.form}
          choices={forms}
          onChange={(form) => onChange({ ...draft, form })}
        />
        {draft.form === "variable" ? (
          <TextField
            label={`${prefix}Variable`}
            hint="Name of a variable in the environment of the server"
            isCode
            placeholder="WAREHOUSE_URL"
            value={draft.variable}
            onInput={(variable) => onChange({ ...draft, variable })}
          />
        ) : (
          <TextField
            label={`${prefix}${url}`}
            hint={
              isStored
                ? "Leave empty to keep the present one, which is not shown."
                : "The metadata contains it with its password. Prefer a variable."
            }
            type="password"
            isCode
            placeholder={example}
            value={draft.url}
            onInput={(text) => onChange({ ...draft, url: text })}
          />
        )}
      </div>
      <details>
        <summary>{`${prefix}Pool settings`}</summary>
        <div class="form-grid">
          {Object.entries(pool).map(([name, label]) => (
            <TextField
              key={name}
              label={`${prefix}${label}`}
              isCode
              placeholder="Default"
              error={isWholeNumber(draft.pool[name] ?? "") ? null : "Enter a whole number."}
              value={draft.pool[name] ?? ""}
              onInput={(text) => onChange({ ...draft, pool: { ...draft.pool, [name]: text } })}
            />
          ))}
        </div>
      </details>
    </>
  );
}

function Disconnect({ source, onDone }: { readonly source: Source; readonly onDone: () => void }) {
  const [isCascading, setCascading] = useState(false);
  const [hasDependents, setDependents] = useState(false);
  const disconnect = async (): Promise<void> => {
    try {
      const args = { name: source.name, cascade: isCascading };
      await changeMetadata({ type: `${prefixOf(source.kind)}_drop_source`, args });
    } catch (thrown) {
      setDependents(asApiError(thrown).code === "dependency-error");
      throw thrown;
    }
    notify(`Disconnected ${source.name}`);
    onDone();
    navigate(addressOf(["data"]));
  };
  return (
    <div>
      <ConfirmButton label="Disconnect" title={`Disconnect ${source.name}?`} icon="remove" onConfirm={disconnect}>
        <p>
          The database keeps its data. Its tracked tables are deleted from the metadata with their permissions,
          relationships and event triggers, and from the API.
        </p>
        {hasDependents && (
          <CheckField
            label="Delete relationships of other databases to it too"
            checked={isCascading}
            onChange={setCascading}
          />
        )}
      </ConfirmButton>
    </div>
  );
}
