/**
 * Queries of collections are GraphQL (`metadata-api.md` 2.13, 6.3). Whether they fit the schema is found out when there
 * is one (`5-plan/`), and then an entry of the same words is made.
 */
import { GraphQLError } from "graphql";
import type { Catalog } from "../../catalog/catalog.ts";
import type { SavedQuery } from "../analysis.ts";
import type { Inconsistency } from "../inconsistency.ts";
import { collectionQueryObject } from "../metadata-objects.ts";
import { parseSavedQuery } from "../queries-by-name.ts";
import { type Findings, reject } from "../rejection.ts";

export function checkCollectionQueries(catalog: Catalog, findings: Findings): void {
  for (const { name: collection, definition } of catalog.query_collections) {
    for (const each of definition.queries) {
      findings.attempt(
        () => collectionQueryObject(collection, each),
        "",
        () => {
          const fault = syntaxFault(each.query);
          if (fault === undefined) return;
          reject(faultText(catalog, collection, each.name, [fault]));
        },
      );
    }
  }
}

/** The entry of a query that does not fit the schema. */
export function schemaFaultEntry(
  catalog: Catalog,
  { collection, name, query }: SavedQuery,
  faults: readonly string[],
): Inconsistency {
  const reason = `Inconsistent object: ${faultText(catalog, collection, name, faults)}`;
  return { ...collectionQueryObject(collection, { name, query }), reason };
}

function faultText(catalog: Catalog, collection: string, query: string, faults: readonly string[]): string {
  const place = `In query collection "${collection}" the query "${query}"`;
  const errors = faults.map((fault) => `"${fault}"`).join(", ");
  const uses = usesOf(catalog, collection, query).map((use) => `. ${use}`);
  return `${place} is invalid with the following error(s): ${errors}${uses.join("")}`;
}

function syntaxFault(query: string): string | undefined {
  try {
    parseSavedQuery(query);
    return undefined;
  } catch (error) {
    if (error instanceof GraphQLError) return error.message;
    throw error;
  }
}

/** What else the fault concerns, a sentence each. */
function usesOf({ rest_endpoints, allowlist }: Catalog, collection: string, query: string): readonly string[] {
  const endpoints = rest_endpoints
    .filter(({ definition }) => {
      const { collection_name, query_name } = definition.query;
      return collection_name === collection && query_name === query;
    })
    .map(({ name }) => `"${name}"`);
  const isAllowed = allowlist.some((entry) => entry.collection === collection);
  return [
    ...(endpoints.length > 0
      ? [`This query is being used in the following REST endpoint(s): ${endpoints.join(", ")}`]
      : []),
    ...(isAllowed ? ["This query is in allowlist."] : []),
  ];
}
