/** Computed fields of a table, and functions that can become computed fields. */
import { useState } from "preact/hooks";
import type { DatabaseFunction } from "../../http/data-api.ts";
import { prefixOf } from "../../http/metadata-api.ts";
import type { QualifiedName, Source, Table } from "../../http/metadata-types.ts";
import { Button, IconButton } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { SelectField, TextField } from "../../parts/field.tsx";
import { keyOf } from "../../parts/table-name.ts";
import { notify } from "../../parts/toast.tsx";
import { changeMetadata, rolesOfTable } from "../../state/metadata.ts";
import { useGuardedSave } from "../permissions/use-guarded-save.tsx";
import { returnText, sessionArguments, signatureOf } from "./function-text.ts";

/** Returns the non-volatile functions that take a row of the table. */
export function functionsOf(all: readonly DatabaseFunction[], table: QualifiedName): readonly DatabaseFunction[] {
  const key = keyOf(table);
  return all.filter(
    (found) =>
      found.volatility !== "volatile" && found.arguments.some((each) => each.table && keyOf(each.table) === key),
  );
}

interface ComputedFieldsProps {
  readonly source: Source;
  readonly table: Table;
  readonly candidates: readonly DatabaseFunction[];
}

export function ComputedFields({ source, table, candidates }: ComputedFieldsProps) {
  const [error, setError] = useState<unknown>(null);
  const [added, setAdded] = useState<DatabaseFunction | null>(null);
  const existing = table.computed_fields ?? [];
  const used = new Set(existing.map(({ definition }) => keyOf(definition.function)));
  const free = candidates.filter((found) => !used.has(keyOf(found)));
  const remove = async (name: string): Promise<void> => {
    setError(null);
    try {
      const args = { source: source.name, table: table.table, name };
      await changeMetadata({ type: `${prefixOf(source.kind)}_drop_computed_field`, args });
      notify(`Deleted ${name}`);
    } catch (thrown) {
      setError(thrown);
    }
  };
  return (
    <div class="page">
      {error !== null && <ErrorBox error={error} />}
      <section class="stack" aria-label="Computed fields">
        <h2>Computed fields</h2>
        {existing.length === 0 && <p class="muted">No computed fields</p>}
        <ul class="stack">
          {existing.map(({ name, definition }) => (
            <li key={name} class="card spread list-card">
              <span class="row">
                <bdi>{name}</bdi>
                <code class="muted">{`${definition.function.schema}.${definition.function.name}`}</code>
              </span>
              <IconButton icon="remove" label={`Delete computed field ${name}`} onClick={() => void remove(name)} />
            </li>
          ))}
        </ul>
      </section>
      <section class="stack" aria-label="Available functions">
        <h2>Available functions</h2>
        {free.length === 0 && <p class="muted">No other function takes a row of this table.</p>}
        <ul class="stack">
          {free.map((found) => (
            <li key={signatureOf(source.kind, found)} class="card spread list-card">
              <span class="row">
                <code>{signatureOf(source.kind, found)}</code>
                <span class="muted">{`returns ${returnText(source.kind, found)}`}</span>
              </span>
              <Button icon="add" title={`Add ${found.name}`} onClick={() => setAdded(found)}>
                Add
              </Button>
            </li>
          ))}
        </ul>
      </section>
      {added && <AddField source={source} table={table} found={added} onClose={() => setAdded(null)} />}
    </div>
  );
}

interface AddFieldProps {
  readonly source: Source;
  readonly table: Table;
  readonly found: DatabaseFunction;
  readonly onClose: () => void;
}

const none = "";

function AddField({ source, table, found, onClose }: AddFieldProps) {
  const [name, setName] = useState(found.name);
  const [session, setSession] = useState(none);
  const choices = sessionArguments(found);
  const row = found.arguments.find((each) => each.table && keyOf(each.table) === keyOf(table.table));
  const {
    isBusy,
    error,
    submit: add,
    confirmation,
  } = useGuardedSave({
    change: () => {
      const definition = {
        function: { schema: found.schema, name: found.name },
        ...(row !== found.arguments[0] && { table_argument: row?.name }),
        ...(session !== none && { session_argument: session }),
      };
      const args = { source: source.name, table: table.table, name, definition };
      return { type: `${prefixOf(source.kind)}_add_computed_field`, args };
    },
    roles: () => rolesOfTable(table),
    onSaved: () => {
      notify(`Added ${name}`);
      onClose();
    },
  });
  return (
    <Dialog
      title={`Add computed field to ${table.table.name}`}
      onClose={onClose}
      onSubmit={add}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={isBusy} unavailable={name === "" && "Enter a name."}>
            Add
          </Button>
        </>
      }
    >
      <pre class="code-block">{signatureOf(source.kind, found)}</pre>
      <TextField label="Field name" isCode required value={name} onInput={setName} />
      {choices.length > 0 && (
        <SelectField<string>
          label="Session argument"
          value={session}
          choices={[{ value: none, label: "None" }, ...choices.map((each) => ({ value: each, label: each }))]}
          onChange={setSession}
        />
      )}
      {error !== null && <ErrorBox error={error} />}
      {confirmation}
    </Dialog>
  );
}
