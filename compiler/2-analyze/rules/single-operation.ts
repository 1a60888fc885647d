/** The rule of objects that run a saved operation: it is a single query or mutation. */
import type { SavedQuery } from "../analysis.ts";
import { type Collections, queryOf } from "../queries-by-name.ts";
import { reject } from "../rejection.ts";
import { savedQueryKey } from "../saved-operations.ts";

interface OperationScope {
  readonly collections: Collections;
  readonly savedOperations: ReadonlyMap<string, SavedQuery>;
}

/** @throws Rejection */
export function checkSingleOperation(
  { collection, query }: { readonly collection: string; readonly query: string },
  { collections, savedOperations }: OperationScope,
): void {
  queryOf(collections, collection, query);
  const saved = savedOperations.get(savedQueryKey({ collection, name: query }));
  if (saved === undefined) reject(`query with name ${query} is not a single operation`);
  if (/^\s*subscription\b/.test(saved.printed)) reject(`query with name ${query} is a subscription`);
}
