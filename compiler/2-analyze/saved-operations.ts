/**
 * Parses collection queries once each, and finds the queries with exactly one operation, which can be compiled ahead of
 * requests.
 */
import { GraphQLError, print } from "graphql";
import { budgetOf } from "../../runtime/model/planner/request/budget.ts";
import { type Operation, operationIn } from "../../runtime/model/planner/request/document.ts";
import { EngineError, invariant } from "../../runtime/values/errors.ts";
import type { QueryCollection } from "../catalog/outside-sources.ts";
import type { SavedQuery } from "./analysis.ts";
import { parseSavedQuery } from "./queries-by-name.ts";

type StoredQuery = QueryCollection["definition"]["queries"][number];

interface ParsedQuery {
  /** Syntax error, if the text is not GraphQL. */
  readonly fault?: string;
  /** The only operation; absent if the document has none or several. */
  readonly single?: {
    /** The document as printed by graphql-js. */
    readonly printed: string;
    /**
     * Parsed again after garbage collection: keeping the syntax trees of thousands of queries would exhaust the memory.
     */
    readonly operation: WeakRef<Operation>;
  };
}

/** Cached by object: stored queries are immutable, and successive catalogs share unchanged ones. */
const parsedQueries = new WeakMap<StoredQuery, ParsedQuery>();

function parsedQuery(stored: StoredQuery): ParsedQuery {
  let parsed = parsedQueries.get(stored);
  if (parsed === undefined) {
    parsed = parseStored(stored.query);
    parsedQueries.set(stored, parsed);
  }
  return parsed;
}

function parseStored(text: string): ParsedQuery {
  try {
    const operation = singleOperation(text);
    return operation ? { single: { printed: print(operation.document), operation: new WeakRef(operation) } } : {};
  } catch (error) {
    if (error instanceof GraphQLError) return { fault: error.message };
    if (error instanceof EngineError) return {};
    throw error;
  }
}

function singleOperation(text: string): Operation | undefined {
  const document = parseSavedQuery(text);
  const budget = budgetOf("admin");
  return (document.tokenCount ?? 0) > budget.tokens ? undefined : operationIn(document, null, budget);
}

/** Returns the syntax error of a stored query, if any. */
export function syntaxFault(stored: StoredQuery): string | undefined {
  return parsedQuery(stored).fault;
}

const operations = new WeakMap<SavedQuery, WeakRef<Operation>>();

/** Returns the parsed operation of a saved query. */
export function operationOf(saved: SavedQuery): Operation {
  const operation = operations.get(saved)?.deref() ?? singleOperation(saved.query);
  invariant(operation, "a saved operation is an operation");
  operations.set(saved, new WeakRef(operation));
  return operation;
}

/**
 * Returns the saved operations by `savedQueryKey`. A document with several operations needs an operation name, so it is
 * executed like any other request.
 */
export function savedOperations(collections: readonly QueryCollection[]): ReadonlyMap<string, SavedQuery> {
  const saved = collections.flatMap(({ name: collection, definition }) =>
    definition.queries.flatMap((stored): SavedQuery[] => {
      const { single } = parsedQuery(stored);
      if (single === undefined) return [];
      const { name, query } = stored;
      const own = { collection, name, query, printed: single.printed };
      operations.set(own, single.operation);
      return [own];
    }),
  );
  const ordered = saved.map((each) => [savedQueryKey(each), each] as const).sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(ordered);
}

export function savedQueryKey({ collection, name }: Pick<SavedQuery, "collection" | "name">): string {
  return JSON.stringify([collection, name]);
}
