/** Dialogs that add, change and delete a column. */
import { useId, useState } from "preact/hooks";
import type { QualifiedName, Source } from "../../../http/metadata-types.ts";
import { CheckField } from "../../../parts/field.tsx";
import { useLoaded } from "../../../parts/use-loaded.ts";
import { ChangeDialog } from "./change-dialog.tsx";
import { ColumnFields, completeColumn, emptyColumn, TypeList } from "./column-fields.tsx";
import { readTypes } from "./facts.ts";
import type { ColumnDefinition } from "./sql-text.ts";
import { sqlTextOf } from "./sql-texts.ts";
import { addColumn, cascading, changeColumn, dropColumn } from "./statements.ts";

interface ColumnDialogProps {
  readonly source: Source;
  readonly table: QualifiedName;
  /** `null` to add a column. */
  readonly column: ColumnDefinition | null;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function ColumnDialog({ source, table, column: before, ...rest }: ColumnDialogProps) {
  const text = sqlTextOf(source.kind);
  const [column, setColumn] = useState(before ?? { ...emptyColumn(text), isNullable: true });
  const id = useId();
  const types = useLoaded(() => readTypes(source), source.name);
  const complete = completeColumn(column);
  const statement =
    complete && (before ? changeColumn(text, { table, before, after: complete }) : addColumn(text, table, complete));
  return (
    <ChangeDialog
      {...rest}
      source={source}
      title={before ? `Edit column ${before.name}` : "Add column"}
      action={before ? "Save" : "Add column"}
      statement={statement}
      incomplete={complete ? "Nothing has changed." : "Enter a name and a type."}
      notice={before ? `Changed ${before.name}` : `Added ${column.name}`}
    >
      <TypeList id={id} types={types.value ?? text.types} />
      <div class="form-grid">
        <ColumnFields text={text} types={id} column={column} onChange={setColumn} isNew={before === null} />
      </div>
      {before && (
        <p class="muted">
          A new name also applies to the metadata and, unless the column has a custom name, to the API.
        </p>
      )}
    </ChangeDialog>
  );
}

interface DropColumnProps extends ColumnDialogProps {
  readonly column: ColumnDefinition;
  /** True if the column cannot be created again by its definition. */
  readonly isGenerated: boolean;
}

export function DropColumn({ source, table, column, isGenerated, ...rest }: DropColumnProps) {
  const text = sqlTextOf(source.kind);
  const [cascades, setCascades] = useState(false);
  const plain = dropColumn(text, table, column);
  const statement = { ...plain, down: isGenerated ? "" : plain.down };
  return (
    <ChangeDialog
      {...rest}
      source={source}
      title={`Delete column ${column.name}?`}
      action="Delete column"
      isDanger
      statement={cascades ? cascading(text, statement) : statement}
      notice={`Deleted ${column.name}`}
    >
      <p>The column and its values are deleted from the database. The values cannot be restored.</p>
      <CascadeField isOffered={text.cascade !== ""} checked={cascades} onChange={setCascades} />
    </ChangeDialog>
  );
}

interface CascadeFieldProps {
  readonly isOffered: boolean;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

export function CascadeField({ isOffered, checked, onChange }: CascadeFieldProps) {
  if (!isOffered) return null;
  const label = "Delete views, foreign keys and other objects of the database that depend on it too";
  return <CheckField label={label} checked={checked} onChange={onChange} />;
}
