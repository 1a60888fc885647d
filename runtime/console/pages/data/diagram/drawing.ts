/**
 * Shapes of a diagram, for the page and for exported files. Colors are variables of the theme, because presentation
 * attributes work under the content security policy and in files.
 */
import { type Box, layoutOf, type Size } from "./layout.ts";
import type { DiagramColumn, DiagramEdge, DiagramTable } from "./model.ts";
import type { Selection } from "./selection.ts";

export interface Shape {
  readonly tag: "path" | "rect" | "text" | "title";
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly text?: string;
}

interface DrawnBox extends Box {
  /** With coordinates relative to the box. */
  readonly shapes: readonly Shape[];
}

export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly DrawnBox[];
  /** Shapes of each edge. */
  readonly edges: readonly (readonly Shape[])[];
}

/** Columns that boxes list. */
export type ColumnDetail = "all" | "keys" | "none";

/** @param focus key of the table whose neighbours are shown */
export function drawingOf({ tables, edges }: Selection, detail: ColumnDetail, focus: string | null): Drawing {
  const { width, height, boxes } = layoutOf(
    tables.map((table) => sizeOf(table, detail)),
    edges,
  );
  const byKey = new Map(tables.map((table) => [table.key, table]));
  const endOf = (key: string, column: string | undefined): End | undefined => {
    const [box, table] = [boxes.get(key), byKey.get(key)];
    return box && table && endOn(box, table, column, detail);
  };
  return {
    width,
    height,
    boxes: tables.flatMap((table) => {
      const box = boxes.get(table.key);
      return box ? [{ ...box, shapes: boxShapes(table, box, detail, table.key === focus) }] : [];
    }),
    edges: edges.flatMap((edge) => {
      const [from, to] = [endOf(edge.from, edge.fromColumn), endOf(edge.to, edge.toColumn)];
      return from && to ? [edgeShapes(edge, from, to)] : [];
    }),
  };
}

// Sizes of boxes.

const headerHeight = 28;
const columnHeight = 20;
const [minWidth, maxWidth] = [150, 320];

/** Number of columns that a box lists at most. */
const maxColumns = 40;

/** Width of a character in pixels, by font. */
const [nameWidth, codeWidth] = [8.8, 6.7];

/** Width of key marks and margins in pixels. */
const [markWidth, margin] = [26, 10];

function shownColumns({ columns }: DiagramTable, detail: ColumnDetail): readonly DiagramColumn[] {
  if (detail === "none") return [];
  const all = detail === "all" ? columns : columns.filter(({ isPrimary, isForeign }) => isPrimary || isForeign);
  return all.slice(0, maxColumns);
}

const omittedColumns = (table: DiagramTable, detail: ColumnDetail): number =>
  detail === "all" ? Math.max(0, table.columns.length - maxColumns) : 0;

function sizeOf(table: DiagramTable, detail: ColumnDetail): Size {
  const columns = shownColumns(table, detail);
  const rows = columns.length + (omittedColumns(table, detail) > 0 ? 1 : 0);
  const widest = Math.max(
    2 * margin + widthOf(table.label) * nameWidth,
    ...columns.map(({ name, type }) => 3 * margin + markWidth + (widthOf(name) + widthOf(type)) * codeWidth),
  );
  return {
    key: table.key,
    width: Math.ceil(Math.min(maxWidth, Math.max(minWidth, widest))),
    height: headerHeight + rows * columnHeight + (rows > 0 ? 6 : 0),
  };
}

/** Characters of these scripts are twice as wide. */
const wideCharacter = /[\u1100-\u115f\u2e80-\uffef\u{1f000}-\u{3ffff}]/u;

function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += wideCharacter.test(character) ? 2 : 1;
  return width;
}

function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let [shown, used] = ["", 1];
  for (const character of text) {
    used += widthOf(character);
    if (used > width) break;
    shown += character;
  }
  return `${shown}…`;
}

// Boxes, with coordinates relative to the box.

/** @param isFocus whether the diagram shows the neighbours of this table */
function boxShapes(
  table: DiagramTable,
  { width, height }: Pick<Box, "width" | "height">,
  detail: ColumnDetail,
  isFocus: boolean,
): readonly Shape[] {
  const outline = isFocus ? "var(--accent)" : "var(--line-strong)";
  return [
    { tag: "title", attributes: {}, text: `${table.schema}.${table.name}${table.isTracked ? "" : " (untracked)"}` },
    rect({ width, height, rx: 6, fill: "var(--surface)", stroke: outline, "stroke-width": isFocus ? 2.5 : 1 }),
    {
      tag: "path",
      attributes: {
        d: `M1 ${headerHeight}V7A6 6 0 0 1 7 1H${width - 7}A6 6 0 0 1 ${width - 1} 7V${headerHeight}Z`,
        fill: table.isTracked ? "var(--accent-soft)" : "var(--sunken)",
      },
    },
    label(cut(table.label, Math.floor((width - 2 * margin) / nameWidth)), {
      x: margin,
      y: headerHeight / 2,
      "font-weight": 600,
      fill: table.isTracked ? "var(--text)" : "var(--muted)",
    }),
    ...shownColumns(table, detail).flatMap((column, at) => columnShapes(column, width, rowCenter(at))),
    ...omittedShapes(table, detail),
  ];
}

const rowCenter = (index: number): number => headerHeight + 3 + index * columnHeight + columnHeight / 2;

function columnShapes(column: DiagramColumn, width: number, y: number): readonly Shape[] {
  const mark = column.isPrimary ? "PK" : column.isForeign ? "FK" : "";
  const space = Math.floor((width - 3 * margin - markWidth) / codeWidth + 0.01);
  const type = cut(column.type, Math.max(6, space - widthOf(column.name)));
  const name = cut(column.name, space - widthOf(type));
  const code = { "font-family": "var(--font-code)", "font-size": 11 };
  return [
    ...(mark === "" ? [] : [label(mark, { x: margin, y, "font-size": 10, fill: "var(--accent)" })]),
    label(name, {
      x: margin + markWidth,
      y,
      ...code,
      fill: "var(--text)",
      ...(column.isPrimary && { "font-weight": 600 }),
      ...(column.isNullable && { "font-style": "italic" }),
    }),
    label(type, { x: width - margin, y, ...code, "text-anchor": "end", fill: "var(--muted)" }),
  ];
}

function omittedShapes(table: DiagramTable, detail: ColumnDetail): readonly Shape[] {
  const omitted = omittedColumns(table, detail);
  if (omitted === 0) return [];
  const text = omitted === 1 ? "1 more column" : `${omitted} more columns`;
  return [label(text, { x: margin + markWidth, y: rowCenter(maxColumns), "font-size": 11, fill: "var(--muted)" })];
}

function label(text: string, attributes: Shape["attributes"]): Shape {
  return { tag: "text", attributes: { "dominant-baseline": "central", "font-size": 13, ...attributes }, text };
}

function rect(attributes: Shape["attributes"]): Shape {
  return { tag: "rect", attributes };
}

// Edges, in coordinates of the diagram.

/** End of an edge. */
interface End {
  readonly box: Box;
  /** Vertical position in the diagram. */
  readonly y: number;
}

function endOn(box: Box, table: DiagramTable, column: string | undefined, detail: ColumnDetail): End {
  const at = shownColumns(table, detail).findIndex(({ name }) => name === column);
  return { box, y: box.y + (at < 0 ? headerHeight / 2 : rowCenter(at)) };
}

/** Length of the marks at the ends of an edge. */
const markLength = 12;

function edgeShapes(edge: DiagramEdge, from: End, to: End): readonly Shape[] {
  const [start, end] = sidesOf(from.box, to.box);
  const [startX, endX] = [sideOf(from.box, start), sideOf(to.box, end)];
  const bend = Math.max(40, Math.min(160, Math.abs(endX - startX) / 2));
  const line = `M${startX} ${from.y}C${startX + start * bend} ${from.y} ${endX + end * bend} ${to.y} ${endX} ${to.y}`;
  const marks = endMark(edge.fromEnd, startX, from.y, start) + endMark(edge.toEnd, endX, to.y, end);
  const names = edge.relationships.length === 0 ? "" : `\nRelationships: ${edge.relationships.join(", ")}`;
  const stroke = edge.relationships.length > 0 ? "var(--accent)" : "var(--line-strong)";
  const shared = { fill: "none", stroke, "stroke-width": 1.4 };
  const dashes = edge.kind === "manual" ? { "stroke-dasharray": "5 4" } : {};
  return [
    { tag: "title", attributes: {}, text: `${edge.about}${names}` },
    // A wide invisible line, so that a pointer finds the tooltip.
    { tag: "path", attributes: { d: line, fill: "none", stroke: "transparent", "stroke-width": 10 } },
    { tag: "path", attributes: { d: line, ...shared, ...dashes } },
    { tag: "path", attributes: { d: marks, ...shared } },
    ...(edge.kind === "many-to-many" ? [middleLabel(edge.about, [startX, endX, start, end, bend], from.y, to.y)] : []),
  ];
}

/** Returns the directions in which an edge leaves its boxes: 1 for right, -1 for left. */
function sidesOf(from: Box, to: Box): readonly [number, number] {
  if (from.x >= to.x + to.width) return [-1, 1];
  if (to.x >= from.x + from.width) return [1, -1];
  return [1, 1];
}

const sideOf = ({ x, width }: Box, side: number): number => (side > 0 ? x + width : x);

/** Draws a crow's foot for many, a bar for one. */
function endMark(end: DiagramEdge["fromEnd"], x: number, y: number, side: number): string {
  if (end === "one") return `M${x + side * 8} ${y - 5}v10`;
  return `M${x} ${y - 5}L${x + side * markLength} ${y}L${x} ${y + 5}`;
}

function middleLabel(text: string, line: readonly number[], fromY: number, toY: number): Shape {
  const [startX = 0, endX = 0, start = 0, end = 0, bend = 0] = line;
  const x = (startX + endX) / 2 + (3 * bend * (start + end)) / 8;
  const attributes = { x, y: (fromY + toY) / 2 - 7, "text-anchor": "middle", "font-size": 11, fill: "var(--muted)" };
  return label(cut(text, 40), attributes);
}
