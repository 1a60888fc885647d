/** Client of the row operations of `/v2/query`, and of the operations that describe tables and sources. */

import { errorOf } from "./api-error.ts";
import { hasRawNumbers } from "./json.ts";
import { prefixOf, runOperation } from "./metadata-api.ts";
import type { ColumnOperator, Json, JsonObject, QualifiedName, ValueKind } from "./metadata-types.ts";
import { exchange } from "./send.ts";

export interface TableLocation {
  readonly source: string;
  /** Kind of the source, such as `postgres`. */
  readonly kind: string;
  readonly table: QualifiedName;
  /** Session that reads rows; an administrator if absent. Only for PostgreSQL. */
  readonly session?: ReadingSession;
}

export interface ReadingSession {
  readonly role: string;
  /** Values of session variables by header name. */
  readonly variables: Readonly<Record<string, string>>;
}

/** A row: values by column. Numbers that JavaScript would round are raw values, or text in older browsers. */
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

async function dataOperation<T>(
  { source, kind, table, session }: TableLocation,
  operation: string,
  args: object,
  signal?: AbortSignal,
): Promise<T> {
  // Only `/v1/query` accepts roles other than admin, and it has no prefixed operations.
  const type = session ? operation : `${prefixOf(kind)}_${operation}`;
  const headers = session && { ...session.variables, "x-engine-role": session.role };
  const { status, json } = await exchange(session ? "/v1/query" : "/v2/query", {
    body: { type, args: { source, table, ...args } },
    exact: true,
    raw: hasRawNumbers,
    ...(headers && { headers }),
    ...(signal && { signal }),
  });
  if (status !== 200) throw errorOf(status, json);
  return json as T;
}

/** @throws ApiError */
export const selectRows = (
  location: TableLocation,
  { columns = ["*"], ...query }: RowQuery,
  signal?: AbortSignal,
): Promise<readonly Row[]> => dataOperation(location, "select", { columns, ...query }, signal);

/** @throws ApiError */
export async function countRows(location: TableLocation, where: JsonObject): Promise<number> {
  const { count } = await dataOperation<{ readonly count: number }>(location, "count", { where });
  return count;
}

export interface Written {
  readonly affected_rows: number;
  /** Only if columns were requested. */
  readonly returning?: readonly Row[];
}

/** Handling of inserted rows that violate a unique constraint. */
export interface OnConflict {
  readonly action: "ignore" | "update";
  readonly constraint_on?: readonly string[];
}

/** Inserts rows in one transaction. @throws ApiError */
export const insertRows = (
  location: TableLocation,
  rows: readonly Readonly<Record<string, Json>>[],
  { onConflict, signal }: { readonly onConflict?: OnConflict; readonly signal?: AbortSignal } = {},
): Promise<Written> =>
  dataOperation(location, "insert", { objects: rows, ...(onConflict && { on_conflict: onConflict }) }, signal);

/** @param returning columns of the changed rows to return @throws ApiError */
export const updateRows = (
  location: TableLocation,
  where: JsonObject,
  set: Readonly<Record<string, Json>>,
  returning: readonly string[] = [],
): Promise<Written> =>
  dataOperation(location, "update", { where, $set: set, ...(returning.length > 0 && { returning }) });

export interface RowUpdate {
  /** Condition that must match one row. */
  readonly where: JsonObject;
  readonly $set: Readonly<Record<string, Json>>;
}

/** Updates rows in one transaction, all or none. @throws ApiError whose path has the index of the refused update */
export const updateEachRow = (location: TableLocation, updates: readonly RowUpdate[]): Promise<Written> =>
  dataOperation(location, "update_rows", { updates });

/** @throws ApiError */
export const deleteRows = (location: TableLocation, where: JsonObject): Promise<Written> =>
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
  /** Values of a PostgreSQL enum. */
  readonly enum_values?: readonly string[];
}

export interface ForeignKey {
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
  /** By the statistics of the database; `null` if it has none. */
  readonly estimated_rows: number | null;
}

/** Returns `null` if the database has no such table. @throws ApiError */
export const describeTable = ({ source, kind, table }: TableLocation): Promise<TableInfo | null> =>
  runOperation({ type: `${prefixOf(kind)}_describe_table`, args: { source, table } });

export interface DatabaseTable extends QualifiedName {
  /** As in `TableInfo`. */
  readonly kind: string;
}

export interface TableOutline extends DatabaseTable {
  readonly columns: readonly Pick<ColumnInfo, "name" | "type" | "nullable">[];
  /** Empty without a primary key. */
  readonly primary_key: readonly string[];
  readonly unique_keys: readonly (readonly string[])[];
  readonly foreign_keys: readonly (ForeignKey & { readonly name: string })[];
}

/** Returns columns and keys of all tables of a database, tracked or not. @throws ApiError */
export const describeTables = (source: string, kind: string): Promise<readonly TableOutline[]> =>
  runOperation({ type: `${prefixOf(kind)}_describe_tables`, args: { source } });

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
