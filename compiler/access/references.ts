/** References of conditions to select permissions of other tables: `_permitted`. */
import { canonicalJson } from "../../runtime/values/canonical-json.ts";
import type { Condition } from "../3-lower/ir.ts";
import { label } from "../3-lower/table-names.ts";

/**
 * Returns the tables whose select permissions both conditions refer to and whose own row filters differ, sorted: their
 * change changes the conditions.
 */
export function changedReferences(before: Condition | undefined, after: Condition | undefined): readonly string[] {
  const [from, to] = [filtersByTable(before), filtersByTable(after)];
  return [...from.keys()].filter((table) => to.has(table) && from.get(table) !== to.get(table)).sort();
}

/** Returns the row filters of the tables that a condition refers to, as text without the filters of further tables. */
function filtersByTable(condition: Condition | undefined): ReadonlyMap<string, string> {
  const filters = new Map<string, string[]>();
  const visit = (each: Condition): void => {
    if (each.kind === "exists" && each.permission !== undefined) {
      const table = label(each.permission);
      filters.set(table, [...(filters.get(table) ?? []), canonicalJson(withoutReferences(each.where))]);
    }
    for (const inner of innerOf(each)) visit(inner);
  };
  if (condition) visit(condition);
  return new Map(Array.from(filters, ([table, texts]) => [table, texts.sort().join()]));
}

function innerOf(condition: Condition): readonly Condition[] {
  switch (condition.kind) {
    case "all":
    case "any":
      return condition.items;
    case "not":
      return [condition.item];
    case "exists":
      return [condition.where];
    case "readable":
    case "test":
      return [];
  }
}

function withoutReferences(condition: Condition): Condition {
  switch (condition.kind) {
    case "all":
    case "any":
      return { ...condition, items: condition.items.map(withoutReferences) };
    case "not":
      return { ...condition, item: withoutReferences(condition.item) };
    case "exists":
      if (condition.permission !== undefined) return { kind: "all", items: [] };
      return { ...condition, where: withoutReferences(condition.where) };
    case "readable":
    case "test":
      return condition;
  }
}
