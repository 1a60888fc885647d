/** Column header: sorts on click, adds to the sort order with Shift, and has a handle for the width. */
import { useRef } from "preact/hooks";
import type { ColumnInfo, RowOrder } from "../../../http/data-api.ts";
import { Icon } from "../../../parts/icon.tsx";

interface HeaderCellProps {
  readonly column: ColumnInfo;
  /** Position in the grid, beginning with 1. */
  readonly index: number;
  readonly width: number;
  readonly sort: readonly RowOrder[];
  readonly onSort: (column: string, isAdded: boolean) => void;
  readonly onWidth: (column: string, width: number) => void;
}

const minWidth = 60;
const maxWidth = 1200;

export function HeaderCell({ column, index, width, sort, onSort, onWidth }: HeaderCellProps) {
  const { name, type } = column;
  const position = sort.findIndex((each) => each.column === name);
  const direction = sort[position]?.type;
  const words = direction === undefined ? "" : direction === "asc" ? ", ascending" : ", descending";
  return (
    <th
      scope="col"
      aria-colindex={index}
      class={column.value === "number" ? "end" : undefined}
      {...(direction && { "aria-sort": direction === "asc" ? "ascending" : "descending" })}
    >
      <button
        type="button"
        class="sort"
        title={`Sort by ${name} (${type}). With Shift, add it to the sort order.`}
        onClick={(event) => onSort(name, event.shiftKey)}
      >
        <bdi>{name}</bdi>
        {direction && <Icon name={direction === "asc" ? "up" : "down"} />}
        {direction && sort.length > 1 && <span class="sort-position">{position + 1}</span>}
        <span class="visually-hidden">{words}</span>
      </button>
      <WidthHandle width={width} onWidth={(next) => onWidth(name, next)} />
    </th>
  );
}

interface WidthHandleProps {
  readonly width: number;
  readonly onWidth: (width: number) => void;
}

/** For the mouse only: a row shown in full needs no width. */
function WidthHandle({ width, onWidth }: WidthHandleProps) {
  const begin = useRef<{ readonly x: number; readonly width: number } | null>(null);
  return (
    <span
      class="width-handle"
      aria-hidden="true"
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        begin.current = { x: event.clientX, width };
      }}
      onPointerMove={(event) => {
        const { x, width: before } = begin.current ?? {};
        if (x === undefined || before === undefined) return;
        onWidth(Math.max(minWidth, Math.min(maxWidth, before + event.clientX - x)));
      }}
      onPointerUp={() => {
        begin.current = null;
      }}
    />
  );
}
