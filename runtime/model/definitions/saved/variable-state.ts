/** The part of a scalar variable that affects the plan; its value is a parameter. */

export type VariableState = "given" | "null" | "absent" | "true" | "false";

export function presenceState(value: unknown): "given" | "null" | "absent" {
  if (value === undefined) return "absent";
  return value === null ? "null" : "given";
}

/** Returns the state of a variable of `@include` or `@skip`, whose value determines the selection. */
export function valueState(value: unknown): VariableState {
  return typeof value === "boolean" ? `${value}` : presenceState(value);
}
