/** Finds collection queries by name. */
import { type DocumentNode, GraphQLError, parse } from "graphql";
import type { QueryCollection } from "../catalog/outside-sources.ts";
import { rejectUnknown } from "./rejection.ts";

export type Collections = ReadonlyMap<string, ReadonlyMap<string, string>>;

export function queriesByName(collections: readonly QueryCollection[]): Collections {
  return new Map(
    collections.map(({ name, definition }) => [
      name,
      new Map(definition.queries.map((each) => [each.name, each.query])),
    ]),
  );
}

/** @throws Rejection with the nearest collection or query */
export function queryOf(collections: Collections, collection: string, query: string): string {
  const found = collections.get(collection);
  if (found === undefined) {
    return rejectUnknown(`collection with name ${collection} does not exist`, collection, collections.keys());
  }
  const missing = `query with name ${query} does not exist in collection ${collection}`;
  return found.get(query) ?? rejectUnknown(missing, query, found.keys());
}

/**
 * Parses the text of a saved query, without locations unless `noLocation` is `false`.
 * @throws GraphQLError also if the recursive parser exceeds the stack
 */
export function parseSavedQuery(text: string, { noLocation = true } = {}): DocumentNode {
  try {
    return parse(text, { noLocation });
  } catch (error) {
    throw error instanceof RangeError ? new GraphQLError("the query is nested too deeply") : error;
  }
}
