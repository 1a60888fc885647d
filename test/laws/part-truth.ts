/**
 * The truth of a part of a row filter by its expression in the terms of the metadata, evaluated on plain rows. Inside a
 * relationship or `_exists`, a part is true if some row that it leads to meets it.
 */
import type { ExplainedPart } from "../../compiler/access/explanation.ts";
import type { Json } from "../../compiler/catalog/model.ts";
import {
  type Column,
  type ColumnOperator,
  columnOf,
  columnOperators,
  type Filter,
  type Operand,
  type Row,
  type Table,
  type Test,
  tableOf,
  type Viewpoint,
} from "./model.ts";
import { holds, relatedRows, type Truth } from "./naive-filter.ts";

/** A part of a filter, and the rows that it is about. */
export interface PartPlace {
  readonly viewpoint: Viewpoint;
  /** Operands of session variables, by name. */
  readonly operands: ReadonlyMap<string, unknown>;
  /** The table of the root: the filtered row, or a row that another permission filters. */
  readonly root: Table;
  readonly table: Table;
  /** Rows that the part leads to, each with its root. */
  readonly rows: readonly { readonly row: Row; readonly root: Row }[];
  /** True inside a relationship or `_exists`. */
  readonly isBelow: boolean;
}

export function truthOf({ expression }: ExplainedPart, place: PartPlace): Truth {
  const { viewpoint, table, rows, isBelow } = place;
  const filter = readFilter(expression, place);
  const truths = rows.map(({ row, root }) => holds(viewpoint, table, row, filter, "everything", root));
  return isBelow ? truths.includes(true) : (truths[0] ?? null);
}

/** Returns the place of the parts of a part. */
export function placeWithin({ expression }: ExplainedPart, place: PartPlace): PartPlace {
  const { viewpoint } = place;
  const [name, value] = onlyMember(expression);
  if (name === "_exists") {
    const { _table } = value as { readonly _table: { readonly name: string } };
    const table = tableOf(viewpoint.world, _table.name);
    const all = viewpoint.world.rows.get(table.name) ?? [];
    // Inside a relationship without rows, the part leads nowhere.
    const rows = place.rows.flatMap(({ root }) => all.map((row) => ({ row, root })));
    return { ...place, table, rows, isBelow: true };
  }
  if (name === "_permitted") {
    const { relationship } = value as { readonly relationship: string };
    const followed = place.table.relationships.find((each) => each.name === relationship);
    if (followed === undefined) throw new Error(`no relationship ${relationship}`);
    const table = tableOf(viewpoint.world, followed.target);
    const found = place.rows.flatMap(({ row }) => relatedRows(viewpoint, row, followed));
    return { ...place, root: table, table, rows: found.map((row) => ({ row, root: row })), isBelow: true };
  }
  const relationship = place.table.relationships.find((each) => each.name === name);
  if (relationship === undefined) return place;
  const rows = place.rows.flatMap(({ row, root }) =>
    relatedRows(viewpoint, row, relationship).map((other) => ({ row: other, root })),
  );
  return { ...place, table: tableOf(viewpoint.world, relationship.target), rows, isBelow: true };
}

const onlyMember = (expression: Json): readonly [string, unknown] =>
  Object.entries(Object(expression) as object)[0] ?? ["", undefined];

function readFilter(expression: Json, place: Pick<PartPlace, "viewpoint" | "operands" | "root" | "table">): Filter {
  const [name, value] = onlyMember(expression);
  const read = (inner: unknown, table = place.table): Filter => readFilter(inner as Json, { ...place, table });
  if (name === "") return { kind: "and", items: [] };
  if (name === "_and" || name === "_or") {
    return { kind: name === "_and" ? "and" : "or", items: (value as readonly Json[]).map((item) => read(item)) };
  }
  if (name === "_not") return { kind: "not", item: read(value) };
  const { world } = place.viewpoint;
  if (name === "_exists") {
    const { _table, _where } = value as { readonly _table: { readonly name: string }; readonly _where: Json };
    return { kind: "exists", table: _table.name, where: read(_where, tableOf(world, _table.name)) };
  }
  if (name === "_permitted") {
    const { relationship } = value as { readonly relationship: string };
    const followed = place.table.relationships.find((each) => each.name === relationship);
    if (followed === undefined) throw new Error(`no relationship ${relationship}`);
    return { kind: "permitted", relationship: followed };
  }
  const relationship = place.table.relationships.find((each) => each.name === name);
  if (relationship) return { kind: "related", relationship, where: read(value, tableOf(world, relationship.target)) };
  return readComparison(columnOf(place.table, name), value as object, place);
}

function readComparison(
  column: Column,
  comparison: object,
  { table, root, operands }: Pick<PartPlace, "table" | "root" | "operands">,
): Filter {
  const [operator, given] = Object.entries(comparison)[0] ?? ["", undefined];
  if ((columnOperators as readonly string[]).includes(operator)) {
    const ofRoot = Array.isArray(given);
    const other = columnOf(ofRoot ? root : table, ofRoot ? given[1] : given);
    return { kind: "columns", column, operator: operator as ColumnOperator, other, ofRoot };
  }
  return { kind: "column", column, tests: [readTest(column, operator, given, operands)] };
}

/** Operators inside a cast have a path, such as `_cast.String._like`. */
function readTest(column: Column, operator: string, given: unknown, operands: PartPlace["operands"]): Test {
  const { operators } = column.type;
  // The analysis has the SQL name of the type.
  if (operator === "_cast.text") return readTest(column, "_cast.String", given, operands);
  if (operator === "_is_null" || Object.hasOwn(operators, operator)) {
    return { operator, operand: operandOf(given, operands) };
  }
  const [next, inner] = typeof given === "object" ? onlyMember(given as Json) : [""];
  if (next === "") throw new Error(`${column.type.sql} has no operator ${operator}: ${Object.keys(operators).join()}`);
  return readTest(column, `${operator}.${next}`, inner, operands);
}

function operandOf(given: unknown, operands: PartPlace["operands"]): Operand {
  const isVariable = typeof given === "string" && operands.has(given);
  return isVariable
    ? { kind: "session", variable: given, value: operands.get(given) }
    : { kind: "value", value: given };
}

/** Yields the session variables of a filter with their operands. */
export function* operandsIn(filter: Filter): Iterable<readonly [string, unknown]> {
  switch (filter.kind) {
    case "and":
    case "or":
      for (const item of filter.items) yield* operandsIn(item);
      return;
    case "not":
      yield* operandsIn(filter.item);
      return;
    case "related":
    case "exists":
      yield* operandsIn(filter.where);
      return;
    case "column":
      for (const { operand } of filter.tests) if (operand.kind === "session") yield [operand.variable, operand.value];
      return;
    case "columns":
    case "permitted":
      return;
  }
}
