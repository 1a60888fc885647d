/**
 * Keyset paging: a page begins after or before a row, by the values of its sort columns and its primary key, so that
 * page 10,000 is as fast as page 1.
 */
import type { Row, RowOrder, RowQuery, TableInfo } from "../../../http/data-api.ts";
import type { Json, JsonObject } from "../../../http/metadata-types.ts";
import { featuresOf } from "./database-features.ts";

/** The start of a page. `at` skips rows, which is slower than the others for a high offset. */
export type PageStart =
  | { readonly kind: "first" }
  | { readonly kind: "last" }
  | { readonly kind: "after" | "before"; readonly row: Row }
  | { readonly kind: "at"; readonly offset: number };

export interface Paging {
  /** Total order of the rows if the table has a primary key. */
  readonly order: readonly RowOrder[];
  /** False if rows have no total order, or a sort column has no order operators: pages then need an offset. */
  readonly isKeyset: boolean;
  /** Columns of `order` that can be null. */
  readonly nullable: ReadonlySet<string>;
  /** True if the database sorts null before other values in ascending order. */
  readonly isNullFirst: boolean;
}

/**
 * Orders by the sort columns, then by the primary key.
 * @param kind kind of the source, such as `postgres`
 */
export function pagingOf(info: TableInfo, kind: string, sort: readonly RowOrder[]): Paging {
  const { columns, primary_key: keys = [] } = info;
  const last = sort.at(-1)?.type ?? "asc";
  const sorted = new Set(sort.map(({ column }) => column));
  const order = [...sort, ...keys.filter((key) => !sorted.has(key)).map((column) => ({ column, type: last }))];
  const used = columns.filter(({ name }) => order.some(({ column }) => column === name));
  const isComparable = used.every(({ operators }) => operators.some(({ name }) => name === "_gt"));
  return {
    order,
    isKeyset: keys.length > 0 && isComparable,
    nullable: new Set(used.filter(({ nullable }) => nullable).map(({ name }) => name)),
    isNullFirst: featuresOf(kind).sortsNullFirst,
  };
}

export interface PageQuery {
  readonly query: RowQuery;
  /** True if the rows come in the opposite order. */
  readonly isReversed: boolean;
}

/** Returns the query of a page. */
export function pageQuery(paging: Paging, start: PageStart, where: JsonObject, limit: number): PageQuery {
  const isReversed = start.kind === "last" || start.kind === "before";
  const order = isReversed ? paging.order.map(opposite) : paging.order;
  const bound = start.kind === "after" || start.kind === "before" ? beyond(paging, order, start.row) : null;
  const query = {
    where: bound ? both(where, bound) : where,
    limit,
    ...(order.length > 0 && { order_by: order }),
    ...(start.kind === "at" && { offset: start.offset }),
  };
  return { query, isReversed };
}

const opposite = ({ column, type }: RowOrder): RowOrder => ({ column, type: type === "asc" ? "desc" : "asc" });

const both = (a: JsonObject, b: JsonObject): JsonObject => (Object.keys(a).length === 0 ? b : { _and: [a, b] });

/** Returns a condition for the rows after the row in the given order. */
function beyond(paging: Paging, order: readonly RowOrder[], row: Row): JsonObject {
  const choices = order.flatMap((each, index) => {
    const later = laterThan(paging, each, row[each.column] as Json);
    if (!later) return [];
    const equal = order.slice(0, index).map(({ column }) => equalTo(column, row[column] as Json));
    return [equal.length === 0 ? later : { _and: [...equal, later] }];
  });
  const [first] = order;
  // The redundant bound lets the database start at the row in an index instead of reading all rows before it.
  if (!first || order.length === 1 || paging.nullable.has(first.column)) return { _or: choices };
  const bound = { [first.column]: { [first.type === "asc" ? "_gte" : "_lte"]: row[first.column] as Json } };
  return { _and: [bound, { _or: choices }] };
}

const equalTo = (column: string, value: Json): JsonObject => ({
  [column]: value === null ? { _is_null: true } : { _eq: value },
});

/** Returns a condition for values that sort after the value; `null` if no value does. */
function laterThan({ nullable, isNullFirst }: Paging, { column, type }: RowOrder, value: Json): JsonObject | null {
  const isNullLast = (type === "asc") !== isNullFirst;
  if (value === null) return isNullLast ? null : { [column]: { _is_null: false } };
  const greater: JsonObject = { [column]: { [type === "asc" ? "_gt" : "_lt"]: value } };
  return isNullLast && nullable.has(column) ? { _or: [greater, { [column]: { _is_null: true } }] } : greater;
}
