import { describe, expect, it } from "vitest";
import { inconsistencyEntry } from "../../../compiler/2-analyze/inconsistency.ts";
import type { FunctionShape } from "../../../compiler/shape/shape.ts";
import { analysisOf, argument, functionShape, library, reasonsOf, rowType, sourceIn, type } from "./sample.ts";

const search = functionShape("search", {
  arguments: [argument("word", "text")],
  returns: rowType("public", "article"),
  returnsTable: { schema: "public", name: "article" },
  returnsSet: true,
});

function analyzed(
  functions: readonly FunctionShape[],
  tracked: object,
  tables: readonly object[] = [{ table: "article" }],
) {
  return analysisOf({ tables, functions: [tracked] }, { shape: { ...library, functions } });
}

describe("Tracked functions", () => {
  it("A tracked function returns rows of a table", () => {
    const functions = sourceIn(analyzed([search], { function: "search" })).functions;
    expect(functions.get("public.search")).toMatchObject({
      key: "public.search",
      target: "public.article",
      exposedAs: "query",
      graphqlName: "search",
      rootFields: { function: "search", aggregate: "search_aggregate" },
      sessionArgument: undefined,
    });
  });

  it("A volatile function is a mutation unless the metadata exposes it as a query", () => {
    const volatile = { ...search, volatility: "volatile" } as const;
    const exposedAs = (configuration: object) =>
      sourceIn(analyzed([volatile], { function: "search", configuration })).functions.get("public.search")?.exposedAs;
    expect(exposedAs({})).toBe("mutation");
    expect(exposedAs({ exposed_as: "query" })).toBe("query");
  });

  it("A tracked function is named as the metadata configures it", () => {
    const configuration = { custom_name: "find", custom_root_fields: { function_aggregate: "count" } };
    expect(
      sourceIn(analyzed([search], { function: "search", configuration })).functions.get("public.search"),
    ).toMatchObject({
      graphqlName: "find",
      rootFields: { function: "find", aggregate: "count" },
    });
  });

  it("A tracked function receives the session variables in its session argument", () => {
    const given = { ...search, arguments: [argument("word", "text"), argument("session", "jsonb")] };
    const configuration = { session_argument: "session" };
    const found = sourceIn(analyzed([given], { function: "search", configuration })).functions.get("public.search");
    expect(found?.sessionArgument).toBe(1);
  });

  const place = 'in function "search": ';
  const refused = `${place}the function "search" cannot be tracked because `;

  it.each<[string, readonly FunctionShape[], object, string]>([
    ["no function of this name", [], {}, `${place}no such function exists: "search"`],
    [
      "overloads",
      [search, { ...search, id: 0 }],
      {},
      `${place}function "search" is overloaded. Overloaded functions are not supported`,
    ],
    [
      "variadic",
      [{ ...search, variadic: true }],
      {},
      `${refused}function with "VARIADIC" parameters are not supported`,
    ],
    ["no table", [{ ...search, returnsTable: null }], {}, `${refused}the function does not return a table`],
    [
      "a mutation that is not volatile",
      [search],
      { exposed_as: "mutation" },
      `${refused}the function was requested to be exposed as a mutation, but is not marked VOLATILE. Maybe the function was given the wrong volatility when it was defined?`,
    ],
    [
      "a session argument of another type",
      [search],
      { session_argument: "word" },
      `${refused}given session argument "word" is not of type json`,
    ],
    [
      "an unknown session argument",
      [search],
      { session_argument: "none" },
      `${refused}given session argument "none" not the input argument of the function`,
    ],
    [
      "arguments without GraphQL names",
      [{ ...search, arguments: [argument("a b", "text"), argument(null, "text"), argument("c-d", "text")] }],
      {},
      `${refused}the function arguments a b,c-d are not in compliance with GraphQL spec`,
    ],
  ])("A tracked function is inconsistent: %s", (_, functions, configuration, reason) => {
    expect(reasonsOf(analyzed(functions, { function: "search", configuration }))).toEqual([reason]);
  });

  it("An inconsistent function lists all its reasons", () => {
    const value = functionShape("search", { returns: type("int4") });
    expect(reasonsOf(analyzed([value], { function: "search" }))).toEqual([
      `${place}the function "search" cannot be tracked for the following reasons:\n` +
        '  • the function does not return a "COMPOSITE" type\n' +
        "  • the function does not return a table\n",
    ]);
  });

  it("A tracked function needs a valid GraphQL name", () => {
    const odd = { ...search, name: "a b" };
    const analysis = analyzed([odd], { function: "a b" });
    expect(analysis.inconsistencies.map(inconsistencyEntry)).toEqual([
      {
        definition: { schema: "public", name: "a b" },
        name: "function a b in source default",
        reason:
          'Inconsistent object: in function "a b": the function "a b" cannot be tracked because function name is not a legal GraphQL identifier',
        type: "function",
      },
    ]);
    const configuration = { custom_name: "ab" };
    expect(reasonsOf(analyzed([odd], { function: "a b", configuration }))).toEqual([]);
  });

  it("A tracked function needs a tracked table for its rows", () => {
    expect(reasonsOf(analyzed([search], { function: "search" }, []))).toEqual(['table "article" is not tracked']);
  });
});
