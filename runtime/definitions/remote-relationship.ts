/** Relationships that leave their source (`automation.md` F), as generated modules declare them. */

import type { Alias, Column } from "./column.ts";
import type { ComputedValue } from "./function.ts";
import type { RemoteSchema } from "./remote/remote-schema.ts";
import type { ScalarType } from "./scalar-type.ts";
import { joinSql, type Sql, sql, verbatim } from "./sql.ts";
import { joinOn } from "./table.ts";
import { type Relationship, type TableView, toMany, toOne } from "./view.ts";

/** A value of the left side by which the other side is found. */
export interface JoinKey {
  /**
   * What definitions call it: a column or computed field of a table, a field of a remote type as the role calls it, a
   * member of what an action answers.
   */
  readonly name: string;
  /** Of a table: what holds it. The role need not be allowed to read it. */
  readonly value?: Column | ComputedValue;
}

export function joinKey(name: string, value?: JoinKey["value"]): JoinKey {
  return { name, ...(value && { value }) };
}

/** A key, and the column of the other table that it is compared with. */
export interface JoinColumn {
  readonly key: JoinKey;
  /** Quoted name. */
  readonly sql: string;
  readonly type: ScalarType;
}

export function joinColumn(key: JoinKey, sql: string, type: ScalarType): JoinColumn {
  return { key, sql, type };
}

/** Rows of a table in another source, or in the same one. */
export interface ToSource {
  readonly kind: "source";
  readonly keys: readonly JoinKey[];
  /** Of the columns that the keys are compared with, in their order. */
  readonly types: readonly ScalarType[];
  /** From a row that holds keys, in columns named by `keyColumn`, to the table. */
  readonly relationship: Relationship;
}

/** What a remote server answers. */
export interface ToRemoteSchema {
  readonly kind: "remote_schema";
  readonly keys: readonly JoinKey[];
  readonly remote: () => RemoteSchema;
  /** From a field of the query root to the one whose value is joined. */
  readonly path: readonly RemoteStep[];
  /** One call answers for all keys of a level; absent: there is a call for each. */
  readonly batch?: RemoteBatch;
  readonly description?: string;
}

/** How a call whose value is a list answers for all keys: the list of one element with keys takes those of all. */
export interface RemoteBatch {
  /** Of the items that belong to one key. */
  readonly relationship: "object" | "array";
  /** The fields of an item that hold the keys, in their order and the server's names; absent: items have the order of keys. */
  readonly match?: readonly string[];
  /** Of `_entities`: the type of the items, as the server calls it. */
  readonly entity?: string;
}

/** A field on the way, in the server's names. */
export interface RemoteStep {
  readonly field: string;
  /** JSON as in the metadata: `"$id"` stands for a key, anything else for itself. */
  readonly arguments: Readonly<Record<string, unknown>>;
}

export type RemoteRelationship = ToSource | ToRemoteSchema;

/** By the names of their fields. */
export type RemoteRelationships = Readonly<Record<string, RemoteRelationship>>;

/** What the column of a key is called among rows of keys, counted from 0. */
export const keyColumn = (index: number): Sql => verbatim(`k${index + 1}`);

/** One row of a table in another source, or none. */
export function toSourceRow(
  columns: readonly JoinColumn[],
  target: () => TableView,
  { unique = false }: { readonly unique?: boolean } = {},
): ToSource {
  return toSource(columns, toOne(joinOn(onKeys(columns), { unique }), target));
}

/** Rows of a table in another source. */
export function toSourceRows(
  columns: readonly JoinColumn[],
  target: () => TableView,
  options: { readonly aggregations?: boolean } = {},
): ToSource {
  return toSource(columns, toMany(joinOn(onKeys(columns), { unique: false }), target, options));
}

/** What a field of a remote server answers. */
export function toRemoteSchema(
  keys: readonly JoinKey[],
  remote: () => RemoteSchema,
  path: readonly RemoteStep[],
  batch?: RemoteBatch,
): ToRemoteSchema {
  return { kind: "remote_schema", keys, remote, path, ...(batch && { batch }) };
}

function toSource(columns: readonly JoinColumn[], relationship: Relationship): ToSource {
  return { kind: "source", keys: columns.map(({ key }) => key), types: columns.map(({ type }) => type), relationship };
}

function onKeys(columns: readonly JoinColumn[]): (from: Alias, to: Alias) => Sql {
  return (from, to) => {
    const equal = columns.map((column, i) => sql`${to}.${verbatim(column.sql)} = ${from}.${keyColumn(i)}`);
    return joinSql(equal, " and ");
  };
}
