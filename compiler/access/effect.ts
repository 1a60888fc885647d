/** What a change does to access. */
import type { Condition } from "../3-lower/ir.ts";
import { implies } from "./implies.ts";

export type Effect =
  /** More is allowed than before. */
  | "widens"
  /** Whether more is allowed cannot be told: somebody has to look. */
  | "may widen"
  | "narrows"
  | "none";

/** Of a change of the rows that are allowed, or of what has to hold. */
export function conditionEffect(before: Condition | undefined, after: Condition | undefined): Effect {
  const isNarrower = implies(after, before);
  const isWider = implies(before, after);
  if (isNarrower) return isWider ? "none" : "narrows";
  return isWider ? "widens" : "may widen";
}

/** Of a largest number; absent: there is none. */
export function limitEffect(before: number | undefined, after: number | undefined): Effect {
  const difference = (after ?? Number.POSITIVE_INFINITY) - (before ?? Number.POSITIVE_INFINITY);
  return difference > 0 ? "widens" : difference < 0 ? "narrows" : "none";
}

/** Of something that is allowed, or not any more. */
export const allowedEffect = (before: boolean, after: boolean): Effect =>
  before === after ? "none" : after ? "widens" : "narrows";

/** Of several changes in one. */
export function combined(effects: readonly Effect[]): Effect {
  const found = new Set(effects.filter((effect) => effect !== "none"));
  const [only = "none"] = found;
  return found.size > 1 ? "may widen" : only;
}
