/**
 * Grid of rows. Arrow keys move between cells, Enter edits, Space shows the row in full, and pasted
 * cells become new rows. Only visible rows, and the
 * visible columns of wide tables, are in the document.
 */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ColumnInfo, Row, RowOrder, TableInfo, TableLocation } from "../../../http/data-api.ts";
import type { Json } from "../../../http/metadata-types.ts";
import { IconButton } from "../../../parts/button.tsx";
import { useVisibleColumns } from "../../../parts/data-table.tsx";
import { useVirtualRows } from "../../../parts/virtual-rows.ts";
import { CellEditor, type Move } from "./cell-editor.tsx";
import { CellValue, clipboardText } from "./cell-value.tsx";
import { type Editors, editorOfType } from "./editors.ts";
import { HeaderCell } from "./header-cell.tsx";
import type { PendingEdits, RowEdits } from "./pending-edits.ts";
import { keyText, type Typed } from "./row-values.ts";

/** Position of a cell: index of the row on the page, and of the column among the shown ones. */
export interface Cell {
  readonly row: number;
  readonly column: number;
}

interface GridColumn {
  readonly info: ColumnInfo;
  /** In pixels. */
  readonly width: number;
}

interface RowsGridProps {
  readonly location: TableLocation;
  readonly info: TableInfo;
  readonly editors: Editors;
  readonly columns: readonly GridColumn[];
  readonly rows: readonly Row[];
  readonly sort: readonly RowOrder[];
  readonly isEditable: boolean;
  /** Keys of selected rows, as of `keyText`. */
  readonly selected: ReadonlyMap<string, Row>;
  /** Edits that are not saved yet. */
  readonly pending: PendingEdits;
  readonly active: Cell | null;
  readonly empty: ComponentChildren;
  readonly onSort: (column: string, isAdded: boolean) => void;
  readonly onWidth: (column: string, width: number) => void;
  readonly onSelect: (rows: readonly Row[], isSelected: boolean) => void;
  readonly onActive: (cell: Cell) => void;
  /** @throws Error if the value is not saved */
  readonly onSave: (row: number, column: string, value: Json) => Promise<void>;
  readonly onShow: (cell: Cell) => void;
  readonly onEdit: (row: Row) => void;
  readonly onDelete: (row: Row) => void;
  /** Receives several cells from the clipboard; absent if no rows can be inserted. */
  readonly onPaste?: ((cells: string) => void) | undefined;
}

const rowHeight = 32;
const leadingWidth = 128;

/** Rows that Page Up and Page Down move by. */
const rowsOfPage = 15;

interface Editing extends Cell {
  readonly seed: Typed;
}

export function RowsGrid(props: RowsGridProps) {
  const { location, info, editors, columns, rows, sort, isEditable, selected, pending, active, empty } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const wantsFocus = useRef(false);
  const [editing, setEditing] = useState<Editing | null>(null);
  const { height, rows: visibleRows, scrollTo } = useVirtualRows({ count: rows.length, rowHeight, scroller });
  const before = visibleRows[0]?.start ?? 0;
  const after = height - before - visibleRows.length * rowHeight;
  const widths = columns.map(({ width }) => width);
  const visible = useVisibleColumns(widths, scroller);
  const shown = columns.slice(visible.from, visible.to);
  const hasKey = (info.primary_key ?? []).length > 0;
  const canWrite = isEditable && hasKey;
  const current = active && active.row < rows.length ? active : { row: 0, column: 0 };
  // Runs after each rendering, because a cell outside the viewport exists only after scrolling to it.
  useLayoutEffect(() => {
    if (!wantsFocus.current || editing) return;
    const cell = scroller.current?.querySelector<HTMLElement>(`[data-cell="${current.row} ${current.column}"]`);
    if (!cell) return;
    wantsFocus.current = false;
    cell.focus({ preventScroll: true });
    cell.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
  const moveTo = (row: number, column: number): void => {
    const next = { row: clamped(row, rows.length), column: clamped(column, columns.length) };
    wantsFocus.current = true;
    scrollTo(next.row);
    if (next.column < visible.from || next.column >= visible.to) {
      scroller.current?.scrollTo({ left: widths.slice(0, next.column).reduce((sum, width) => sum + width, 0) });
    }
    props.onActive(next);
  };
  const isCellEditable = ({ row, column }: Cell): boolean => {
    const name = columns[column]?.info.name ?? "";
    return canWrite && columns[column]?.info.updatable !== false && rows[row]?.[name] !== undefined;
  };
  const edit = (cell: Cell, seed: Typed): void => {
    if (isCellEditable(cell)) setEditing({ ...cell, seed });
    else props.onShow(cell);
  };
  const close = ({ row, column }: Cell, move: Move | null): void => {
    // Another cell may be open already if this one saved because it lost the focus.
    setEditing((now) => (now?.row === row && now.column === column ? null : now));
    if (move === "stay") return;
    moveTo(move === "down" ? row + 1 : row, column + (move === "next" ? 1 : move === "previous" ? -1 : 0));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // Keys of buttons, links and editors inside the cells are theirs.
    if (editing || !(event.target instanceof HTMLElement) || !event.target.dataset.cell) return;
    const step = steps[event.key];
    const { row, column } = current;
    const name = columns[column]?.info.name ?? "";
    if (step && !event.altKey && !event.metaKey) moveTo(...step(current, rows.length, columns.length, event.ctrlKey));
    else if (event.key === "Enter" || event.key === "F2") edit(current, undefined);
    else if (event.key === " ") props.onShow(current);
    else if (event.key === "Delete" && isCellEditable(current) && columns[column]?.info.nullable) edit(current, null);
    else if ((event.ctrlKey || event.metaKey) && event.key === "c" && getSelection()?.isCollapsed !== false) {
      void navigator.clipboard?.writeText(clipboardText(rows[row]?.[name]));
    } else if (isPrintable(event) && isCellEditable(current)) edit(current, seedOf(event.key, editors.get(name)?.kind));
    else return;
    event.preventDefault();
  };
  const onPaste = (event: ClipboardEvent): void => {
    // Editors inside the cells paste themselves.
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (editing || !props.onPaste || !/[\t\n]./.test(text)) return;
    event.preventDefault();
    props.onPaste(text);
  };
  const isAll = rows.length > 0 && rows.every((row) => selected.has(keyText(row, info) ?? ""));
  const width = leadingWidth + widths.reduce((sum, each) => sum + each, 0);
  return (
    <div class="data-table rows-grid" ref={scroller}>
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose cells take the focus is a grid
        role="grid"
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        aria-label={`Rows of ${location.table.name}`}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length + 1}
        style={{ width: "100%", minWidth: `${width}px` }}
      >
        <colgroup>
          <col style={{ width: `${leadingWidth}px` }} />
          {visible.before > 0 && <col style={{ width: `${visible.before}px` }} />}
          {shown.map(({ info: { name }, width: each }) => (
            <col key={name} style={{ width: `${each}px` }} />
          ))}
          {visible.after > 0 && <col style={{ width: `${visible.after}px` }} />}
        </colgroup>
        <thead>
          <tr>
            <th scope="col" class="leading" aria-colindex={1}>
              {hasKey && (
                <input
                  type="checkbox"
                  aria-label="Select all rows of the page"
                  checked={isAll}
                  onChange={(event) => props.onSelect(rows, event.currentTarget.checked)}
                />
              )}
              <span class="visually-hidden">Actions</span>
            </th>
            {visible.before > 0 && <td />}
            {shown.map(({ info: column, width: each }, at) => (
              <HeaderCell
                key={column.name}
                column={column}
                index={visible.from + at + 2}
                width={each}
                sort={sort}
                onSort={props.onSort}
                onWidth={props.onWidth}
              />
            ))}
            {visible.after > 0 && <td />}
          </tr>
        </thead>
        <tbody>
          {before > 0 && <tr class="space" style={{ height: `${before}px` }} />}
          {visibleRows.map(({ index }) => {
            const row = rows[index];
            if (row === undefined) return null;
            const key = keyText(row, info);
            const isSelected = key !== null && selected.has(key);
            const edits = key === null ? undefined : pending.get(key);
            const edited = edits ? { ...row, ...edits.values } : row;
            return (
              <tr
                key={key ?? index}
                aria-rowindex={index + 2}
                {...(hasKey && { "aria-selected": isSelected })}
                class={rowClass(isSelected, edits)}
              >
                <td class="leading" aria-colindex={1}>
                  <span class="row-actions">
                    {hasKey && (
                      <input
                        type="checkbox"
                        aria-label={`Select row ${index + 1}`}
                        checked={isSelected}
                        onChange={(event) => props.onSelect([row], event.currentTarget.checked)}
                      />
                    )}
                    <IconButton
                      icon="right"
                      label="Show row"
                      onClick={() => props.onShow({ row: index, column: current.column })}
                    />
                    {canWrite && info.updatable !== false && (
                      <IconButton icon="edit" label="Edit row" onClick={() => props.onEdit(row)} />
                    )}
                    {canWrite && info.deletable !== false && (
                      <IconButton icon="remove" label="Delete row" onClick={() => props.onDelete(row)} />
                    )}
                  </span>
                </td>
                {visible.before > 0 && <td />}
                {shown.map(({ info: column }, at) => {
                  const cell = { row: index, column: visible.from + at };
                  const isEditing = editing?.row === index && editing.column === cell.column;
                  const isActive = current.row === index && current.column === cell.column;
                  return (
                    <td
                      key={column.name}
                      aria-colindex={cell.column + 2}
                      data-cell={`${index} ${cell.column}`}
                      tabIndex={isActive ? 0 : -1}
                      class={cellClass(isEditing, column, edits)}
                      {...editedTitle(column, edits)}
                      {...(!isCellEditable(cell) && { "aria-readonly": true })}
                      onFocus={(event) => {
                        if (event.target === event.currentTarget && !isActive) props.onActive(cell);
                      }}
                      onDblClick={() => !isEditing && edit(cell, undefined)}
                    >
                      {isEditing && editing ? (
                        <CellEditor
                          column={column}
                          editor={editors.get(column.name) ?? editorOfType(column)}
                          value={edited[column.name]}
                          seed={editing.seed}
                          onSave={(value) => props.onSave(index, column.name, value)}
                          onClose={(move) => close(cell, move)}
                        />
                      ) : (
                        <CellValue
                          location={location}
                          info={info}
                          column={column}
                          row={edited}
                          onExpand={() => props.onShow(cell)}
                        />
                      )}
                    </td>
                  );
                })}
                {visible.after > 0 && <td />}
              </tr>
            );
          })}
          {after > 0 && <tr class="space" style={{ height: `${after}px` }} />}
        </tbody>
      </table>
      {rows.length === 0 && empty}
    </div>
  );
}

function cellClass(isEditing: boolean, { name, value, type }: ColumnInfo, edits?: RowEdits): string | undefined {
  if (isEditing) return "editing";
  const alignment = value === "number" && !type.endsWith("]") ? "end" : "";
  const mark = isEdited(name, edits) ? "edited" : "";
  return `${alignment} ${mark}`.trim() || undefined;
}

const rowClass = (isSelected: boolean, edits?: RowEdits): string | undefined =>
  `${isSelected ? "selected" : ""} ${edits?.refusal === undefined ? "" : "refused"}`.trim() || undefined;

const isEdited = (column: string, edits?: RowEdits): boolean =>
  edits !== undefined && Object.hasOwn(edits.values, column);

/** Names the loaded value of an edited cell. */
function editedTitle({ name }: ColumnInfo, edits?: RowEdits) {
  if (!edits || !isEdited(name, edits)) return {};
  const loaded = edits.row[name];
  const text = loaded === null ? "null" : clipboardText(loaded).slice(0, 200);
  const title = `Not saved. Loaded value: ${text}`;
  return { title, "aria-description": title };
}

const clamped = (index: number, count: number): number => Math.max(0, Math.min(count - 1, index));

type Step = (cell: Cell, rows: number, columns: number, isFar: boolean) => readonly [number, number];

const steps: Readonly<Record<string, Step>> = {
  ArrowDown: ({ row, column }, rows, _, isFar) => [isFar ? rows : row + 1, column],
  ArrowUp: ({ row, column }, _rows, _, isFar) => [isFar ? 0 : row - 1, column],
  ArrowRight: ({ row, column }, _, columns, isFar) => [row, isFar ? columns : column + 1],
  ArrowLeft: ({ row, column }, _, _columns, isFar) => [row, isFar ? 0 : column - 1],
  Home: ({ row }, _, _columns, isFar) => [isFar ? 0 : row, 0],
  End: ({ row }, rows, columns, isFar) => [isFar ? rows : row, columns],
  PageDown: ({ row, column }) => [row + rowsOfPage, column],
  PageUp: ({ row, column }) => [row - rowsOfPage, column],
};

const isPrintable = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key.length === 1 && !ctrlKey && !metaKey && !altKey;

/** Lists and dates are chosen, so a typed letter does not replace their value. */
const seedOf = (key: string, kind: string | undefined): Typed =>
  kind === "choice" || kind === "boolean" || kind === "date" ? undefined : key;
