/** Whether one condition on rows is known to let no more pass than another. */
import type { Condition } from "../3-lower/ir.ts";
import { canonicalJson } from "../catalog/canonical.ts";

/**
 * Every row that passes `narrow` passes `wide`; absent ones let every row pass. False where that cannot be told from
 * their form: comparisons are looked at as texts. Sound with the three values of SQL, since a row passes when a condition is
 * true, and `and`, `or` and `exists` are true when enough of their parts are; what is below `not` has to be equal.
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

/** Rows that pass any of the conditions. */
export function anyOf(conditions: readonly (Condition | undefined)[]): Condition | undefined {
  const items: Condition[] = [];
  for (const condition of conditions) {
    if (condition === undefined) return undefined;
    items.push(condition);
  }
  return { kind: "any", items };
}

const isSame = (a: unknown, b: unknown): boolean => canonicalJson(a) === canonicalJson(b);
