/** Fields of a column: name, type, generated values, default, nullability and comment. */
import { CheckField, SelectField, TextField } from "../../../parts/field.tsx";
import type { ColumnDefinition, SqlText } from "./sql-text.ts";

export const emptyColumn = ({ types: [type = ""] }: SqlText): ColumnDefinition => ({
  name: "",
  type,
  isNullable: false,
  initial: "",
  isIdentity: false,
  comment: "",
});

/** Returns `null` if the column cannot be created as it is. */
export const completeColumn = (column: ColumnDefinition): ColumnDefinition | null =>
  column.name.trim() === "" || column.type.trim() === "" ? null : column;

type Generation = "none" | "identity" | "uuid";

const generations = [
  { value: "none", label: "Default" },
  { value: "identity", label: "Identity" },
  { value: "uuid", label: "UUID" },
] as const;

interface ColumnFieldsProps {
  readonly text: SqlText;
  readonly column: ColumnDefinition;
  readonly onChange: (column: ColumnDefinition) => void;
  /** Id of the `datalist` with types. */
  readonly types: string;
  /** Number of the column in a list of columns, whose labels are for screen readers only. */
  readonly number?: number;
  /** True for columns of the primary key, which are not nullable. */
  readonly isKey?: boolean;
  /** False for a column that exists: its identity does not change. */
  readonly isNew?: boolean;
}

export function ColumnFields(props: ColumnFieldsProps) {
  const { text, column, onChange, types, number, isKey = false, isNew = true } = props;
  const change = (part: Partial<ColumnDefinition>): void => onChange({ ...column, ...part });
  const generate = (generation: Generation): void => {
    if (generation === "uuid") change({ isIdentity: false, ...text.uuid });
    else change({ isIdentity: generation === "identity", initial: "" });
  };
  const generation = column.isIdentity ? "identity" : column.initial === text.uuid.initial ? "uuid" : "none";
  const field = (label: string) =>
    number === undefined
      ? { label, isCode: true }
      : { label: `${label} of column ${number}`, isBare: true, isCode: true, placeholder: label };
  return (
    <>
      <TextField {...field("Name")} value={column.name} onInput={(name) => change({ name })} />
      <TextField {...field("Type")} list={types} value={column.type} onInput={(type) => change({ type })} />
      {isNew && (
        <SelectField<Generation>
          label={number === undefined ? "Values" : `Values of column ${number}`}
          isBare={number !== undefined}
          value={generation}
          choices={generations}
          onChange={generate}
        />
      )}
      <TextField
        {...field("Default (SQL)")}
        label={number === undefined ? "Default (SQL)" : `Default of column ${number}`}
        disabled={column.isIdentity}
        value={column.initial}
        onInput={(initial) => change({ initial })}
      />
      <TextField
        {...field("Comment")}
        isCode={false}
        value={column.comment}
        onInput={(comment) => change({ comment })}
      />
      <CheckField
        label="Nullable"
        checked={column.isNullable && !isKey}
        disabled={isKey || column.isIdentity}
        onChange={(isNullable) => change({ isNullable })}
      />
    </>
  );
}

/** Suggestions for the type of a column. */
export function TypeList({ id, types }: { readonly id: string; readonly types: readonly string[] }) {
  return (
    <datalist id={id}>
      {types.map((type) => (
        <option key={type} value={type} />
      ))}
    </datalist>
  );
}
