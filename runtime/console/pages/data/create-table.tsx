/** Dialog that creates and tracks a table, with a preview of the SQL statement. */
import { useState } from "preact/hooks";
import { prefixOf, runSql } from "../../http/metadata-api.ts";
import type { Source } from "../../http/metadata-types.ts";
import { Button, IconButton } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { CheckField, TextField } from "../../parts/field.tsx";
import { defaultSchemaOf } from "../../parts/table-name.ts";
import { notify } from "../../parts/toast.tsx";
import { addressOf, navigate } from "../../routing/router.ts";
import { changeMetadata } from "../../state/metadata.ts";
import { loadDatabaseObjects } from "./database-objects.ts";

const identities: Readonly<Record<string, string>> = { mssql: "int identity" };

/** Suggested types per database kind. The first is the default. */
const types: Readonly<Record<string, readonly string[]>> = {
  mssql: ["nvarchar(max)", "int", "bigint", "decimal(18, 2)", "bit", "date", "datetimeoffset", "uniqueidentifier"],
};
const defaultTypes = ["text", "integer", "bigint", "numeric", "boolean", "date", "timestamptz", "uuid", "jsonb"];

const typesOf = (kind: string): readonly string[] => types[kind] ?? defaultTypes;

const identityColumn = (kind: string): NewColumn => ({
  name: "id",
  type: identities[kind] ?? "bigint generated always as identity",
  isNullable: false,
  initial: "",
  isKey: true,
});
const emptyColumn = (kind: string): NewColumn => ({
  name: "",
  type: typesOf(kind)[0] ?? "",
  isNullable: false,
  initial: "",
  isKey: false,
});

export function CreateTable({ source, onClose }: { readonly source: Source; readonly onClose: () => void }) {
  const [schema, setSchema] = useState(defaultSchemaOf(source.kind));
  const [name, setName] = useState("");
  const [columns, setColumns] = useState<readonly NewColumn[]>([identityColumn(source.kind), emptyColumn(source.kind)]);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const used = columns.filter((column) => column.name.trim() !== "");
  const sql = createTableSql(schema, name === "" ? "…" : name, used);
  const create = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await runSql({ source: source.name, kind: source.kind, sql });
      const args = { source: source.name, table: { schema, name } };
      await changeMetadata({ type: `${prefixOf(source.kind)}_track_table`, args });
      await loadDatabaseObjects(source);
      notify(`Created and tracked ${name}`);
      onClose();
      navigate(addressOf(["data", source.name, schema, name]));
    } catch (thrown) {
      setError(thrown);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title="Create table"
      onClose={onClose}
      isWide
      onSubmit={create}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={isBusy} disabled={name === "" || used.length === 0}>
            Create and track
          </Button>
        </>
      }
    >
      <div class="form-grid">
        <TextField label="Name" isCode required value={name} onInput={setName} />
        <TextField label="Schema" isCode required value={schema} onInput={setSchema} />
      </div>
      <datalist id="column-types">
        {typesOf(source.kind).map((type) => (
          <option key={type} value={type} />
        ))}
      </datalist>
      <fieldset class="stack">
        <legend class="field-label">Columns</legend>
        {columns.map((column, index) => (
          <ColumnRow
            key={index}
            number={index + 1}
            column={column}
            onChange={(changed) => setColumns(columns.map((each, at) => (at === index ? changed : each)))}
            onRemove={() => setColumns(columns.filter((_each, at) => at !== index))}
          />
        ))}
        <div>
          <Button icon="add" onClick={() => setColumns([...columns, emptyColumn(source.kind)])}>
            Add column
          </Button>
        </div>
      </fieldset>
      <pre class="code-block">{sql}</pre>
      {error !== null && <ErrorBox error={error} />}
    </Dialog>
  );
}

interface ColumnRowProps {
  readonly number: number;
  readonly column: NewColumn;
  readonly onChange: (column: NewColumn) => void;
  readonly onRemove: () => void;
}

function ColumnRow({ number, column, onChange, onRemove }: ColumnRowProps) {
  const change = (part: Partial<NewColumn>): void => onChange({ ...column, ...part });
  return (
    <div class="new-column">
      <TextField
        label={`Name of column ${number}`}
        isBare
        isCode
        placeholder="Name"
        value={column.name}
        onInput={(name) => change({ name })}
      />
      <TextField
        label={`Type of column ${number}`}
        isBare
        isCode
        placeholder="Type"
        list="column-types"
        value={column.type}
        onInput={(type) => change({ type })}
      />
      <TextField
        label={`Default of column ${number}`}
        isBare
        isCode
        placeholder="Default (SQL)"
        value={column.initial}
        onInput={(initial) => change({ initial })}
      />
      <CheckField label="Primary key" checked={column.isKey} onChange={(isKey) => change({ isKey })} />
      <CheckField
        label="Nullable"
        checked={column.isNullable}
        disabled={column.isKey}
        onChange={(isNullable) => change({ isNullable })}
      />
      <IconButton icon="remove" label={`Remove column ${number}`} onClick={onRemove} />
    </div>
  );
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

interface NewColumn {
  readonly name: string;
  readonly type: string;
  readonly isNullable: boolean;
  /** Default value as SQL; empty for none. */
  readonly initial: string;
  readonly isKey: boolean;
}

function createTableSql(schema: string, name: string, columns: readonly NewColumn[]): string {
  const lines = columns.map(({ name: column, type, isNullable, initial, isKey }) => {
    const parts = [quoted(column), type];
    if (!isNullable && !isKey) parts.push("not null");
    if (initial !== "") parts.push(`default ${initial}`);
    return `  ${parts.join(" ")}`;
  });
  const keys = columns.filter(({ isKey }) => isKey).map((column) => quoted(column.name));
  if (keys.length > 0) lines.push(`  primary key (${keys.join(", ")})`);
  return `create table ${quoted(schema)}.${quoted(name)} (\n${lines.join(",\n")}\n);`;
}
