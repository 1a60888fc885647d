/** Plans the data operations `select` and `count`. */

import type { Column } from "../../model/definitions/column.ts";
import type { Sql } from "../../model/definitions/sql.ts";
import type { Relationship, TableView } from "../../model/definitions/view.ts";
import type { Input } from "../../model/planner/request/input.ts";
import type { SelectedField, SelectedRows } from "../../model/planner/request/selected-field.ts";
import type { BuildContext } from "../../model/planner/select/context.ts";
import { selectAggregate, selectRows } from "../../model/planner/select/select.ts";
import type { InputMeta } from "../../model/schema/types.ts";
import type { DataColumn, DataCount, DataOrder, DataSelect, DataSelection } from "../../values/data-operation.ts";
import { EngineError, pathTo } from "../../values/errors.ts";
import { filterInput, scalarInput } from "./filter.ts";
import { starsOf } from "./measure.ts";
import { plainField } from "./response.ts";
import { columnNamed, columnsNamed, type DataContext, missingColumnMessage } from "./tables.ts";

/** Returns the SQL of the JSON list of rows. */
export function selectSql(operation: DataSelect, view: TableView, context: DataContext, build: BuildContext): Sql {
  return selectRows(view, rowsOf(view, operation, context, context.path), build);
}

/** Returns the SQL of the JSON object `{"aggregate": {"count": n}}`. */
export function countSql(operation: DataCount, view: TableView, context: DataContext, build: BuildContext): Sql {
  const args = new Map<string, Input>();
  const distinct = columnsNamed(context, view, operation.distinct ?? [], {
    columns: view.columns,
    verb: "select",
    at: ["distinct"],
  });
  if (distinct.length > 0) args.set(view.table.source.naming.field("distinct_on"), columnList(distinct, context.path));
  if (operation.where) args.set("where", filterInput(context, view, operation.where, pathTo(context.path, "where")));
  const { path } = context;
  const count = plainField("aggregate", { kind: "aggregate" }, path, [plainField("count", { kind: "count" }, path)]);
  return selectAggregate(view, { args, selection: [count], path }, build);
}

function columnList(columns: readonly Column[], path: string): Input {
  const items = columns.map(
    (column): Input => ({ kind: "enum", name: column.field, meta: { kind: "column", column }, path }),
  );
  return { kind: "list", items, path };
}

/** Selects the requested columns and arguments from a view. */
function rowsOf(view: TableView, selection: DataSelection, context: DataContext, path: string): SelectedRows {
  return {
    selection: columnFields(view, selection.columns, context, pathTo(path, "columns")),
    args: listArguments(view, selection, context, path),
    path,
  };
}

function columnFields(
  view: TableView,
  columns: readonly DataColumn[],
  context: DataContext,
  path: string,
): readonly SelectedField[] {
  const fields = new Map<string, SelectedField>();
  // Named columns override columns of stars, in any order.
  const explicit = columns
    .map((column, i) => ({ column, path: pathTo(path, i) }))
    .sort((a, b) => Number(isStar(b.column)) - Number(isStar(a.column)));
  for (const { column, path: at } of explicit) {
    for (const field of columnField(view, column, context, at)) fields.set(field.key, field);
  }
  return [...fields.values()];
}

const isStar = (column: DataColumn): column is string => starsOf(column) > 0;

function columnField(
  view: TableView,
  column: DataColumn,
  context: DataContext,
  path: string,
): readonly SelectedField[] {
  if (isStar(column)) return starFields(view, column, context, path);
  if (typeof column === "string") return [plainColumn(view, column, context, path)];
  const relationship = Object.hasOwn(view.relationships, column.name) ? view.relationships[column.name] : undefined;
  if (!relationship) {
    throw new EngineError("permission-denied", path, missingColumnMessage(context.role, "select", column.name));
  }
  return [relatedField(column.alias ?? column.name, relationship, column, context, path)];
}

function relatedField(
  key: string,
  relationship: Relationship,
  selection: DataSelection,
  context: DataContext,
  path: string,
): SelectedField {
  const rows = rowsOf(relationship.target(), selection, context, path);
  return { key, meta: { kind: "relationship", relationship }, ...rows };
}

/** Returns all columns; each further star adds one level of relationships. */
function starFields(view: TableView, star: string, context: DataContext, path: string): readonly SelectedField[] {
  const columns = view.columns.map((column) => columnOf(column, path));
  if (star === "*") return columns;
  const related = Object.entries(view.relationships).map(([name, relationship]) =>
    relatedField(name, relationship, { columns: [star.slice(2)] }, context, path),
  );
  return [...columns, ...related];
}

function plainColumn(view: TableView, name: string, { role }: DataContext, path: string): SelectedField {
  const column = columnNamed(view, view.columns, name);
  if (column) return columnOf(column, path);
  throw new EngineError("permission-denied", path, missingColumnMessage(role, "select", name));
}

/** Returns the field of a column under its database name. */
function columnOf(column: Column, path: string): SelectedField {
  return plainField(unquoted(column.sql), { kind: "column", column }, path);
}

const unquoted = (name: string): string => name.slice(1, -1).replaceAll('""', '"');

function listArguments(
  view: TableView,
  { where, order_by, limit, offset }: DataSelection,
  context: DataContext,
  path: string,
): ReadonlyMap<string, Input> {
  const args = new Map<string, Input>();
  if (where) args.set("where", filterInput(context, view, where, pathTo(path, "where")));
  if (order_by)
    args.set(view.table.source.naming.field("order_by"), orderInput(view, order_by, context, pathTo(path, "order_by")));
  for (const [name, value] of [
    ["limit", limit],
    ["offset", offset],
  ] as const) {
    if (value === undefined) continue;
    const at = pathTo(path, name);
    if (value < 0) throw new EngineError("not-supported", at, "unexpected negative value");
    args.set(name, scalarInput(value, at));
  }
  return args;
}

function orderInput(view: TableView, items: readonly DataOrder[], context: DataContext, path: string): Input {
  return {
    kind: "list",
    path,
    items: items.map((item, i) => orderItem(view, item.column.split("."), item, context, pathTo(path, i))),
  };
}

function orderItem(
  view: TableView,
  [name = "", ...others]: readonly string[],
  order: DataOrder,
  context: DataContext,
  path: string,
): Input {
  if (others.length === 0) {
    const column = columnNamed(view, view.columns, name);
    if (!column) {
      if (Object.hasOwn(view.relationships, name)) throw notOrderable(name, path);
      throw new EngineError("permission-denied", path, missingColumnMessage(context.role, "select", name));
    }
    return member(name, { kind: "column", column }, directionInput(view, order, path), path);
  }
  const relationship = Object.hasOwn(view.relationships, name) ? view.relationships[name] : undefined;
  if (!relationship)
    throw new EngineError("permission-denied", path, missingColumnMessage(context.role, "select", name));
  if (relationship.kind === "array") throw notOrderable(name, path);
  const inner = orderItem(relationship.target(), others, order, context, path);
  return member(name, { kind: "relationship", relationship }, inner, path);
}

function notOrderable(name: string, path: string): EngineError {
  return new EngineError(
    "unexpected-payload",
    path,
    `"${name}" is not a column; order_by takes columns and columns of object relationships`,
  );
}

function member(name: string, meta: InputMeta, value: Input, path: string): Input {
  return { kind: "object", members: [{ name, meta, value }], path };
}

function directionInput(view: TableView, { type = "asc", nulls }: DataOrder, path: string): Input {
  const name = nulls === undefined ? type : `${type}_nulls_${nulls}`;
  const direction = view.table.source.dialect.orderings.get(name);
  if (!direction) throw new Error(`invariant: no ordering ${name}`);
  return { kind: "enum", name, meta: { kind: "ordering", direction }, path };
}
