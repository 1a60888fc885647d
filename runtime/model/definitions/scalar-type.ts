/** Type of a column or argument: its GraphQL scalar, its cast, and the conversion of values. */
import type { Encode, EncoderCode } from "./parameters.ts";
import { type Sql, sql, verbatim } from "./sql.ts";

export interface ScalarType {
  /** Name of the GraphQL scalar; for an array, the scalar of its elements. */
  readonly graphql: string;
  /** Name of the type in casts. */
  readonly cast: string;
  /** Element type of an array. */
  readonly element?: ScalarType;
  /** Quoted schema of a user-defined type's operators and functions; absent: they are built in. */
  readonly operatorSchema?: string;
  /** Supports `sum`, `avg`, the statistical aggregates, and `_inc`. */
  readonly numeric: boolean;
  /** Supports `min` and `max`. */
  readonly comparable: boolean;
  /** Operators that the database lacks between two values of the type; absent: none. */
  readonly lacks?: readonly string[];
  /**
   * Casts a column to a type with operators: a domain over an enum has no operators of its own; absent: no cast is
   * needed.
   */
  readonly comparedAs?: (value: Sql) => Sql;
  /** The database can neither sort the values nor compare them for equality. */
  readonly unordered?: true;
  /** Supports the `path` argument. */
  readonly json: boolean;
  /** JSON form of values in results; absent: text. */
  readonly form?: JsonForm;
  /** Numbers of the type are texts with `stringifyNumbers`. */
  readonly wide?: true;
  /** Values of a column that references an enum table. */
  readonly enumeration?: EnumDefinition;
  /** A database enum, whose values may be written as GraphQL enum values. */
  readonly acceptsNames?: true;
  /**
   * Lists of values are passed as lists of texts, each converted by `operand`, because arrays of the type have a
   * different form.
   */
  readonly listedAsTexts?: true;
  /** Converts a JSON value of a request to text for the database. */
  readonly encode: Encode;
  /** Form of `encode` in generated code; absent: there is none, and plans with it are not saved. */
  readonly code?: EncoderCode;
  /** Converts a parameter to an operand: with a cast, or with a constructor function. */
  readonly operand: (parameter: Sql) => Sql;
  /**
   * Converts a text that is not a parameter to exactly this type, so that an index on a column can be used; absent:
   * `operand` does so, or the conversion is not known.
   */
  readonly ofText?: (text: Sql) => ExactText;
  /** Converts the text of a session variable to an operand, if that differs from `operand`. */
  readonly sessionOperand?: (parameter: Sql) => Sql;
  /** Converts a value to an output expression, if the database's own JSON differs from the documented form. */
  readonly output?: (value: Sql, options: OutputOptions) => Sql;
}

export type JsonForm = "integer" | "number" | "boolean" | "uuid" | "any";

export interface ExactText {
  readonly value: Sql;
  /**
   * Condition that the type can represent the whole text; if it is false, no row matches. Absent: the type always can.
   */
  readonly isWhole?: Sql;
}

export interface EnumDefinition {
  /** Name of the GraphQL type: `colors_enum`. */
  readonly name: string;
  /** By name, in schema order. */
  readonly values: ReadonlyMap<string, EnumTableValue>;
  /** Converts a database value to its name, if they differ. */
  readonly output?: (value: Sql) => Sql;
}

interface EnumTableValue {
  /** Value in the database. */
  readonly text: string;
  /** Comment in the enum table. */
  readonly description?: string;
}

export interface OutputOptions {
  /** Value of `ENGINE_GRAPHQL_STRINGIFY_NUMERIC_TYPES`. */
  readonly stringifyNumbers: boolean;
}

/**
 * Returns the operator that compares two values by the rules of their type, in SQL: `=`, or `operator(ext.=)` for a
 * type that is not built in. A bare name would be resolved with the session's `search_path`, which may find the
 * operator of another type to which the value can be converted. Values of two types are compared by the rules of their
 * common type.
 */
export function operatorName(symbol: string, left: ScalarType, right: ScalarType = left): string {
  const schema = left.operatorSchema;
  return schema === undefined || schema !== right.operatorSchema ? symbol : `operator(${schema}.${symbol})`;
}

export function compared(left: Sql, symbol: string, right: Sql, type: ScalarType): Sql {
  const { comparedAs = unchanged } = type;
  return sql`${comparedAs(left)} ${verbatim(operatorName(symbol, type))} ${comparedAs(right)}`;
}

const unchanged = (value: Sql): Sql => value;
