/** Analyses the tracked functions of a source. */
import type { TrackedFunction } from "../catalog/model.ts";
import { type AnalyzedFunction, qualifiedKey } from "./analysis.ts";
import { functionObject } from "./metadata-objects.ts";
import type { Findings } from "./rejection.ts";
import { resolveFunction } from "./rules/functions.ts";
import type { SourceContext } from "./source-context.ts";
import type { NamedTables } from "./tables.ts";

/**
 * Returns the consistent functions by key, sorted by schema and name.
 * @param tables the consistent tables by key
 */
export function analyzeFunctions(
  context: SourceContext,
  tables: NamedTables<unknown>,
  findings: Findings,
): ReadonlyMap<string, AnalyzedFunction> {
  const { name: source, functions: declared } = context.source;
  const keyOf = (tracked: TrackedFunction) => qualifiedKey(tracked.function);
  const objectOf = (tracked: TrackedFunction) => functionObject(source, tracked, context.print(tracked.function));
  const analyzed: AnalyzedFunction[] = [];
  for (const tracked of findings.withoutDuplicates(declared, keyOf, objectOf)) {
    const place = `in function "${context.print(tracked.function)}": `;
    const result = findings.attempt(
      () => objectOf(tracked),
      place,
      () => resolveFunction(context, tables, tracked),
    );
    if (result !== undefined) analyzed.push(result);
  }
  analyzed.sort(bySchemaAndName);
  return new Map(analyzed.map((each) => [each.key, each]));
}

function bySchemaAndName(left: AnalyzedFunction, right: AnalyzedFunction): number {
  const [a, b] = [left.function.function, right.function.function];
  if (a.schema !== b.schema) return a.schema < b.schema ? -1 : 1;
  return a.name < b.name ? -1 : 1;
}
