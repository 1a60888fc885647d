/**
 * Checks that collection queries are valid GraphQL. Validation against the schema happens later, in `5-plan/`, which
 * adds inconsistencies with the same text.
 */
import type { Catalog } from "../../catalog/catalog.ts";
import type { SavedQuery } from "../analysis.ts";
import type { Inconsistency } from "../inconsistency.ts";
import { collectionQueryObject } from "../metadata-objects.ts";
import type { ObjectId } from "../object-id.ts";
import { type Findings, reject } from "../rejection.ts";
import { syntaxFault } from "../saved-operations.ts";

export function checkCollectionQueries(catalog: Catalog, findings: Findings): void {
  for (const { name: collection, definition } of catalog.query_collections) {
    for (const each of definition.queries) {
      findings.attempt(
        () => collectionQueryObject(collection, each),
        "",
        () => {
          const fault = syntaxFault(each);
          if (fault === undefined) return;
          reject(faultText(catalog, collection, each.name, [fault]));
        },
      );
    }
  }
}

/** Returns the inconsistency of a query that does not match the schema. @param lacks the objects whose fields it selects */
export function schemaFaultEntry(
  catalog: Catalog,
  { collection, name, query }: SavedQuery,
  faults: readonly string[],
  lacks: readonly ObjectId[],
): Inconsistency {
  const reason = `Inconsistent object: ${faultText(catalog, collection, name, faults)}`;
  const object = collectionQueryObject(collection, { name, query });
  return { ...object, reason, ...(lacks.length > 0 && { lacks }) };
}

function faultText(catalog: Catalog, collection: string, query: string, faults: readonly string[]): string {
  const place = `In query collection "${collection}" the query "${query}"`;
  const errors = faults.map((fault) => `"${fault}"`).join(", ");
  const uses = usesOf(catalog, collection, query).map((use) => `. ${use}`);
  return `${place} is invalid with the following error(s): ${errors}${uses.join("")}`;
}

/** Returns one sentence for each other object that the error affects. */
function usesOf(
  { rest_endpoints, agent_tools, allowlist }: Catalog,
  collection: string,
  query: string,
): readonly string[] {
  const namesOf = (users: readonly Pick<Catalog["rest_endpoints"][number], "name" | "definition">[]) =>
    users
      .filter(({ definition }) => {
        const { collection_name, query_name } = definition.query;
        return collection_name === collection && query_name === query;
      })
      .map(({ name }) => `"${name}"`);
  const [endpoints, tools] = [namesOf(rest_endpoints), namesOf(agent_tools)];
  const isAllowed = allowlist.some((entry) => entry.collection === collection);
  return [
    ...(endpoints.length > 0
      ? [`This query is being used in the following REST endpoint(s): ${endpoints.join(", ")}`]
      : []),
    ...(tools.length > 0
      ? [`This query is being used in the following tool(s) for assistants: ${tools.join(", ")}`]
      : []),
    ...(isAllowed ? ["This query is in allowlist."] : []),
  ];
}
