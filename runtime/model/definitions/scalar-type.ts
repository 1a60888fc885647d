/** A column or argument type as requests see it: its GraphQL scalar, its cast, how values go in and out. */
import type { Encode, EncoderCode } from "./parameters.ts";
import { type Sql, sql, verbatim } from "./sql.ts";

export interface ScalarType {
  /** Name of the GraphQL scalar; of an array, that of its elements. */
  readonly graphql: string;
  /** The type as a cast names it. */
  readonly cast: string;
  /** The element type of an array. */
  readonly element?: ScalarType;
  /** Quoted schema of the operators and functions of a type that does not come with the database; absent: they are built in. */
  readonly operatorSchema?: string;
  /** Takes part in `sum`, `avg` and the statistics aggregates, and in `_inc`. */
  readonly numeric: boolean;
  /** Takes part in `min` and `max`. */
  readonly comparable: boolean;
  /** Names of the operators between two of its values that the database does not have; absent: it has all. */
  readonly lacks?: readonly string[];
  /** Casts a column to the type that operators find: a domain over an enum has none itself; absent: the type has them. */
  readonly comparedAs?: (value: Sql) => Sql;
  /** The database cannot sort its values, nor find those that are the same; absent: it can. */
  readonly unordered?: true;
  /** Takes the `path` argument. */
  readonly json: boolean;
  /** The values, of a column that refers to an enum table. */
  readonly enumeration?: EnumDefinition;
  /** An enum of the database: documents may write its values as GraphQL enum values. */
  readonly acceptsNames?: true;
  /** Lists of values are lists of texts, each made a value by `operand`: an array of the type has another form. */
  readonly listedAsTexts?: true;
  /** JSON value of a request → text for the database. */
  readonly encode: Encode;
  /** How generated code writes what has this `encode`; absent: it cannot, and plans that need it are made anew. */
  readonly code?: EncoderCode;
  /** The parameter as an operand: cast, or through a constructor function. */
  readonly operand: (parameter: Sql) => Sql;
  /**
   * A text that did not come as a parameter of its own, as a value of exactly this type, so that an index on a column
   * can be used; absent: `operand` gives that already, or it is not known.
   */
  readonly ofText?: (text: Sql) => ExactText;
  /** The text of a session variable as an operand, where that has a form of its own. */
  readonly sessionOperand?: (parameter: Sql) => Sql;
  /** The value as an output expression, where the database's own JSON rendering is not the one promised. */
  readonly output?: (value: Sql, options: OutputOptions) => Sql;
}

export interface ExactText {
  readonly value: Sql;
  /** Whether the type holds the whole text, without which no row has it; absent: it holds any. */
  readonly isWhole?: Sql;
}

/** An enum table, as a GraphQL enum (`graphql-api.md` 5.9). */
export interface EnumDefinition {
  /** Name of the GraphQL type: `colors_enum`. */
  readonly name: string;
  /** Names of the values, in the schema's order. */
  readonly values: ReadonlyMap<string, EnumTableValue>;
  /** A value as its name, where it is another. */
  readonly output?: (value: Sql) => Sql;
}

interface EnumTableValue {
  /** In the database. */
  readonly text: string;
  /** What the table says of it. */
  readonly description?: string;
}

export interface OutputOptions {
  /** `ENGINE_GRAPHQL_STRINGIFY_NUMERIC_TYPES` (`graphql-api.md` 3.3). */
  readonly stringifyNumbers: boolean;
}

/**
 * Returns the operator that compares two values by the rules of their type, as SQL writes it: `=`, or `operator(ext.=)`
 * where the type is not built in. A name alone would be looked up in the `search_path` of the session, which may find
 * the operator of a type that the value converts to. Values of two types are compared by the rules of what both convert to.
 */
export function operatorName(symbol: string, left: ScalarType, right: ScalarType = left): string {
  const schema = left.operatorSchema;
  return schema === undefined || schema !== right.operatorSchema ? symbol : `operator(${schema}.${symbol})`;
}

/** Compares two values of one type. */
export function compared(left: Sql, symbol: string, right: Sql, type: ScalarType): Sql {
  const { comparedAs = unchanged } = type;
  return sql`${comparedAs(left)} ${verbatim(operatorName(symbol, type))} ${comparedAs(right)}`;
}

const unchanged = (value: Sql): Sql => value;
