/**
 * Matches paths with endpoints, using a tree of literal and variable segments. Both branches are followed, so that
 * several endpoints can match.
 */
import { pathSegments, pathVariable, type RestEndpoint, type RestMethod } from "./endpoint.ts";

/** Continuations of a path. */
export interface RouteNode {
  readonly literals?: Readonly<Record<string, RouteNode>>;
  /** Any segment. */
  readonly variable?: RouteNode;
  /** Endpoints whose path ends here. */
  readonly endpoints?: readonly (() => RestEndpoint)[];
}

export type RouteMatch =
  | { readonly kind: "found"; readonly endpoint: RestEndpoint; readonly variables: ReadonlyMap<string, string> }
  | { readonly kind: "not-found" }
  | { readonly kind: "method-not-allowed"; readonly allowed: readonly RestMethod[] }
  | { readonly kind: "ambiguous" };

/**
 * Finds the endpoint for a path and method.
 * @param segments decoded segments of the path
 */
export function matchRoute(routes: RouteNode, method: string, segments: readonly string[]): RouteMatch {
  const candidates = endpointsAt(routes, segments, 0).map((endpoint) => endpoint());
  if (candidates.length === 0) return { kind: "not-found" };
  const [endpoint, ...others] = candidates.filter(({ methods }) => methods.some((allowed) => allowed === method));
  if (others.length > 0) return { kind: "ambiguous" };
  if (endpoint) return { kind: "found", endpoint, variables: variablesOf(endpoint, segments) };
  const allowed = new Set(candidates.flatMap(({ methods }) => methods));
  return { kind: "method-not-allowed", allowed: [...allowed].sort() };
}

/** Returns all endpoints of a route tree. */
export function endpointsIn({ literals = {}, variable, endpoints = [] }: RouteNode): readonly RestEndpoint[] {
  const below = [...Object.values(literals), ...(variable ? [variable] : [])].flatMap(endpointsIn);
  return [...endpoints.map((endpoint) => endpoint()), ...below];
}

function endpointsAt(
  { literals, variable, endpoints }: RouteNode,
  segments: readonly string[],
  at: number,
): readonly (() => RestEndpoint)[] {
  const segment = segments[at];
  if (segment === undefined) return endpoints ?? [];
  const literal = literals !== undefined && Object.hasOwn(literals, segment) ? literals[segment] : undefined;
  return [
    ...(literal ? endpointsAt(literal, segments, at + 1) : []),
    // A trailing slash is not a value.
    ...(variable && segment !== "" ? endpointsAt(variable, segments, at + 1) : []),
  ];
}

function variablesOf({ path }: RestEndpoint, segments: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    pathSegments(path).flatMap((segment, i) => {
      const name = pathVariable(segment);
      return name === undefined ? [] : [[name, segments[i] ?? ""] as const];
    }),
  );
}
