/** Dialogs that insert, edit and delete a row. */
import { useState } from "preact/hooks";
import {
  type ColumnInfo,
  deleteRows,
  insertRow,
  type Row,
  type TableInfo,
  type TableLocation,
  updateRow,
} from "../../http/data-api.ts";
import type { Json, JsonObject } from "../../http/metadata-types.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { CheckField, TextField } from "../../parts/field.tsx";
import { Form } from "../../parts/form.tsx";
import { notify } from "../../parts/toast.tsx";
import { readTyped, typedText } from "./typed-value.ts";

interface RowDialogProps {
  readonly location: TableLocation;
  readonly info: TableInfo;
  /** `null` to insert a row. */
  readonly row: Row | null;
  /** @param isChanged true if the rows must be reloaded */
  readonly onClose: (isChanged: boolean) => void;
}

/** Typed values by column. Absent columns are not sent. */
type Typed = Readonly<Record<string, string | null>>;

export function RowDialog({ location, info, row, onClose }: RowDialogProps) {
  const [typed, setTyped] = useState<Typed>({});
  const [error, setError] = useState<unknown>(null);
  const [isSaving, setSaving] = useState(false);
  const columns = info.columns.filter(({ insertable, updatable }) => (row ? updatable : insertable) !== false);
  const save = async (): Promise<void> => {
    setSaving(true);
    setError(null);
    try {
      const values = readRow(typed, info.columns);
      if (row) await updateRow(location, whereKey(row, info), values);
      else await insertRow(location, values);
      notify(row ? "Saved the row" : "Inserted the row");
      onClose(true);
    } catch (thrown) {
      setError(thrown);
      setSaving(false);
    }
  };
  return (
    <Dialog
      title={row ? `Edit row of ${location.table.name}` : `Insert row into ${location.table.name}`}
      onClose={() => onClose(false)}
    >
      <Form class="stack" onSubmit={save}>
        {columns.map((column) => (
          <ColumnField
            key={column.name}
            column={column}
            row={row}
            typed={typed[column.name]}
            onChange={(value) => setTyped({ ...typed, [column.name]: value })}
          />
        ))}
        {error !== null && <ErrorBox error={error} />}
        <div class="row">
          <Button kind="primary" type="submit" busy={isSaving}>
            {row ? "Save" : "Insert"}
          </Button>
          <Button onClick={() => onClose(false)}>Cancel</Button>
        </div>
      </Form>
    </Dialog>
  );
}

interface ColumnFieldProps {
  readonly column: ColumnInfo;
  readonly row: Row | null;
  readonly typed: string | null | undefined;
  readonly onChange: (value: string | null) => void;
}

function ColumnField({ column, row, typed, onChange }: ColumnFieldProps) {
  const { name, type, nullable, value_generated: generated } = column;
  const current = row ? row[name] : undefined;
  const isNull = typed === null || (typed === undefined && row !== null && current === null);
  const isLong = /^(?:jsonb?|text|xml)$/i.test(type);
  const placeholder = isNull ? "null" : !row && generated ? "Set by the database" : "";
  return (
    <div class="column-field">
      <TextField
        label={name}
        hint={type}
        isCode
        value={isNull ? "" : (typed ?? typedText(current, column.value))}
        placeholder={placeholder}
        onInput={onChange}
        {...(isLong && { rows: 2 })}
      />
      {nullable && <CheckField label="Null" checked={isNull} onChange={(checked) => onChange(checked ? null : "")} />}
    </div>
  );
}

function readRow(typed: Typed, columns: readonly ColumnInfo[]): Readonly<Record<string, Json>> {
  const values: Record<string, Json> = {};
  for (const { name, value: kind, value_generated: generated } of columns) {
    const text = typed[name];
    if (text === undefined || (text === "" && generated !== undefined)) continue;
    try {
      values[name] = text === null ? null : readTyped(text, kind);
    } catch (error) {
      throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return values;
}

/** Returns a condition that matches only this row. @throws Error without a primary key */
function whereKey(row: Row, { primary_key: keys = [] }: TableInfo): JsonObject {
  if (keys.length === 0) throw new Error("The table has no primary key to identify the row by.");
  return Object.fromEntries(keys.map((name) => [name, { _eq: row[name] as Json }]));
}

export function DeleteRow({ location, info, row, onClose }: RowDialogProps & { readonly row: Row }) {
  const [error, setError] = useState<unknown>(null);
  const remove = async (): Promise<void> => {
    try {
      await deleteRows(location, whereKey(row, info));
      notify("Deleted the row");
      onClose(true);
    } catch (thrown) {
      setError(thrown);
    }
  };
  return (
    <Dialog
      title="Delete row?"
      onClose={() => onClose(false)}
      footer={
        <>
          <Button onClick={() => onClose(false)}>Cancel</Button>
          <Button kind="danger" onClick={() => void remove()}>
            Delete
          </Button>
        </>
      }
    >
      <pre class="code-block">{JSON.stringify(whereKey(row, info))}</pre>
      {error !== null && <ErrorBox error={error} />}
    </Dialog>
  );
}
