import type { Predicate } from "./analyzed-table.ts";

/**
 * Yields a predicate and the predicates in it, outermost first.
 * @param isEntered returns false for a predicate without its parts; by default, all are yielded, also those on rows of
 *   other sources
 */
export function* partsOf(
  predicate: Predicate,
  isEntered: (part: Predicate) => boolean = () => true,
): Iterable<Predicate> {
  yield predicate;
  if (!isEntered(predicate)) return;
  switch (predicate.kind) {
    case "and":
    case "or":
      for (const item of predicate.items) yield* partsOf(item, isEntered);
      break;
    case "not":
      yield* partsOf(predicate.item, isEntered);
      break;
    case "related":
    case "permitted":
    case "computed_rows":
    case "exists":
      yield* partsOf(predicate.where, isEntered);
      break;
    case "crossSource":
      yield* partsOf(predicate.rows.where, isEntered);
      break;
    case "is_null":
    case "compare":
    case "compare_structured":
    case "compare_columns":
      break;
  }
}
