/** Client of the row operations of `/v2/query`, and of the operations that describe tables and sources. */

import { errorOf } from "./api-error.ts";
import { prefixOf, runOperation } from "./metadata-api.ts";
import type { ColumnOperator, Json, JsonObject, QualifiedName, ValueKind } from "./metadata-types.ts";
import { exchange } from "./send.ts";

export interface TableLocation {
  readonly source: string;
  /** Kind of the source, such as `postgres`. */
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
  /** Boolean expression, as in row filters. */
  readonly where?: JsonObject;
  readonly order_by?: readonly RowOrder[];
  readonly limit?: number;
  readonly offset?: number;
}

async function dataOperation<T>({ source, kind, table }: TableLocation, operation: string, args: object): Promise<T> {
  const body = { type: `${prefixOf(kind)}_${operation}`, args: { source, table, ...args } };
  const { status, json } = await exchange("/v2/query", { body, exact: true });
  if (status !== 200) throw errorOf(status, json);
  return json as T;
}

/** @throws ApiError */
export const selectRows = (location: TableLocation, { columns = ["*"], ...query }: RowQuery): Promise<readonly Row[]> =>
  dataOperation(location, "select", { columns, ...query });

/** @throws ApiError */
export async function countRows(location: TableLocation, where: JsonObject): Promise<number> {
  const { count } = await dataOperation<{ readonly count: number }>(location, "count", { where });
  return count;
}

/** @throws ApiError */
export const insertRow = (location: TableLocation, row: Readonly<Record<string, Json>>): Promise<unknown> =>
  dataOperation(location, "insert", { objects: [row] });

/** @throws ApiError */
export const updateRow = (
  location: TableLocation,
  where: JsonObject,
  set: Readonly<Record<string, Json>>,
): Promise<unknown> => dataOperation(location, "update", { where, $set: set });

/** @throws ApiError */
export const deleteRows = (location: TableLocation, where: JsonObject): Promise<unknown> =>
  dataOperation(location, "delete", { where });

export interface ColumnInfo {
  readonly name: string;
  /** SQL type. */
  readonly type: string;
  /** JSON type of the column's values. */
  readonly value: ValueKind;
  /** Operators that row filters may use on the column. */
  readonly operators: readonly ColumnOperator[];
  readonly nullable: boolean;
  readonly insertable?: boolean;
  readonly updatable?: boolean;
  /** Present if the database generates a value. */
  readonly value_generated?: { readonly type: string };
  readonly description?: string;
}

interface ForeignKey {
  readonly foreign_table: QualifiedName;
  readonly column_mapping: Readonly<Record<string, string>>;
}

export interface IndexInfo {
  readonly name: string;
  readonly unique: boolean;
  readonly primary: boolean;
  /** SQL definition. */
  readonly definition: string;
}

interface ConstraintInfo {
  readonly name: string;
  readonly type: string;
  readonly definition: string;
}

export interface TableInfo {
  /** `table`, `view`, `materialized_view`, `foreign_table`, `partitioned_table`. */
  readonly kind: string;
  readonly comment: string | null;
  readonly columns: readonly ColumnInfo[];
  readonly primary_key?: readonly string[];
  readonly foreign_keys?: Readonly<Record<string, ForeignKey>>;
  readonly insertable?: boolean;
  readonly updatable?: boolean;
  readonly deletable?: boolean;
  readonly indexes: readonly IndexInfo[];
  readonly constraints: readonly ConstraintInfo[];
  /** Query of a view; `null` for tables, or if the database hides it. */
  readonly view_definition: string | null;
}

/** Returns `null` if the database has no such table. @throws ApiError */
export const describeTable = ({ source, kind, table }: TableLocation): Promise<TableInfo | null> =>
  runOperation({ type: `${prefixOf(kind)}_describe_table`, args: { source, table } });

export interface DatabaseTable extends QualifiedName {
  /** As in `TableInfo`. */
  readonly kind: string;
}

export interface DatabaseFunction extends QualifiedName {
  readonly volatility: "immutable" | "stable" | "volatile";
  readonly comment: string | null;
  readonly arguments: readonly {
    readonly name: string | null;
    readonly type: string;
    readonly has_default: boolean;
    /** Set if the argument takes a row of a table. */
    readonly table: QualifiedName | null;
  }[];
  readonly returns: { readonly type: string; readonly set: boolean; readonly table: QualifiedName | null };
  /** Reasons that prevent tracking. If empty, the function can be tracked once the returned table is. */
  readonly problems: readonly string[];
}

/** Returns the tables and functions of a database, tracked or not. @throws ApiError */
export const describeSource = (
  source: string,
  kind: string,
): Promise<{ readonly tables: readonly DatabaseTable[]; readonly functions: readonly DatabaseFunction[] }> =>
  runOperation({ type: `${prefixOf(kind)}_describe_source`, args: { source } });
