/** Arguments as the planner takes them, whatever language they came in: checked, each part with what it means. */

import { kindOfValue } from "../../../values/describe-json.ts";
import { EngineError } from "../../../values/errors.ts";
import { type InputRows, sourceValue, type ValueSource } from "../../definitions/parameters.ts";
import type { EnumMeta, InputMeta } from "../../schema/types.ts";

/** Paths say where in the request it stands. */
export type Input =
  | { readonly kind: "null"; readonly path: string }
  /** A scalar, or a list of scalars, which is one value too. */
  | { readonly kind: "value"; readonly source: ValueSource; readonly path: string }
  | { readonly kind: "enum"; readonly name: string; readonly meta: EnumMeta; readonly path: string }
  | { readonly kind: "object"; readonly members: readonly InputMember[]; readonly path: string }
  | { readonly kind: "list"; readonly items: readonly Input[]; readonly path: string }
  | { readonly kind: "rows"; readonly runs: readonly InputRun[]; readonly path: string };

/** Rows to insert that have the same keys; one row alone, if it has nested rows. */
export interface InputRun {
  /** The first of them. */
  readonly row: ObjectInput;
  /** All of them, when values are bound. */
  readonly rows: InputRows;
  /** How many they are, whatever the values of a request are; `undefined`: as many as it gives. */
  readonly count: number | undefined;
}

export type ObjectInput = Extract<Input, { kind: "object" }>;

export interface InputMember {
  readonly name: string;
  readonly meta: InputMeta;
  readonly value: Input;
}

/** The boolean that decides the shape of a plan. */
export function booleanValue(
  input: Extract<Input, { kind: "value" }>,
  variables: Readonly<Record<string, unknown>>,
): boolean {
  const value = sourceValue(input.source, variables);
  if (typeof value === "boolean") return value;
  const found = kindOfValue(value, input.source.kind !== "variable");
  const message = `expected a boolean for type 'Boolean', but found ${found}`;
  throw new EngineError("validation-failed", input.path, message);
}
