/** Comparison operators: one row defines an operator for validation, SDL, OpenAPI, permissions and SQL. */
import type { ScalarType } from "./scalar-type.ts";
import type { Sql } from "./sql.ts";

interface Named {
  readonly name: string;
  readonly description?: string;
}

/** `left op right`; the operand is a value, or a list that is passed as one array parameter. */
export interface CompareOperator extends Named {
  readonly kind: "compare";
  readonly operand: ScalarType;
  /** The operand is a list of values of the operand's element type. */
  readonly list: boolean;
  /** The operand is a pattern, whose comparison costs much more than other comparisons. */
  readonly isPattern?: true;
  readonly sql: (left: Sql, right: Sql) => Sql;
  /** Name of the operator in the database, which user-defined types may lack; absent: it is a function. */
  readonly operator?: string;
}

/** A boolean that selects between two conditions, and is therefore part of the plan. */
export interface FlagOperator extends Named {
  readonly kind: "flag";
  readonly sql: (left: Sql, value: boolean) => Sql;
}

/** The operators of another type, after a cast: `_cast: {String: {…}}`. */
export interface CastOperator extends Named {
  readonly kind: "cast";
  /** Type of the operand: `jsonb_cast_exp`. */
  readonly inputType: string;
  readonly target: ScalarType;
  readonly sql: (left: Sql) => Sql;
}

/** An operator with several operands in one input object: `_st_d_within: {distance, from}`. */
export interface StructuredOperator extends Named {
  readonly kind: "structured";
  /** Type of the operand: `st_d_within_input`. */
  readonly inputType: string;
  readonly fields: Readonly<Record<string, OperatorField>>;
  /** @param operands one for each field, in order; `undefined` if absent */
  readonly sql: (left: Sql, operands: readonly (Sql | undefined)[]) => Sql;
}

interface OperatorField {
  readonly type: ScalarType;
  readonly required: boolean;
  /** A GraphQL literal. */
  readonly defaultValue?: string;
}

export type Operator = CompareOperator | FlagOperator | CastOperator | StructuredOperator;
