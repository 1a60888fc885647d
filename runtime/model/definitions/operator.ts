/**
 * Comparison operators: one row is the operator. Validation, SDL, OpenAPI, permissions and SQL all read it.
 */
import type { ScalarType } from "./scalar-type.ts";
import type { Sql } from "./sql.ts";

interface Named {
  readonly name: string;
  readonly description?: string;
}

/** `left op right`; the operand is a value, or a list that travels as one array parameter. */
export interface CompareOperator extends Named {
  readonly kind: "compare";
  readonly operand: ScalarType;
  /** The operand is a list of values of the operand's element type. */
  readonly list: boolean;
  /** The operand is a pattern, which costs many times what another comparison does. */
  readonly isPattern?: true;
  readonly sql: (left: Sql, right: Sql) => Sql;
  /** Name of the operator in the database, which a type that is not built in may lack; absent: it is a function. */
  readonly operator?: string;
}

/** A boolean that decides between two conditions, and so is part of the plan's shape. */
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

/** An operator with several operands, given as one input object: `_st_d_within: {distance, from}`. */
export interface StructuredOperator extends Named {
  readonly kind: "structured";
  /** Type of the operand: `st_d_within_input`. */
  readonly inputType: string;
  readonly fields: Readonly<Record<string, OperatorField>>;
  /** @param operands one for each field, in their order; `undefined` where one is absent */
  readonly sql: (left: Sql, operands: readonly (Sql | undefined)[]) => Sql;
}

interface OperatorField {
  readonly type: ScalarType;
  readonly required: boolean;
  /** As a GraphQL literal. */
  readonly defaultValue?: string;
}

export type Operator = CompareOperator | FlagOperator | CastOperator | StructuredOperator;
