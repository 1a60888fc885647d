/** Rows of tracked tables by the names of the database (`/v2/query`), and what a table is like. */

import { errorOf } from "./api-error.ts";
import { prefixOf, runOperation } from "./metadata-api.ts";
import type { Json, JsonObject, QualifiedName } from "./metadata-types.ts";
import { exchange } from "./send.ts";

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

interface ForeignKey {
  readonly foreign_table: QualifiedName;
  readonly column_mapping: Readonly<Record<string, string>>;
}

export interface IndexInfo {
  readonly name: string;
  readonly unique: boolean;
  readonly primary: boolean;
  /** As the database writes it. */
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
  /** The query of a view, where the database shows it. */
  readonly view_definition: string | null;
}

/** @returns `null`: the database has no such table. @throws ApiError */
export const describeTable = ({ source, kind, table }: TablePlace): Promise<TableInfo | null> =>
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
    /** Whose rows it takes. */
    readonly table: QualifiedName | null;
  }[];
  readonly returns: { readonly type: string; readonly set: boolean; readonly table: QualifiedName | null };
  /** Why it cannot be tracked; none: it can, where its table is. */
  readonly problems: readonly string[];
}

/** What the database holds, tracked or not. @throws ApiError */
export const describeSource = (
  source: string,
  kind: string,
): Promise<{ readonly tables: readonly DatabaseTable[]; readonly functions: readonly DatabaseFunction[] }> =>
  runOperation({ type: `${prefixOf(kind)}_describe_source`, args: { source } });
