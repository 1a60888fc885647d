/** Validated arguments, independent of the request's language; each part carries its meaning. */

import { kindOfValue } from "../../../values/describe-json.ts";
import { EngineError } from "../../../values/errors.ts";
import { type InputRows, sourceValue, type ValueSource } from "../../definitions/parameters.ts";
import type { EnumMeta, InputMeta } from "../../schema/types.ts";

/** Returns true if a member of an inserted row concerns rows of other tables, so that the row is written on its own. */
export const isOfOtherRows = ({ kind }: InputMeta): boolean => kind === "nested" || kind === "connects";

/** An argument's value; `path` is its location in the request. */
export type Input =
  | { readonly kind: "null"; readonly path: string }
  /** A scalar or a list of scalars, which is also one value. */
  | { readonly kind: "value"; readonly source: ValueSource; readonly path: string }
  | { readonly kind: "enum"; readonly name: string; readonly meta: EnumMeta; readonly path: string }
  | { readonly kind: "object"; readonly members: readonly InputMember[]; readonly path: string }
  | { readonly kind: "list"; readonly items: readonly Input[]; readonly path: string }
  | { readonly kind: "rows"; readonly runs: readonly InputRun[]; readonly path: string };

/** Inserted rows with the same keys, or a single row with nested rows. */
export interface InputRun {
  /** The first row. */
  readonly row: ObjectInput;
  /** All rows, once values are bound. */
  readonly rows: InputRows;
  /** Fixed number of rows; `undefined` if it depends on the request's values. */
  readonly count: number | undefined;
}

export type ObjectInput = Extract<Input, { kind: "object" }>;

export interface InputMember {
  readonly name: string;
  readonly meta: InputMeta;
  readonly value: Input;
}

/** Returns a boolean that determines the shape of a plan. */
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
