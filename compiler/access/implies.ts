/** Conservative implication between conditions on rows. */

import { canonicalJson } from "../../runtime/values/canonical-json.ts";
import type { Condition } from "../3-lower/ir.ts";

/**
 * Returns true if every row that meets `narrow` provably meets `wide`; an absent condition holds for every row. Returns
 * false if the structure does not prove it: comparisons are compared as texts. Sound under SQL's three-valued logic: a
 * row passes only if its condition is true, and `and`, `or` and `exists` are monotonic in their operands; operands of
 * `not` must be equal.
 */
export function implies(narrow: Condition | undefined, wide: Condition | undefined): boolean {
  if (wide === undefined) return true;
  if (narrow === undefined) {
    if (wide.kind === "all") return wide.items.every((item) => implies(undefined, item));
    return wide.kind === "any" && wide.items.some((item) => implies(undefined, item));
  }
  if (isSame(narrow, wide)) return true;
  if (narrow.kind === "any") return narrow.items.every((item) => implies(item, wide));
  if (wide.kind === "all") return wide.items.every((item) => implies(narrow, item));
  if (narrow.kind === "all" && narrow.items.some((item) => implies(item, wide))) return true;
  if (wide.kind === "any" && wide.items.some((item) => implies(narrow, item))) return true;
  if (narrow.kind !== "exists" || wide.kind !== "exists") return false;
  return isSame(narrow.from, wide.from) && narrow.alias === wide.alias && implies(narrow.where, wide.where);
}

/** Returns the disjunction of the conditions; `undefined` if one of them holds for every row. */
export function anyOf(conditions: readonly (Condition | undefined)[]): Condition | undefined {
  const items: Condition[] = [];
  for (const condition of conditions) {
    if (condition === undefined) return undefined;
    items.push(condition);
  }
  return { kind: "any", items };
}

const isSame = (a: unknown, b: unknown): boolean => canonicalJson(a) === canonicalJson(b);
