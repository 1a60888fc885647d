import { describe, expect, it } from "vitest";
import { inconsistencyEntry, inconsistentObjects } from "../../../compiler/2-analyze/inconsistency.ts";
import { analysisOf } from "./sample.ts";

const queries = {
  one: "query One { a }",
  anonymous: "query { a }",
  change: "mutation { a }",
  shorthand: "{ a }",
  watch: "subscription { a }",
  two: "query A { a } query B { b }",
  withFragment: "query A { ...f } fragment f on T { a }",
  fragment: "fragment f on T { a }",
};
const collectionOf = (name: string, texts: Readonly<Record<string, string>>) => ({
  name,
  definition: { queries: Object.entries(texts).map(([name, query]) => ({ name, query })) },
});

interface Endpoint {
  readonly url: string;
  readonly methods?: readonly string[];
  readonly query?: string;
  readonly collection?: string;
}

function analyzed(endpoints: Readonly<Record<string, Endpoint>>, ...more: readonly object[]) {
  const query_collections = [collectionOf("c", queries), ...more];
  const rest_endpoints = Object.entries(endpoints).map(
    ([name, { url, methods = ["GET"], query = "one", collection = "c" }]) => ({
      name,
      url,
      methods,
      definition: { query: { collection_name: collection, query_name: query } },
    }),
  );
  return analysisOf({ query_collections, rest_endpoints });
}

const reasonsFor = (endpoint: Endpoint) => analyzed({ e: endpoint }).inconsistencies.map(({ reason }) => reason);

describe("REST endpoints", () => {
  it("REST endpoints are listed by name", () => {
    const analysis = analyzed({ b: { url: "b/:id" }, a: { url: "/a" }, c: { url: "c", query: "change" } });
    expect(analysis.inconsistencies).toEqual([]);
    expect([...analysis.restEndpoints.keys()]).toEqual(["a", "b", "c"]);
  });

  const place = "Inconsistent object: in endpoint e: ";
  it.each<[Endpoint, string]>([
    [{ url: "foo/:id/bar/:id" }, "Duplicate variables found in endpoint path: foo/:id/bar/:id"],
    [{ url: "foo//bar" }, "Empty segments or unnamed variables are not allowed: foo//bar"],
    [{ url: "foo/:/bar" }, "Empty segments or unnamed variables are not allowed: foo/:/bar"],
    [{ url: "foo/" }, "Empty segments or unnamed variables are not allowed: foo/"],
    [{ url: "/" }, "Empty segments or unnamed variables are not allowed: /"],
    [{ url: "foo", collection: "none" }, `${place}collection with name none does not exist`],
    [{ url: "foo", query: "none" }, `${place}query with name none does not exist in collection c`],
    [{ url: "foo", query: "watch" }, `${place}query with name watch is a subscription`],
    [{ url: "foo", query: "fragment" }, `${place}query with name fragment has no definitions.`],
    [{ url: "foo", query: "two" }, `${place}query with name two has multiple definitions.`],
    [{ url: "foo", query: "withFragment" }, `${place}query with name withFragment has multiple definitions.`],
    [{ url: "foo", query: "shorthand" }, `${place}query with name shorthand has multiple definitions.`],
  ])("The REST endpoint %j is inconsistent", (endpoint, reason) => {
    expect(reasonsFor(endpoint)).toEqual([reason]);
    expect(analyzed({ e: endpoint }).restEndpoints.size).toBe(0);
  });

  it("A REST endpoint needs a valid query", () => {
    const endpoint = { url: "foo", collection: "faulty", query: "broken" };
    const { inconsistencies } = analyzed({ e: endpoint }, collectionOf("faulty", { broken: "query {" }));
    expect(inconsistencies.find(({ type }) => type === "rest_endpoint")?.reason).toMatch(
      /^Inconsistent object: in endpoint e: query with name broken is not a valid graphql query: /,
    );
  });

  it("An inconsistent REST endpoint is reported as declared", () => {
    const { inconsistencies } = analyzed({ e: { url: "foo/" } });
    expect(inconsistencies.map(inconsistencyEntry)).toEqual([
      {
        definition: {
          name: "e",
          url: "foo/",
          methods: ["GET"],
          definition: { query: { collection_name: "c", query_name: "one" } },
          comment: null,
        },
        name: "rest_endpoint e",
        reason: "Empty segments or unnamed variables are not allowed: foo/",
        type: "rest_endpoint",
      },
    ]);
  });
});

describe("Overlapping REST endpoints", () => {
  it("Overlapping REST endpoints share one inconsistency and stay routed", () => {
    const analysis = analyzed({
      simple: { url: "simple" },
      any: { url: ":x", query: "anonymous" },
      far: { url: "a/b" },
    });
    expect([...analysis.restEndpoints.keys()]).toEqual(["any", "far", "simple"]);
    expect(analysis.inconsistencies.map(inconsistencyEntry)).toEqual([
      {
        conflicts: [
          { name: "any", url: ":x", methods: ["GET"], definition: { query: "query { a }" }, comment: null },
          { name: "simple", url: "simple", methods: ["GET"], definition: { query: "query One { a }" }, comment: null },
        ],
        reason: "Ambiguous URL paths: :x, simple",
      },
    ]);
    expect(analysis.inconsistencies.map(inconsistentObjects)).toEqual([
      [
        { kind: "rest_endpoint", name: "any" },
        { kind: "rest_endpoint", name: "simple" },
      ],
    ]);
  });

  it.each<[string, Endpoint, Endpoint, boolean]>([
    ["same path", { url: "a/b" }, { url: "a/b" }, true],
    ["other method", { url: "a" }, { url: "a", methods: ["POST"] }, false],
    ["common method", { url: "a", methods: ["PUT", "GET"] }, { url: "a", methods: ["POST", "GET"] }, true],
    ["other literal", { url: "a/b" }, { url: "a/c" }, false],
    ["variables crosswise", { url: "a/:x" }, { url: ":y/b" }, true],
    ["variable before other literals", { url: ":x/b" }, { url: ":x/c" }, false],
    ["other length", { url: ":x" }, { url: ":x/:y" }, false],
  ])("Two REST endpoints overlap as documented: %s", (_, first, second, overlap) => {
    expect(analyzed({ first, second }).inconsistencies).toHaveLength(overlap ? 1 : 0);
  });

  it("REST endpoints that overlap through a third one form one group", () => {
    const analysis = analyzed({
      a: { url: "a" },
      b: { url: "b" },
      c: { url: "x/y" },
      d: { url: "x/:z" },
      any: { url: ":v" },
    });
    expect(analysis.inconsistencies.map(({ reason }) => reason).sort()).toEqual([
      "Ambiguous URL paths: :v, a, b",
      "Ambiguous URL paths: x/:z, x/y",
    ]);
  });
});
