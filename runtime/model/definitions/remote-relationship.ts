/** Remote relationships in generated modules (`docs/how-to/remote-relationships.md`). */

import type { Alias } from "./column.ts";
import type {
  JoinKey,
  Relationship,
  RemoteBatch,
  RemoteSchema,
  RemoteStep,
  TableView,
  ToRemoteSchema,
  ToSource,
} from "./reachable.ts";
import { compared, type ScalarType } from "./scalar-type.ts";
import { joinSql, type Sql, sql, verbatim } from "./sql.ts";
import { joinOn } from "./table.ts";
import { toMany, toOne } from "./view.ts";

export type {
  JoinKey,
  RemoteBatch,
  RemoteRelationship,
  RemoteRelationships,
  RemoteStep,
  ToRemoteSchema,
  ToSource,
} from "./reachable.ts";

export function joinKey(name: string, value?: JoinKey["value"]): JoinKey {
  return { name, ...(value && { value }) };
}

/** A key, and the column of the other table that is compared with it. */
interface JoinColumn {
  readonly key: JoinKey;
  /** Quoted name. */
  readonly sql: string;
  readonly type: ScalarType;
}

export function joinColumn(key: JoinKey, sql: string, type: ScalarType): JoinColumn {
  return { key, sql, type };
}

/**
 * Returns the column name of a key in rows of keys.
 * @param index counted from 0
 */
export const keyColumn = (index: number): Sql => verbatim(`k${index + 1}`);

/** Declares an object relationship to a table in another source. */
export function toSourceRow(
  columns: readonly JoinColumn[],
  target: () => TableView,
  { unique = false }: { readonly unique?: boolean } = {},
): ToSource {
  return toSource(columns, toOne(joinOn(onKeys(columns), { unique }), target));
}

/** Declares an array relationship to a table in another source. */
export function toSourceRows(
  columns: readonly JoinColumn[],
  target: () => TableView,
  options: { readonly aggregations?: boolean } = {},
): ToSource {
  return toSource(columns, toMany(joinOn(onKeys(columns), { unique: false }), target, options));
}

/** Declares a relationship to a field of a remote schema. */
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

/** Returns the join condition. A relationship without columns joins all rows. */
function onKeys(columns: readonly JoinColumn[]): (from: Alias, to: Alias) => Sql {
  if (columns.length === 0) return () => sql`1 = 1`;
  return (from, to) => {
    const equal = columns.map((column, i) =>
      compared(sql`${to}.${verbatim(column.sql)}`, "=", sql`${from}.${keyColumn(i)}`, column.type),
    );
    return joinSql(equal, " and ");
  };
}
