import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RouteNodeIr } from "../../../../../compiler/3-lower/ir.ts";
import { lowerRestRoutes } from "../../../../../compiler/3-lower/rest.ts";
import { type RestMethod, restEndpoint, restMethods } from "../../../../../runtime/model/definitions/rest/endpoint.ts";
import { matchRoute, type RouteNode } from "../../../../../runtime/model/definitions/rest/routes.ts";
import { savedOperation } from "../../../../../runtime/model/definitions/saved/operation.ts";

interface Given {
  readonly name: string;
  readonly url: string;
  readonly methods: readonly RestMethod[];
}

const operation = savedOperation({ collection: "c", name: "q", kind: "query", text: "query { a }", variables: {} });

/** Returns the route tree as its module declares it. */
function routesOf(endpoints: readonly Given[]): RouteNode {
  const byName = new Map(
    endpoints.map(({ name, url, methods }) => [name, restEndpoint({ name, path: url, methods, operation })]),
  );
  const node = ({ literals, variable, endpoints: found }: RouteNodeIr): RouteNode => ({
    literals: Object.fromEntries(literals.map(({ segment, node: next }) => [segment, node(next)])),
    ...(variable && { variable: node(variable) }),
    endpoints: found.flatMap((name) => byName.get(name) ?? []).map((endpoint) => () => endpoint),
  });
  return node(lowerRestRoutes(endpoints).root);
}

const book: Given = { name: "book", url: "books/:id", methods: ["GET"] };
const newest: Given = { name: "newest", url: "/books/newest", methods: ["POST", "GET"] };

describe("REST route matching", () => {
  it("matchRoute returns the endpoint and the variables of the path", () => {
    const match = matchRoute(routesOf([book]), "GET", ["books", "1/2"]);
    expect(match).toMatchObject({ kind: "found", endpoint: { name: "book" } });
    expect(match.kind === "found" && [...match.variables]).toEqual([["id", "1/2"]]);
  });

  it("matchRoute is ambiguous if a literal and a variable match with the same method", () => {
    const routes = routesOf([book, newest]);
    expect(matchRoute(routes, "GET", ["books", "newest"])).toEqual({ kind: "ambiguous" });
    expect(matchRoute(routes, "POST", ["books", "newest"])).toMatchObject({ endpoint: { name: "newest" } });
  });

  it("matchRoute lists all methods of the path if the method is not allowed", () => {
    const match = matchRoute(routesOf([book, newest]), "DELETE", ["books", "newest"]);
    expect(match).toEqual({ kind: "method-not-allowed", allowed: ["GET", "POST"] });
  });

  it.each([[["books"]], [["books", "1", "2"]], [["Books", "1"]], [["books", ""]], [["__proto__"]], [[""]]])(
    "matchRoute finds no endpoint at %j",
    (segments) => {
      expect(matchRoute(routesOf([book, newest]), "GET", segments)).toEqual({ kind: "not-found" });
    },
  );

  it("matchRoute agrees with a comparison of each endpoint on its own", () => {
    const segment = fc.constantFrom("a", "b", ":x", ":y", "__proto__", "constructor");
    const endpoint = fc.record({
      url: fc.array(segment, { minLength: 1, maxLength: 3 }).map((segments) => segments.join("/")),
      methods: fc.subarray([...restMethods], { minLength: 1 }),
    });
    const path = fc.array(fc.constantFrom("a", "b", "c", "__proto__", "constructor"), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.array(endpoint, { maxLength: 6 }), path, fc.constantFrom(...restMethods), (given, at, method) => {
        const endpoints = given.map((each, i) => ({ ...each, name: `e${i}` }));
        const fits = endpoints.filter(({ url }) => {
          const segments = url.split("/");
          return segments.length === at.length && segments.every((each, i) => each.startsWith(":") || each === at[i]);
        });
        const allowed = fits.filter(({ methods }) => methods.includes(method));
        const { kind } = matchRoute(routesOf(endpoints), method, at);
        if (fits.length === 0) expect(kind).toBe("not-found");
        else if (allowed.length === 0) expect(kind).toBe("method-not-allowed");
        else expect(kind).toBe(allowed.length === 1 ? "found" : "ambiguous");
      }),
    );
  });
});
