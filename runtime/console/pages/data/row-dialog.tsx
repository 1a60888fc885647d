/** Dialogs that insert and edit a row, and delete rows. */

import { useId, useRef, useState } from "preact/hooks";
import { messageOf } from "../../../values/message-of.ts";
import {
  type ColumnInfo,
  deleteRows,
  insertRows,
  type Row,
  type TableInfo,
  type TableLocation,
} from "../../http/data-api.ts";
import type { Json } from "../../http/metadata-types.ts";
import { Button } from "../../parts/button.tsx";
import { cellText } from "../../parts/cell-text.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { notify } from "../../parts/toast.tsx";
import { useSubmission } from "../../parts/use-submission.ts";
import { type Editor, type Editors, editorOfType } from "./rows/editors.ts";
import { editableText, isRequired, keyColumns, type Typed, valueToSend, whereKeys } from "./rows/row-values.ts";
import { saveRow } from "./rows/save-row.ts";
import { ValueInput } from "./rows/value-input.tsx";

interface RowDialogProps {
  readonly location: TableLocation;
  readonly info: TableInfo;
  readonly editors: Editors;
  /** `null` to insert a row. */
  readonly row: Row | null;
  /** @param isChanged true if the rows must be reloaded */
  readonly onClose: (isChanged: boolean) => void;
}

type Texts<T> = Readonly<Record<string, T>>;

export function RowDialog({ location, info, editors, row, onClose }: RowDialogProps) {
  const [typed, setTyped] = useState<Texts<Typed>>({});
  const [invalid, setInvalid] = useState<Texts<string>>({});
  const [error, setError] = useState<unknown>(null);
  const [isSaving, setSaving] = useState(false);
  const columns = info.columns.filter(({ insertable, updatable }) => (row ? updatable : insertable) !== false);
  const body = useRef<HTMLDivElement>(null);
  const save = async (): Promise<void> => {
    const { values, errors } = readRow(typed, columns, row === null);
    setInvalid(errors);
    if (Object.keys(errors).length > 0) {
      // The errors are rendered first.
      setTimeout(() => body.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
      return;
    }
    setSaving(true);
    setError(null);
    try {
      if (!row) await insertRows(location, [values]);
      else if (Object.keys(values).length > 0) await saveRow(location, info, row, values);
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
      onSubmit={save}
      footer={
        <>
          <Button onClick={() => onClose(false)}>Cancel</Button>
          <Button kind="primary" type="submit" busy={isSaving}>
            {row ? "Save" : "Insert"}
          </Button>
        </>
      }
    >
      <div class="stack" ref={body}>
        {columns.map((column) => (
          <ColumnField
            key={column.name}
            column={column}
            editor={editors.get(column.name) ?? editorOfType(column)}
            row={row}
            typed={typed[column.name]}
            error={invalid[column.name] ?? null}
            onChange={(value) => {
              setTyped({ ...typed, [column.name]: value });
              const { [column.name]: _, ...others } = invalid;
              setInvalid(others);
            }}
          />
        ))}
        {error !== null && <ErrorBox error={error} />}
      </div>
    </Dialog>
  );
}

function readRow(typed: Texts<Typed>, columns: readonly ColumnInfo[], isInsert: boolean) {
  const values: Record<string, Json> = {};
  const errors: Record<string, string> = {};
  for (const column of columns) {
    try {
      const value = valueToSend(Object.hasOwn(typed, column.name) ? typed[column.name] : undefined, column, isInsert);
      if (value !== undefined) values[column.name] = value;
    } catch (error) {
      errors[column.name] = messageOf(error);
    }
  }
  return { values, errors };
}

interface ColumnFieldProps {
  readonly column: ColumnInfo;
  readonly editor: Editor;
  readonly row: Row | null;
  readonly typed: Typed;
  readonly error: string | null;
  readonly onChange: (value: Typed) => void;
}

function ColumnField({ column, editor, row, typed, error, onChange }: ColumnFieldProps) {
  const { name, type, nullable, value_generated: generated, description } = column;
  const id = useId();
  const current = row ? row[name] : undefined;
  // A new row has null in columns without a default.
  const isUntouchedNull = row ? current === null : nullable && generated === undefined;
  const isNull = typed === null || (typed === undefined && isUntouchedNull);
  const value = isNull ? null : (typed ?? (row ? editableText(current, column) : null));
  const placeholder = isNull
    ? "null"
    : row
      ? undefined
      : generated
        ? "Set by the database"
        : nullable
          ? "null"
          : undefined;
  const isMarked = row ? !nullable : isRequired(column);
  return (
    <div class="field row-value-field">
      <div class="value-head">
        <label for={id} class="field-label">
          <bdi>{name}</bdi>
        </label>
        <span class="field-hint code">{type}</span>
        {isMarked && <span class="badge">Required</span>}
        <span class="grow" />
        {nullable && (
          <label class="check">
            <input
              type="checkbox"
              aria-label={`Null: ${name}`}
              checked={isNull}
              onChange={(event) => onChange(event.currentTarget.checked ? null : "")}
            />
            <span>Null</span>
          </label>
        )}
      </div>
      <ValueInput
        editor={editor}
        type={type}
        value={value}
        onInput={onChange}
        control={{
          id,
          class: "input code",
          spellcheck: false,
          "aria-invalid": error !== null,
          "aria-required": isMarked,
          ...((error !== null || description !== undefined) && { "aria-describedby": `${id}-about` }),
          ...(placeholder !== undefined && { placeholder }),
        }}
      />
      {(error !== null || description !== undefined) && (
        <div id={`${id}-about`} class={error === null ? "field-hint" : "field-error"}>
          <bdi>{error ?? description}</bdi>
        </div>
      )}
    </div>
  );
}

interface DeleteRowsProps {
  readonly location: TableLocation;
  readonly info: TableInfo;
  /** At least one row. */
  readonly rows: readonly Row[];
  /** @param isChanged true if the rows were deleted */
  readonly onClose: (isChanged: boolean) => void;
}

/** Maximum number of listed rows. */
const maxListed = 10;

export function DeleteRows({ location, info, rows, onClose }: DeleteRowsProps) {
  const isOne = rows.length === 1;
  const {
    isBusy,
    error,
    submit: remove,
  } = useSubmission(async () => {
    const { affected_rows: count } = await deleteRows(location, whereKeys(rows, info));
    notify(count === 1 ? "Deleted the row" : `Deleted ${count.toLocaleString()} rows`);
    onClose(true);
  });
  return (
    <Dialog
      title={isOne ? "Delete row?" : `Delete ${rows.length.toLocaleString()} rows?`}
      onClose={() => onClose(false)}
      footer={
        <>
          <Button onClick={() => onClose(false)}>Cancel</Button>
          <Button kind="danger" busy={isBusy} onClick={() => void remove()}>
            Delete
          </Button>
        </>
      }
    >
      <p>
        {isOne ? "This row is" : "These rows are"} deleted from <bdi>{location.table.name}</bdi>:
      </p>
      <ul class="deleted-rows">
        {rows.slice(0, maxListed).map((row) => (
          <li key={JSON.stringify(keyColumns(info).map((name) => row[name]))}>
            <RowSummary row={row} info={info} />
          </li>
        ))}
      </ul>
      {rows.length > maxListed && <p class="muted">{`and ${(rows.length - maxListed).toLocaleString()} more`}</p>}
      <p class="muted">This cannot be undone.</p>
      {error !== null && <ErrorBox error={error} />}
    </Dialog>
  );
}

/** Maximum number of columns, beyond the primary key, that describe a row. */
const maxDescribing = 3;

function RowSummary({ row, info }: { readonly row: Row; readonly info: TableInfo }) {
  const keys = keyColumns(info);
  const others = info.columns
    .map(({ name }) => name)
    .filter((name) => !keys.includes(name) && row[name] !== null && row[name] !== undefined);
  return (
    <dl class="row-summary">
      {[...keys, ...others.slice(0, maxDescribing)].map((name) => (
        <div key={name}>
          <dt>
            <bdi>{name}</bdi>
          </dt>
          <dd>
            <bdi>{cellText(row[name])}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}
