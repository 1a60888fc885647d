/**
 * Table that renders only visible rows and, if it has many columns, only visible columns. Column widths do not depend on the
 * rows, so that scrolling does not shift the layout. Columns of a table that is narrower than its card become wider.
 */
import type { ComponentChildren, RefObject } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { IconButton } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { useVirtualRows } from "./virtual-rows.ts";

export interface Column<Row> {
  readonly key: string;
  readonly title: ComponentChildren;
  /** Minimum width in pixels. A column without a width fills the remaining space. */
  readonly width?: number;
  readonly align?: "end";
  readonly cell: (row: Row, index: number) => ComponentChildren;
}

interface DataTableProps<Row> {
  /** Accessible name. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Omit this if cells hold no state: scrolling then reuses the elements of other rows, which is faster. */
  readonly keyOf?: (row: Row, index: number) => string | number;
  /** Shown if there are no rows. */
  readonly empty?: ComponentChildren;
  readonly rowClass?: (row: Row) => string | undefined;
  /** Makes rows open on a click and on Enter. */
  readonly opener?: RowOpener<Row>;
}

export interface RowOpener<Row> {
  /** Accessible name of the button in each row, such as `View event`. */
  readonly label: string;
  readonly open: (row: Row) => void;
}

const rowHeight = 32;

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, rows, keyOf, empty, rowClass, opener } = props;
  const columns = opener ? [openColumn(opener), ...props.columns] : props.columns;
  const scroller = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState<string | null>(null);
  const { height, rows: visibleRows } = useVirtualRows({ count: rows.length, rowHeight, scroller });
  const before = visibleRows[0]?.start ?? 0;
  const after = height - before - visibleRows.length * rowHeight;
  const width = columns.reduce((sum, column) => sum + (column.width ?? 220), 0);
  const visible = useVisibleColumns(
    columns.map((column) => column.width),
    scroller,
  );
  const shown = columns.slice(visible.from, visible.to);
  return (
    <section
      class="data-table"
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
      tabIndex={0}
      aria-label={label}
      onPointerOver={(event) => nameCutCell(event.target)}
      // The first click opens the row, if rows open.
      onDblClick={(event) => opener === undefined && setOpened(cutTextOf(event.target))}
    >
      <table
        style={{ minWidth: `${width}px` }}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length}
        aria-label={label}
      >
        <colgroup>
          {visible.before > 0 && <col style={{ width: `${visible.before}px` }} />}
          {shown.map((column) => (
            <col key={column.key} style={column.width === undefined ? {} : { width: `${column.width}px` }} />
          ))}
          {visible.after > 0 && <col style={{ width: `${visible.after}px` }} />}
        </colgroup>
        <thead>
          <tr>
            {visible.before > 0 && <td />}
            {shown.map((column, at) => (
              <th key={column.key} scope="col" aria-colindex={visible.from + at + 1} class={column.align}>
                {column.title}
              </th>
            ))}
            {visible.after > 0 && <td />}
          </tr>
        </thead>
        <tbody>
          <Space height={before} />
          {visibleRows.map(({ index }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <tr
                key={keyOf ? keyOf(row, index) : index % visibleRows.length}
                aria-rowindex={index + 2}
                class={rowClass?.(row)}
                {...(opener && openingProps(index === visibleRows[0]?.index, () => opener.open(row)))}
              >
                {visible.before > 0 && <td />}
                {shown.map((column, at) => (
                  <td key={column.key} aria-colindex={visible.from + at + 1} class={column.align}>
                    {column.cell(row, index)}
                  </td>
                ))}
                {visible.after > 0 && <td />}
              </tr>
            );
          })}
          <Space height={after} />
        </tbody>
      </table>
      {rows.length === 0 && empty}
      {opened !== null && (
        <Dialog title="Cell" onClose={() => setOpened(null)} isWide>
          <pre class="code-block cell-text">
            <bdi>{opened}</bdi>
          </pre>
        </Dialog>
      )}
    </section>
  );
}

// Rows that open. One of them is in the tab order; arrow keys move the focus to the others.

/** Returns the column with a button, which names the action to screen readers. */
const openColumn = <Row,>({ label, open }: RowOpener<Row>): Column<Row> => ({
  key: "open",
  title: <span class="visually-hidden">Details</span>,
  width: 52,
  cell: (row) => <IconButton icon="search" label={label} tabIndex={-1} onClick={() => open(row)} />,
});

const rowSteps: Readonly<Record<string, (row: Element) => Element | null>> = {
  ArrowDown: (row) => row.nextElementSibling,
  ArrowUp: (row) => row.previousElementSibling,
  Home: (row) => row.parentElement?.firstElementChild ?? null,
  End: (row) => row.parentElement?.lastElementChild ?? null,
};

function openingProps(isInTabOrder: boolean, open: () => void) {
  return {
    "data-opens": true,
    tabIndex: isInTabOrder ? 0 : -1,
    onClick: ({ target }: MouseEvent) => {
      const isControl = target instanceof Element && target.closest("a, button, input") !== null;
      // A selection of text ends with a click.
      if (!isControl && (document.getSelection()?.isCollapsed ?? true)) open();
    },
    onKeyDown: (event: KeyboardEvent) => {
      const row = event.currentTarget;
      if (event.target !== row || !(row instanceof HTMLElement)) return;
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        open();
        return;
      }
      const next = rowSteps[event.key]?.(row);
      if (!(next instanceof HTMLElement) || !("opens" in next.dataset)) return;
      event.preventDefault();
      next.focus();
    },
  };
}

// Text of cells that is cut off: a tooltip shows it, and a double click opens it in a dialog.

const cellOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>("td, th") : null;

/** Returns the text of a cell that is wider than its column; `null` for other cells. */
function cutTextOf(target: EventTarget | null): string | null {
  const cell = cellOf(target);
  return cell && cell.scrollWidth > cell.clientWidth ? cell.textContent : null;
}

/** Sets the tooltip on each hover, because elements are reused for other rows. */
function nameCutCell(target: EventTarget | null): void {
  const cell = cellOf(target);
  if (!cell) return;
  const text = cutTextOf(cell);
  if (text === null) cell.removeAttribute("title");
  else cell.title = text;
}

/** Renders a placeholder with the height of the rows outside the viewport. */
function Space({ height }: { readonly height: number }) {
  return height > 0 ? <tr class="space" style={{ height: `${height}px` }} /> : null;
}

// Virtualization of columns: only the visible columns of a wide table are in the document.

export interface VisibleColumns {
  /** Index of the first visible column. */
  readonly from: number;
  /** Index after the last visible column. */
  readonly to: number;
  /** Total width of the columns before and after, in pixels. */
  readonly before: number;
  readonly after: number;
}

/** Tables with at most this number of columns render all of them. */
const maxUnvirtualizedColumns = 16;

/** Width rendered beyond the viewport on each side, in pixels. */
const margin = 200;

/** Assumed width in pixels until the table is measured. */
const initialWidth = 1400;

interface Viewport {
  readonly left: number;
  readonly width: number;
}

/** @param widths column widths in pixels; `undefined` for a column that fills the remaining space */
export function useVisibleColumns(
  widths: readonly (number | undefined)[],
  scroller: RefObject<HTMLElement | null>,
): VisibleColumns {
  const isWide = widths.length > maxUnvirtualizedColumns && widths.every((width) => width !== undefined);
  const [{ left, width }, setViewport] = useState<Viewport>({ left: 0, width: initialWidth });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!isWide || !element) return;
    const measure = (): void => {
      // Rounded to steps, so that most scroll events cause no rendering.
      const next = { left: Math.floor(element.scrollLeft / margin) * margin, width: element.clientWidth + margin };
      setViewport((current) => (current.left === next.left && current.width === next.width ? current : next));
    };
    measure();
    element.addEventListener("scroll", measure, { passive: true });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => {
      element.removeEventListener("scroll", measure);
      observer.disconnect();
    };
  }, [isWide, scroller]);
  return useMemo(() => {
    const all = { from: 0, to: widths.length, before: 0, after: 0 };
    return isWide ? columnsBetween(widths, left - margin, left + width + margin) : all;
  }, [isWide, widths.join(), left, width]);
}

function columnsBetween(widths: readonly (number | undefined)[], start: number, end: number): VisibleColumns {
  let [from, to, before, after, position] = [widths.length, 0, 0, 0, 0];
  for (const [index, width = 0] of widths.entries()) {
    const next = position + width;
    if (next <= start) before += width;
    else if (position >= end) after += width;
    else {
      from = Math.min(from, index);
      to = index + 1;
    }
    position = next;
  }
  return { from: Math.min(from, to), to, before, after };
}
