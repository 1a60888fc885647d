/** Rules of REST endpoints: their queries exist, and their paths are well-formed and unambiguous. */
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

/** Returns the routed endpoints by name, sorted. Overlapping endpoints are routed, but are recorded as inconsistent. */
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
    const isValid = findings.attempt(object, `in endpoint ${name}: `, () => {
      checkQuery(collections, endpoint);
      return true;
    });
    if (isValid) routes.push({ endpoint, segments: segmentsOf(url) });
  }
  for (const group of overlappingGroups(routes)) addOverlap(group, collections, findings);
  const ordered = routes.map(({ endpoint }) => endpoint).sort((a, b) => (a.name < b.name ? -1 : 1));
  return new Map(ordered.map((endpoint) => [endpoint.name, endpoint]));
}

/** Splits a path, with or without a leading slash. */
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

/** @throws Rejection unless the text is a single query or mutation */
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

/** Returns true for a selection set without the keyword `query`. */
function isShorthand({ loc }: OperationDefinitionNode, text: string): boolean {
  return loc !== undefined && text.charAt(loc.start) === "{";
}

/** Groups the endpoints that match the same requests. */
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
