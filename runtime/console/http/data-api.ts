/** Rows of tracked tables by the names of the database (`/v2/query`), and what a table is like. */

import { errorOf } from "./api-error.ts";
import { prefixOf } from "./metadata-api.ts";
import type { Json, JsonObject, QualifiedName } from "./metadata-types.ts";
import { exchange, send } from "./send.ts";

export interface TablePlace {
  readonly source: string;
  /** Of the source. */
  readonly kind: string;
  readonly table: QualifiedName;
}

export type Row = Readonly<Record<string, unknown>>;

export interface RowOrder {
  readonly column: string;
  readonly type: "asc" | "desc";
}

export interface RowQuery {
  readonly columns?: readonly string[];
  /** A filter as in permissions. */
  readonly where?: JsonObject;
  readonly order_by?: readonly RowOrder[];
  readonly limit?: number;
  readonly offset?: number;
}

async function dataOperation<T>({ source, kind, table }: TablePlace, operation: string, args: object): Promise<T> {
  const body = { type: `${prefixOf(kind)}_${operation}`, args: { source, table, ...args } };
  const { status, json } = await exchange("/v2/query", { body, exact: true });
  if (status !== 200) throw errorOf(status, json);
  return json as T;
}

/** @throws ApiError */
export const selectRows = (place: TablePlace, { columns = ["*"], ...query }: RowQuery): Promise<readonly Row[]> =>
  dataOperation(place, "select", { columns, ...query });

/** @throws ApiError */
export async function countRows(place: TablePlace, where: JsonObject): Promise<number> {
  const { count } = await dataOperation<{ readonly count: number }>(place, "count", { where });
  return count;
}

/** @throws ApiError */
export const insertRow = (place: TablePlace, row: Readonly<Record<string, Json>>): Promise<unknown> =>
  dataOperation(place, "insert", { objects: [row] });

/** @throws ApiError */
export const updateRow = (
  place: TablePlace,
  where: JsonObject,
  set: Readonly<Record<string, Json>>,
): Promise<unknown> => dataOperation(place, "update", { where, $set: set });

/** @throws ApiError */
export const deleteRows = (place: TablePlace, where: JsonObject): Promise<unknown> =>
  dataOperation(place, "delete", { where });

export interface ColumnInfo {
  readonly name: string;
  /** As the database calls it. */
  readonly type: string;
  readonly nullable: boolean;
  readonly insertable?: boolean;
  readonly updatable?: boolean;
  /** The database has a value where none is given. */
  readonly value_generated?: { readonly type: string };
  readonly description?: string;
}

export interface ForeignKey {
  readonly foreign_table: QualifiedName;
  readonly column_mapping: Readonly<Record<string, string>>;
}

export interface TableInfo {
  readonly type: string;
  readonly columns: readonly ColumnInfo[];
  readonly primary_key?: readonly string[];
  readonly foreign_keys?: Readonly<Record<string, ForeignKey>>;
  readonly insertable?: boolean;
  readonly updatable?: boolean;
  readonly deletable?: boolean;
}

/** @throws ApiError */
export const tableInfo = ({ source, kind, table }: TablePlace): Promise<TableInfo> =>
  send("/v1/metadata", { body: { type: `${prefixOf(kind)}_get_table_info`, args: { source, table } } });

/** All tables of the database, tracked or not. @throws ApiError */
export const sourceTables = (source: string, kind: string): Promise<readonly QualifiedName[]> =>
  send("/v1/metadata", { body: { type: `${prefixOf(kind)}_get_source_tables`, args: { source } } });
