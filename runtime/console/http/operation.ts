/** Operations of the metadata API and the prefixes of their names. */

export interface Operation {
  /** Name of the operation, such as `pg_track_table`. */
  readonly type: string;
  readonly args: unknown;
}

const prefixes: Readonly<Record<string, string>> = { postgres: "pg" };

/** Returns the prefix of a source kind's operations: `pg` for `postgres`. */
export const prefixOf = (kind: string): string => prefixes[kind] ?? kind;
