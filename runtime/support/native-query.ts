/** Native queries: SQL of the metadata that takes the place of a table (`graphql-api.md` 5.9). Declared in generated modules. */
import type { ScalarType } from "./scalar-type.ts";
import type { Sql } from "./sql.ts";

export interface NativeQuery {
  /** Of its root field: the stem of the name of its arguments' type. */
  readonly name: string;
  /** GraphQL base name of the object type. */
  readonly objectType: string;
  readonly arguments: readonly NativeArgument[];
  /** The query. @param values one for each argument, in their order */
  readonly rows: (...values: Sql[]) => Sql;
}

export interface NativeArgument {
  readonly name: string;
  readonly type: ScalarType;
  /** Left out, it is NULL. */
  readonly nullable: boolean;
  readonly description?: string;
}

export function nativeQuery(
  definition: Omit<NativeQuery, "arguments"> & Partial<Pick<NativeQuery, "arguments">>,
): NativeQuery {
  return { arguments: [], ...definition };
}

export function nativeArgument(
  name: string,
  type: ScalarType,
  options: { readonly nullable?: boolean; readonly description?: string } = {},
): NativeArgument {
  return { name, type, nullable: false, ...options };
}
