/** Native queries and stored procedures in generated modules: row sources other than tables. */
import type { ScalarType } from "./scalar-type.ts";
import type { Sql } from "./sql.ts";

export type NativeRows = NativeQuery | StoredProcedure | NestedModel;

interface Named {
  /** Name of its root field: prefix of the argument type's name. */
  readonly name: string;
  /** GraphQL base name of the object type. */
  readonly objectType: string;
}

/** A logical model nested in a row; the join contains its position. */
interface NestedModel extends Named {
  readonly isNested: true;
  readonly arguments: readonly NativeArgument[];
}

export function nestedModel(name: string): NestedModel {
  return { name, objectType: name, isNested: true, arguments: [] };
}

/** A query defined by SQL in the metadata. */
export interface NativeQuery extends Named {
  readonly arguments: readonly NativeArgument[];
  /**
   * Returns the query.
   * @param values one for each argument, in order
   */
  readonly rows: (...values: Sql[]) => Sql;
}

export interface StoredProcedure extends Named {
  /** Quoted name, with its schema. */
  readonly procedure: string;
  /** Its result columns in order: quoted names, and types that can store every value. */
  readonly columns: readonly { readonly sql: string; readonly type: string }[];
  readonly arguments: readonly ProcedureArgument[];
}

export interface NativeArgument {
  readonly name: string;
  readonly type: ScalarType;
  /** NULL if omitted. */
  readonly nullable: boolean;
  readonly description?: string;
}

interface ProcedureArgument extends NativeArgument {
  /** Type of the variable that contains its value. */
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
