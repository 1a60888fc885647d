/**
 * A table whose rows, and columns where there are many, are drawn when they are in sight. Its columns have fixed widths,
 * so that scrolling moves nothing.
 */
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { useColumnsInSight } from "./columns-in-sight.ts";
import { useVirtualRows } from "./virtual-rows.ts";

export interface Column<Row> {
  readonly key: string;
  readonly title: ComponentChildren;
  /** In pixels; without one it takes what is left: with one for each, the table is as wide as they are. */
  readonly width?: number;
  readonly align?: "end";
  readonly cell: (row: Row, index: number) => ComponentChildren;
}

interface DataTableProps<Row> {
  /** What it shows, for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Absent: cells hold no state, so that scrolling may use the elements of other rows again, which is faster. */
  readonly keyOf?: (row: Row, index: number) => string | number;
  /** In place of rows, where there are none. */
  readonly empty?: ComponentChildren;
  readonly rowClass?: (row: Row) => string | undefined;
}

const rowHeight = 32;

export function DataTable<Row>({ label, columns, rows, keyOf, empty, rowClass }: DataTableProps<Row>) {
  const scroller = useRef<HTMLDivElement>(null);
  const { height, rows: inSight } = useVirtualRows({ count: rows.length, rowHeight, scroller });
  const before = inSight[0]?.start ?? 0;
  const after = height - before - inSight.length * rowHeight;
  const width = columns.reduce((sum, column) => sum + (column.width ?? 220), 0);
  const sight = useColumnsInSight(
    columns.map((column) => column.width),
    scroller,
  );
  const shown = columns.slice(sight.from, sight.to);
  const isFixed = columns.every((column) => column.width !== undefined);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section class="data-table" ref={scroller} tabIndex={0} aria-label={label}>
      <table
        style={{ minWidth: `${width}px`, width: isFixed ? `${width}px` : "100%" }}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length}
        aria-label={label}
      >
        <colgroup>
          {sight.before > 0 && <col style={{ width: `${sight.before}px` }} />}
          {shown.map((column) => (
            <col key={column.key} style={column.width === undefined ? {} : { width: `${column.width}px` }} />
          ))}
          {sight.after > 0 && <col style={{ width: `${sight.after}px` }} />}
        </colgroup>
        <thead>
          <tr>
            {sight.before > 0 && <td />}
            {shown.map((column, at) => (
              <th key={column.key} scope="col" aria-colindex={sight.from + at + 1} class={column.align}>
                {column.title}
              </th>
            ))}
            {sight.after > 0 && <td />}
          </tr>
        </thead>
        <tbody>
          <Space height={before} />
          {inSight.map(({ index }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <tr
                key={keyOf ? keyOf(row, index) : index % inSight.length}
                aria-rowindex={index + 2}
                class={rowClass?.(row)}
              >
                {sight.before > 0 && <td />}
                {shown.map((column, at) => (
                  <td key={column.key} aria-colindex={sight.from + at + 1} class={column.align}>
                    {column.cell(row, index)}
                  </td>
                ))}
                {sight.after > 0 && <td />}
              </tr>
            );
          })}
          <Space height={after} />
        </tbody>
      </table>
      {rows.length === 0 && empty}
    </section>
  );
}

/** Stands for rows that are out of sight. */
function Space({ height }: { readonly height: number }) {
  return height > 0 ? <tr class="space" style={{ height: `${height}px` }} /> : null;
}
