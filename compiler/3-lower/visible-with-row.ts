/**
 * Finds row filters that the parent row implies: order lines filtered by "orders of my customers" need no filter below
 * an order that is itself filtered by my customers.
 */
import type { AnalyzedRelationship, AnalyzedTable, Predicate } from "../2-analyze/analyzed-table.ts";
import { sameValue } from "./same-value.ts";

/**
 * Returns true if the row filter of `table` implies the row filter of a relationship's target: each conjunct of the
 * target's filter requires a row of `table` reached by the inverse relationship, and requires nothing of it that the
 * filter of `table` does not. The parent row is then such a row.
 *
 * Valid only for stored rows within one statement: not for results of functions, rows being written, or views, which
 * are evaluated each time. Returns false if the form of the filters is not recognised.
 */
export function isVisibleWithRow(
  table: AnalyzedTable,
  relationship: AnalyzedRelationship,
  target: AnalyzedTable,
  role: string,
): boolean {
  const select = table.select.get(role);
  const related = target.select.get(role);
  if (!select || !related || !tableKinds.has(table.shape.kind)) return false;
  const required = conjuncts(related.filter);
  const guaranteed = conjuncts(select.filter);
  return (
    required.length > 0 &&
    required.every(
      (part) =>
        part.kind === "related" &&
        part.relationship.target === table.key &&
        isInverse(part.relationship, relationship) &&
        !comparesRoot(part.where) &&
        conjuncts(part.where).every((inner) => guaranteed.some((one) => sameValue(one, inner))),
    )
  );
}

/** Relations whose rows do not change within a statement. */
const tableKinds: ReadonlySet<string> = new Set(["table", "partitioned_table"]);

function conjuncts(predicate: Predicate): readonly Predicate[] {
  return predicate.kind === "and" ? predicate.items.flatMap(conjuncts) : [predicate];
}

/** Returns true if every column pair of `inverse` is, reversed, a pair of `relationship`. */
function isInverse(inverse: AnalyzedRelationship, relationship: AnalyzedRelationship): boolean {
  return inverse.mapping.every(({ local, remote }) =>
    relationship.mapping.some((pair) => pair.local === remote && pair.remote === local),
  );
}

/** Returns true if a predicate compares with a column of the root row, which differs between the two permissions. */
function comparesRoot(predicate: Predicate): boolean {
  switch (predicate.kind) {
    case "and":
    case "or":
      return predicate.items.some(comparesRoot);
    case "not":
      return comparesRoot(predicate.item);
    case "related":
    case "computed_rows":
    case "exists":
      return comparesRoot(predicate.where);
    case "compare_columns":
      return predicate.right.of === "root";
    case "is_null":
    case "compare":
    case "compare_structured":
    case "crossSource":
      return false;
  }
}
