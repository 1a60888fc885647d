/** REST endpoints: their queries exist, their paths are well-formed and tell each other apart (`metadata-api.md` 2.14, 6.1). */
import { type DocumentNode, GraphQLError, type OperationDefinitionNode } from "graphql";
import type { Catalog } from "../../catalog/catalog.ts";
import type { Json } from "../../catalog/model.ts";
import type { RestEndpoint } from "../../catalog/outside-sources.ts";
import type { MetadataObject } from "../inconsistency.ts";
import { restEndpointObject } from "../metadata-objects.ts";
import { type Collections, parseSavedQuery, queriesByName, queryOf } from "../queries-by-name.ts";
import { type Findings, reject } from "../rejection.ts";

interface Route {
  readonly endpoint: RestEndpoint;
  readonly segments: readonly string[];
}

/** The endpoints that are routed, by name, in order. Overlapping ones are, too (ruling 24), but get an entry. */
export function analyzeRestEndpoints(
  { rest_endpoints, query_collections }: Catalog,
  findings: Findings,
): ReadonlyMap<string, RestEndpoint> {
  const collections = queriesByName(query_collections);
  const routes: Route[] = [];
  for (const endpoint of findings.withoutDuplicates(rest_endpoints, ({ name }) => name, restEndpointObject)) {
    const { name, url } = endpoint;
    const object = () => restEndpointObject(endpoint);
    const fault = pathFault(url);
    if (fault !== undefined) {
      findings.add({ ...object(), reason: fault });
      continue;
    }
    const isGood = findings.attempt(object, `in endpoint ${name}: `, () => {
      checkQuery(collections, endpoint);
      return true;
    });
    if (isGood) routes.push({ endpoint, segments: segmentsOf(url) });
  }
  for (const group of overlappingGroups(routes)) addOverlap(group, collections, findings);
  const ordered = routes.map(({ endpoint }) => endpoint).sort((a, b) => (a.name < b.name ? -1 : 1));
  return new Map(ordered.map((endpoint) => [endpoint.name, endpoint]));
}

/** The path may be written with a slash before it. */
function segmentsOf(url: string): readonly string[] {
  return url.replace(/^\//, "").split("/");
}

function pathFault(url: string): string | undefined {
  const segments = segmentsOf(url);
  if (segments.some((segment) => segment === "" || segment === ":")) {
    return `Empty segments or unnamed variables are not allowed: ${url}`;
  }
  const variables = segments.filter(isVariable);
  if (new Set(variables).size < variables.length) return `Duplicate variables found in endpoint path: ${url}`;
  return undefined;
}

function isVariable(segment: string): boolean {
  return segment.startsWith(":");
}

/** @throws Rejection unless the query is one query or mutation and nothing else */
function checkQuery(collections: Collections, endpoint: RestEndpoint): void {
  const { collection_name, query_name } = endpoint.definition.query;
  const text = queryOf(collections, collection_name, query_name);
  const query = `query with name ${query_name}`;
  const { definitions } = parseQuery(text, query);
  const operations = definitions.filter((each) => each.kind === "OperationDefinition");
  const [operation] = operations;
  if (operation === undefined) reject(`${query} has no definitions.`);
  if (definitions.length > 1 || isShorthand(operation, text)) reject(`${query} has multiple definitions.`);
  if (operation.operation === "subscription") reject(`${query} is a subscription`);
}

function parseQuery(text: string, query: string): DocumentNode {
  try {
    return parseSavedQuery(text, { noLocation: false });
  } catch (error) {
    if (error instanceof GraphQLError) return reject(`${query} is not a valid graphql query: ${error.message}`);
    throw error;
  }
}

/** A selection without the word `query` before it. */
function isShorthand({ loc }: OperationDefinitionNode, text: string): boolean {
  return loc !== undefined && text.charAt(loc.start) === "{";
}

/** Endpoints that some request matches together with another, each group by itself. */
function overlappingGroups(routes: readonly Route[]): readonly (readonly Route[])[] {
  const groups: Route[][] = [];
  for (const route of routes) {
    const touched = groups.filter((group) => group.some((other) => overlap(route, other)));
    const merged = [...touched.flat(), route];
    for (const group of touched) groups.splice(groups.indexOf(group), 1);
    groups.push(merged);
  }
  return groups.filter(({ length }) => length > 1);
}

function overlap(left: Route, right: Route): boolean {
  if (left.segments.length !== right.segments.length) return false;
  if (!left.endpoint.methods.some((method) => right.endpoint.methods.includes(method))) return false;
  return left.segments.every((segment, i) => {
    const other = right.segments[i] ?? "";
    return segment === other || isVariable(segment) || isVariable(other);
  });
}

function addOverlap(group: readonly Route[], collections: Collections, findings: Findings): void {
  const endpoints = group.map(({ endpoint }) => endpoint).sort((a, b) => (a.url < b.url ? -1 : 1));
  const objects = endpoints.map((endpoint): MetadataObject => {
    const { name, url, methods, comment, definition } = endpoint;
    const { collection_name, query_name } = definition.query;
    const query: Json = { query: queryOf(collections, collection_name, query_name) };
    return {
      ...restEndpointObject(endpoint),
      definition: { name, url, methods, definition: query, comment: comment ?? null },
    };
  });
  findings.addTogether(
    "ambiguous_endpoints",
    objects,
    `Ambiguous URL paths: ${endpoints.map(({ url }) => url).join(", ")}`,
  );
}
