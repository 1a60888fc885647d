/** Queries of collections that are one operation each: what can be compiled ahead of requests. */
import { print } from "graphql";
import { readOperation } from "../../runtime/model/planner/request/document.ts";
import { EngineError } from "../../runtime/values/errors.ts";
import type { QueryCollection } from "../catalog/outside-sources.ts";
import type { SavedQuery } from "./analysis.ts";

/** By `savedQueryKey`. A document of several operations is asked for by the name of one of them, like any other. */
export function savedOperations(collections: readonly QueryCollection[]): ReadonlyMap<string, SavedQuery> {
  const saved = collections.flatMap(({ name: collection, definition }) =>
    definition.queries.flatMap(({ name, query }) => {
      const printed = printSingle(query);
      return printed === undefined ? [] : [{ collection, name, query, printed }];
    }),
  );
  const ordered = saved.map((each) => [savedQueryKey(each), each] as const).sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(ordered);
}

export function savedQueryKey({ collection, name }: Pick<SavedQuery, "collection" | "name">): string {
  return JSON.stringify([collection, name]);
}

/** `undefined`: not one operation. A fault of syntax is an entry of its own (`rules/collection-queries.ts`). */
function printSingle(query: string): string | undefined {
  try {
    return print(readOperation(query, null).document);
  } catch (error) {
    if (error instanceof EngineError) return undefined;
    throw error;
  }
}
