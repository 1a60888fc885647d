/** Lowers REST endpoints to the IR of their modules and of the route tree. */

import { pathSegments, pathVariable } from "../../runtime/model/definitions/rest/endpoint.ts";
import { compareText } from "../../runtime/values/text-order.ts";
import type { RestEndpoint } from "../catalog/outside-sources.ts";
import type { RestEndpointIr, RestRoutesIr, RouteNodeIr } from "./ir.ts";

export function lowerRestEndpoint({ name, url, methods, comment, definition }: RestEndpoint): RestEndpointIr {
  const { collection_name: collection, query_name: query } = definition.query;
  return { name, path: url, methods, ...(comment ? { comment } : {}), operation: { collection, name: query } };
}

interface Branch {
  readonly literals: Map<string, Branch>;
  variable?: Branch;
  readonly endpoints: string[];
}

const newBranch = (): Branch => ({ literals: new Map(), endpoints: [] });

/** @param endpoints in order of precedence */
export function lowerRestRoutes(endpoints: readonly Pick<RestEndpoint, "name" | "url">[]): RestRoutesIr {
  const root = newBranch();
  for (const { name, url } of endpoints) {
    let branch = root;
    for (const segment of pathSegments(url)) branch = follow(branch, segment);
    branch.endpoints.push(name);
  }
  return { root: nodeOf(root) };
}

function follow(branch: Branch, segment: string): Branch {
  if (pathVariable(segment) !== undefined) {
    branch.variable ??= newBranch();
    return branch.variable;
  }
  const known = branch.literals.get(segment) ?? newBranch();
  branch.literals.set(segment, known);
  return known;
}

function nodeOf({ literals, variable, endpoints }: Branch): RouteNodeIr {
  const sorted = [...literals].sort(([a], [b]) => compareText(a, b));
  return {
    literals: sorted.map(([segment, branch]) => ({ segment, node: nodeOf(branch) })),
    ...(variable && { variable: nodeOf(variable) }),
    endpoints,
  };
}
