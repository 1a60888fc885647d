/**
 * Permissions that follow from where a row is shown: order lines "of my customers' orders", shown below an order of my
 * customers, need not be asked whose they are once more.
 */
import type { AnalyzedRelationship, AnalyzedTable, Predicate } from "../2-analyze/analyzed-table.ts";
import { sameValue } from "./same-value.ts";

/**
 * Whether a role that may read a row of a table may read all rows that a relationship leads to, by what the two
 * permissions say: each part of the target's filter asks for a row of this table that the relationship leads back to,
 * and nothing of it that this table's own filter does not ask for. Then the row at hand is such a row.
 *
 * That holds for rows as they stand in the table, in one statement: not for what a function gives, what a statement
 * writes or what a view makes up each time. False where the form of the filters does not tell.
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
  const asked = partsOf(related.filter);
  const known = partsOf(select.filter);
  return (
    asked.length > 0 &&
    asked.every(
      (part) =>
        part.kind === "related" &&
        part.relationship.target === table.key &&
        leadsBack(part.relationship, relationship) &&
        !namesRoot(part.where) &&
        partsOf(part.where).every((inner) => known.some((one) => sameValue(one, inner))),
    )
  );
}

/** Whose rows are the same for all parts of a statement. */
const tableKinds: ReadonlySet<string> = new Set(["table", "partitioned_table"]);

/** What has to hold all together. */
function partsOf(predicate: Predicate): readonly Predicate[] {
  return predicate.kind === "and" ? predicate.items.flatMap(partsOf) : [predicate];
}

/** Whether `back` asks for no equality of columns that `relationship` does not give. */
function leadsBack(back: AnalyzedRelationship, relationship: AnalyzedRelationship): boolean {
  return back.mapping.every(({ local, remote }) =>
    relationship.mapping.some((given) => given.local === remote && given.remote === local),
  );
}

/** Whether it compares with a column of the row that the whole permission is about: not the same in both. */
function namesRoot(predicate: Predicate): boolean {
  switch (predicate.kind) {
    case "and":
    case "or":
      return predicate.items.some(namesRoot);
    case "not":
      return namesRoot(predicate.item);
    case "related":
    case "computed_rows":
    case "exists":
      return namesRoot(predicate.where);
    case "compare_columns":
      return predicate.right.of === "root";
    case "is_null":
    case "compare":
    case "compare_structured":
    case "elsewhere":
      return false;
  }
}
