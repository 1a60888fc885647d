/**
 * Native queries and stored procedures: what gives rows in place of a table (`graphql-api.md` 5.9). Declared in
 * generated modules.
 */
import type { ScalarType } from "./scalar-type.ts";
import type { Sql } from "./sql.ts";

export type NativeRows = NativeQuery | StoredProcedure | NestedModel;

interface Named {
  /** Of its root field: the stem of the name of its arguments' type. */
  readonly name: string;
  /** GraphQL base name of the object type. */
  readonly objectType: string;
}

/** A logical model of values inside of rows: what leads to them says where they are. */
interface NestedModel extends Named {
  readonly isNested: true;
  readonly arguments: readonly NativeArgument[];
}

export function nestedModel(name: string): NestedModel {
  return { name, objectType: name, isNested: true, arguments: [] };
}

/** SQL of the metadata. */
export interface NativeQuery extends Named {
  readonly arguments: readonly NativeArgument[];
  /** The query. @param values one for each argument, in their order */
  readonly rows: (...values: Sql[]) => Sql;
}

export interface StoredProcedure extends Named {
  /** Quoted name, with its schema. */
  readonly procedure: string;
  /** What it answers, in its order: quoted names, and types that hold every value. */
  readonly columns: readonly { readonly sql: string; readonly type: string }[];
  readonly arguments: readonly ProcedureArgument[];
}

export interface NativeArgument {
  readonly name: string;
  readonly type: ScalarType;
  /** Left out, it is NULL. */
  readonly nullable: boolean;
  readonly description?: string;
}

interface ProcedureArgument extends NativeArgument {
  /** Type of the variable that holds its value. */
  readonly variable: string;
}

interface ArgumentOptions {
  readonly nullable?: boolean;
  readonly description?: string;
}

type WithoutArguments<T extends { readonly arguments: unknown }> = Omit<T, "arguments"> & Partial<Pick<T, "arguments">>;

export function nativeQuery(definition: WithoutArguments<NativeQuery>): NativeQuery {
  return { arguments: [], ...definition };
}

export function storedProcedure(definition: WithoutArguments<StoredProcedure>): StoredProcedure {
  return { arguments: [], ...definition };
}

export function nativeArgument(name: string, type: ScalarType, options: ArgumentOptions = {}): NativeArgument {
  return { name, type, nullable: false, ...options };
}

export function procedureArgument(
  name: string,
  type: ScalarType,
  variable: string,
  options: ArgumentOptions = {},
): ProcedureArgument {
  return { ...nativeArgument(name, type, options), variable };
}
