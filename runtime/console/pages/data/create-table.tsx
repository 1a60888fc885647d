/** Dialog that creates and tracks a table, with a preview of the SQL. */
import { useId, useState } from "preact/hooks";
import { prefixOf } from "../../http/metadata-api.ts";
import type { Source } from "../../http/metadata-types.ts";
import { Button, IconButton } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { CheckField, TextField } from "../../parts/field.tsx";
import { defaultSchemaOf } from "../../parts/table-name.ts";
import { notify } from "../../parts/toast.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { useSubmission } from "../../parts/use-submission.ts";
import { addressOf, navigate } from "../../routing/router.ts";
import { changeDatabase } from "../../state/change-database.ts";
import { changeMetadata } from "../../state/metadata.ts";
import { loadDatabaseObjects } from "./database-objects.ts";
import { SqlPreview } from "./structure/change-dialog.tsx";
import { ColumnFields, emptyColumn, TypeList } from "./structure/column-fields.tsx";
import { readTypes } from "./structure/facts.ts";
import {
  emptyForeignKey,
  type ForeignKeyDraft,
  ForeignKeyFields,
  foreignKeyOf,
} from "./structure/foreign-key-fields.tsx";
import type { ColumnDefinition, SqlText } from "./structure/sql-text.ts";
import { sqlTextOf } from "./structure/sql-texts.ts";
import { createTable, type NewTable } from "./structure/statements.ts";

interface DraftColumn extends ColumnDefinition {
  readonly isKey: boolean;
  readonly isUnique: boolean;
}

interface Draft {
  readonly schema: string;
  readonly name: string;
  readonly comment: string;
  /** `null` for a table with columns; otherwise one value of the enum table on each line. */
  readonly values: string | null;
  readonly columns: readonly DraftColumn[];
  readonly foreignKeys: readonly ForeignKeyDraft[];
  readonly checks: readonly string[];
}

const plainColumn = (text: SqlText): DraftColumn => ({ ...emptyColumn(text), isKey: false, isUnique: false });

function emptyDraft({ kind }: Source): Draft {
  const text = sqlTextOf(kind);
  const id = { ...plainColumn(text), name: "id", type: "bigint", isIdentity: true, isKey: true };
  const columns = [id, plainColumn(text)];
  return { schema: defaultSchemaOf(kind), name: "", comment: "", values: null, columns, foreignKeys: [], checks: [] };
}

/** Returns the columns with an empty one at the end, whose name adds a column. */
const withEmptyLast = (columns: readonly DraftColumn[], text: SqlText): readonly DraftColumn[] =>
  columns.at(-1)?.name.trim() === "" ? columns : [...columns, plainColumn(text)];

/** Columns of an enum table: the values, and their descriptions. */
function enumColumns(text: SqlText): readonly DraftColumn[] {
  const [type = ""] = text.types;
  return [
    { ...plainColumn(text), name: "value", type: text.keyText, isKey: true },
    { ...plainColumn(text), name: "description", type, isNullable: true },
  ];
}

/** Reads lines of the form `value` or `value: description`. */
const valuesOf = (lines: string): readonly (readonly [string, string])[] =>
  lines.split("\n").flatMap((line): readonly (readonly [string, string])[] => {
    const [value = "", ...description] = line.split(":");
    return value.trim() === "" ? [] : [[value.trim(), description.join(":").trim()]];
  });

const isGraphqlName = (value: string): boolean => /^[A-Za-z_][0-9A-Za-z_]*$/.test(value);

function valuesError(lines: string): string | null {
  const values = valuesOf(lines);
  const wrong = values.find(([value]) => !isGraphqlName(value));
  if (wrong) return `${wrong[0]} is not a GraphQL name: use letters, digits and _, without a digit at the beginning.`;
  return values.length === 0 && lines !== "" ? "Enter at least one value." : null;
}

/** Returns `null` while the draft is incomplete. */
function tableOf(text: SqlText, draft: Draft): NewTable | null {
  const { schema, name, comment, values } = draft;
  const columns = (values === null ? draft.columns : enumColumns(text)).filter((column) => column.name.trim() !== "");
  const keys = draft.foreignKeys.map(foreignKeyOf);
  const foreignKeys = keys.filter((key) => key !== null);
  const rows = values === null ? [] : valuesOf(values);
  const isComplete =
    name.trim() !== "" && schema !== "" && columns.length > 0 && columns.every(({ type }) => type.trim() !== "");
  if (!isComplete || foreignKeys.length < keys.length || (values !== null && rows.length === 0)) return null;
  return {
    table: { schema, name },
    columns: columns.map((column) => ({ ...column, isNullable: column.isNullable && !column.isKey })),
    primaryKey: columns.filter(({ isKey }) => isKey).map((column) => column.name),
    unique: columns.filter(({ isUnique }) => isUnique).map((column) => [column.name]),
    checks: values === null ? draft.checks.filter((check) => check.trim() !== "") : [],
    foreignKeys: values === null ? foreignKeys : [],
    comment,
    values: rows,
  };
}

/** Returns the first part that an incomplete draft lacks. */
function missingOf({ schema, name, values, columns, foreignKeys }: Draft): string {
  if (name.trim() === "") return "Enter a name for the table.";
  if (schema === "") return "Enter a schema.";
  if (values !== null) return "Enter the values, one on each line.";
  const named = columns.filter((column) => column.name.trim() !== "");
  if (named.length === 0) return "Add a column with a name.";
  const untyped = named.find(({ type }) => type.trim() === "");
  if (untyped) return `Enter a type for ${untyped.name}.`;
  return `Complete foreign key ${foreignKeys.findIndex((key) => foreignKeyOf(key) === null) + 1}.`;
}

export function CreateTable({ source, onClose }: { readonly source: Source; readonly onClose: () => void }) {
  const [draft, setDraft] = useState(() => emptyDraft(source));
  /** True if the table exists and is not tracked yet: the next step is only to track it. */
  const [isCreated, setCreated] = useState(false);
  const { name, schema, values } = draft;
  const table = tableOf(sqlTextOf(source.kind), draft);
  const statement = table && createTable(sqlTextOf(source.kind), table);
  const change = (part: Partial<Draft>): void => setDraft({ ...draft, ...part });
  const {
    isBusy,
    error,
    submit: create,
  } = useSubmission(async () => {
    if (!statement) return;
    if (!isCreated) {
      await changeDatabase({ source, ...statement });
      setCreated(true);
    }
    const args = { source: source.name, table: { schema, name }, ...(values !== null && { is_enum: true }) };
    await changeMetadata({ type: `${prefixOf(source.kind)}_track_table`, args });
    await loadDatabaseObjects(source);
    notify(`Created and tracked ${name}`);
    onClose();
    navigate(addressOf(["data", source.name, schema, name]));
  });
  return (
    <Dialog
      title="Create table"
      onClose={onClose}
      isWide
      onSubmit={create}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={isBusy} unavailable={!statement && missingOf(draft)}>
            {isCreated ? "Track" : "Create and track"}
          </Button>
        </>
      }
    >
      {isCreated && <p role="status">The table was created. It is not tracked yet.</p>}
      <fieldset class="stack" disabled={isCreated}>
        <div class="form-grid">
          <TextField label="Name" isCode required value={name} onInput={(text) => change({ name: text })} />
          <TextField label="Schema" isCode required value={schema} onInput={(text) => change({ schema: text })} />
          <TextField label="Comment" value={draft.comment} onInput={(comment) => change({ comment })} />
        </div>
        <CheckField
          label="Enum table: its rows are the values of a GraphQL enum"
          checked={values !== null}
          onChange={(isEnum) => change({ values: isEnum ? "" : null })}
        />
        {values === null ? (
          <TableMembers source={source} draft={draft} onChange={change} />
        ) : (
          <TextField
            label="Values"
            hint="One on each line, as value or value: description"
            error={valuesError(values)}
            isCode
            rows={5}
            value={values}
            onInput={(lines) => change({ values: lines })}
          />
        )}
      </fieldset>
      {statement && <SqlPreview statement={statement} />}
      {error !== null && <ErrorBox error={error} />}
    </Dialog>
  );
}

interface TableMembersProps {
  readonly source: Source;
  readonly draft: Draft;
  readonly onChange: (part: Partial<Draft>) => void;
}

const replaced = <T,>(list: readonly T[], at: number, item: T): readonly T[] =>
  list.map((each, index) => (index === at ? item : each));
const without = <T,>(list: readonly T[], at: number): readonly T[] => list.filter((_each, index) => index !== at);

function TableMembers({ source, draft, onChange }: TableMembersProps) {
  const { columns, foreignKeys, checks } = draft;
  const text = sqlTextOf(source.kind);
  const types = useId();
  const known = useLoaded(() => readTypes(source), source.name);
  const names = columns.map(({ name }) => name).filter((name) => name !== "");
  return (
    <>
      <TypeList id={types} types={known.value ?? text.types} />
      <fieldset class="stack">
        <legend class="field-label">Columns</legend>
        {columns.map((column, at) => {
          const change = (part: Partial<DraftColumn>): void =>
            onChange({ columns: withEmptyLast(replaced(columns, at, { ...column, ...part }), text) });
          return (
            <div key={at} class="structure-column">
              <ColumnFields
                text={text}
                types={types}
                number={at + 1}
                column={column}
                isKey={column.isKey}
                onChange={change}
              />
              <CheckField label="Primary key" checked={column.isKey} onChange={(isKey) => change({ isKey })} />
              <CheckField label="Unique" checked={column.isUnique} onChange={(isUnique) => change({ isUnique })} />
              <IconButton
                icon="remove"
                label={`Remove column ${at + 1}`}
                onClick={() => onChange({ columns: withEmptyLast(without(columns, at), text) })}
              />
            </div>
          );
        })}
      </fieldset>
      {foreignKeys.map((key, at) => (
        <fieldset key={at} class="card structure-member">
          <legend class="visually-hidden">{`Foreign key ${at + 1}`}</legend>
          <div class="spread">
            <span class="field-label">Foreign key</span>
            <IconButton
              icon="remove"
              label={`Remove foreign key ${at + 1}`}
              onClick={() => onChange({ foreignKeys: without(foreignKeys, at) })}
            />
          </div>
          <ForeignKeyFields
            source={source}
            columns={names}
            draft={key}
            onChange={(changed) => onChange({ foreignKeys: replaced(foreignKeys, at, changed) })}
          />
        </fieldset>
      ))}
      {checks.map((check, at) => (
        <div key={at} class="structure-check">
          <TextField
            label={checks.length === 1 ? "Check (SQL)" : `Check ${at + 1} (SQL)`}
            isCode
            placeholder="price > 0"
            value={check}
            onInput={(condition) => onChange({ checks: replaced(checks, at, condition) })}
          />
          <IconButton
            icon="remove"
            label={`Remove check ${at + 1}`}
            onClick={() => onChange({ checks: without(checks, at) })}
          />
        </div>
      ))}
      <div class="row">
        <Button icon="add" onClick={() => onChange({ foreignKeys: [...foreignKeys, emptyForeignKey(source)] })}>
          Add foreign key
        </Button>
        <Button icon="add" onClick={() => onChange({ checks: [...checks, ""] })}>
          Add check
        </Button>
      </div>
    </>
  );
}
