/** Dialog that adds a constraint: a foreign key, unique columns, a check or a primary key. */
import { useState } from "preact/hooks";
import type { QualifiedName, Source } from "../../../http/metadata-types.ts";
import { SelectField, TextField } from "../../../parts/field.tsx";
import { ChangeDialog } from "./change-dialog.tsx";
import { ColumnChoice } from "./column-choice.tsx";
import { emptyForeignKey, ForeignKeyFields, foreignKeyOf } from "./foreign-key-fields.tsx";
import { proposedName } from "./names.ts";
import { sqlTextOf } from "./sql-texts.ts";
import { addConstraint, constraintText } from "./statements.ts";

type ConstraintType = "foreign key" | "unique" | "check" | "primary key";

const choices = [
  { value: "foreign key", label: "Foreign key" },
  { value: "unique", label: "Unique" },
  { value: "check", label: "Check" },
  { value: "primary key", label: "Primary key" },
] as const;

const suffixes: Readonly<Record<ConstraintType, string>> = {
  "foreign key": "fkey",
  unique: "key",
  check: "check",
  "primary key": "pkey",
};

const missing: Readonly<Record<ConstraintType, string>> = {
  "foreign key": "Select a table and columns.",
  unique: "Select columns.",
  check: "Enter a condition.",
  "primary key": "Select columns.",
};

interface AddConstraintProps {
  readonly source: Source;
  readonly table: QualifiedName;
  readonly columns: readonly string[];
  readonly hasPrimaryKey: boolean;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function AddConstraint({ source, table, columns, hasPrimaryKey, ...rest }: AddConstraintProps) {
  const text = sqlTextOf(source.kind);
  const [type, setType] = useState<ConstraintType>("foreign key");
  const [key, setKey] = useState(() => emptyForeignKey(source));
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [condition, setCondition] = useState("");
  const [name, setName] = useState<string | null>(null);
  const reference = foreignKeyOf(key);
  const definitions: Readonly<Record<ConstraintType, string | null>> = {
    "foreign key": reference && constraintText.foreignKey(text, reference),
    unique: chosen.length > 0 ? constraintText.unique(text, chosen) : null,
    check: condition.trim() === "" ? null : constraintText.check(condition),
    "primary key": chosen.length > 0 ? constraintText.primaryKey(text, chosen) : null,
  };
  const named = { "foreign key": reference?.columns ?? [], unique: chosen, check: [], "primary key": [] }[type];
  const used = name ?? proposedName(table.name, named, suffixes[type]);
  const definition = definitions[type];
  return (
    <ChangeDialog
      {...rest}
      source={source}
      title="Add constraint"
      action="Add constraint"
      statement={definition === null || used.trim() === "" ? null : addConstraint(text, table, used, definition)}
      incomplete={used.trim() === "" ? "Enter a name." : missing[type]}
      notice={`Added ${used}`}
    >
      <div class="form-grid">
        <SelectField<ConstraintType>
          label="Type"
          value={type}
          choices={choices.filter(({ value }) => value !== "primary key" || !hasPrimaryKey)}
          onChange={setType}
        />
        <TextField label="Name" isCode value={used} onInput={setName} />
      </div>
      {type === "foreign key" && <ForeignKeyFields source={source} columns={columns} draft={key} onChange={setKey} />}
      {(type === "unique" || type === "primary key") && (
        <ColumnChoice columns={columns} chosen={chosen} onChange={setChosen} />
      )}
      {type === "check" && (
        <TextField label="Condition (SQL)" isCode placeholder="price > 0" value={condition} onInput={setCondition} />
      )}
    </ChangeDialog>
  );
}
