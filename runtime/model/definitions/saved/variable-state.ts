/** What of a scalar variable a plan depends on; its value is a parameter. */

export type VariableState = "given" | "null" | "absent" | "true" | "false";

export function presenceState(value: unknown): "given" | "null" | "absent" {
  if (value === undefined) return "absent";
  return value === null ? "null" : "given";
}

/** Of a variable of `@include` or `@skip`, whose value decides what is selected. */
export function valueState(value: unknown): VariableState {
  return typeof value === "boolean" ? `${value}` : presenceState(value);
}
