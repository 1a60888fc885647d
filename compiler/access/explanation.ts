/** The parts of an explanation: checks of a request with their reasons, and row filters in the terms of the metadata. */
import type { Json } from "../catalog/model.ts";

/** A check of a request. `unknown`: the check depends on values that are not given. */
export interface Step {
  readonly check: Check;
  readonly result: StepResult;
  readonly reason: string;
  /** Remedy for a failed check, or existing names. */
  readonly hint?: string;
}

type StepResult = "passed" | "failed" | "unknown";

export type Check =
  | "role"
  | "permission"
  | "backend_only"
  | "columns"
  | "root_field"
  | "argument"
  | "session"
  | "row"
  | "rows"
  | "check"
  | "limit"
  | "allow_list"
  | "validation"
  | "request";

/** A part of a row filter. */
export interface ExplainedPart {
  /** The part as an expression of the metadata, with session variables in lower case. */
  readonly expression: Json;
  /** The parent role that has the filter, for the merged permissions of an inherited role. */
  readonly role?: string;
  /** Table whose select permission of the role the parts come from: `_permitted`. */
  readonly permission?: string;
  /** Parts of the expression; absent or empty for a comparison. */
  readonly parts?: readonly ExplainedPart[];
}

/** Returns true for a filter that every row passes. */
export const isEmptyFilter = ({ expression }: ExplainedPart): boolean => Object.keys(expression as object).length === 0;

export function missingVariablesStep(names: readonly string[]): Step {
  return failed("session", `the session lacks ${names.join(", ")}, which a permission compares with`);
}

export const passed = (check: Check, reason: string): Step => ({ check, result: "passed", reason });

export const unknown = (check: Check, reason: string): Step => ({ check, result: "unknown", reason });

export function failed(check: Check, reason: string, hint?: string): Step {
  return { check, result: "failed", reason, ...(hint !== undefined && { hint }) };
}
