import { describe, expect, it } from "vitest";
import { noticesOf } from "../../../compiler/2-analyze/notices.ts";
import { dropObjects } from "../../../compiler/metadata/drop-objects.ts";
import { analysisOf, catalogOf } from "./sample.ts";

const queries = {
  one: "query One { a }",
  change: "mutation { a }",
  watch: "subscription { a }",
  two: "query A { a } query B { b }",
  withFragment: "query A { ...f } fragment f on T { a }",
  broken: "query {",
};
const query_collections = [
  { name: "c", definition: { queries: Object.entries(queries).map(([name, query]) => ({ name, query })) } },
];
const tool = (name: string, query_name: string, more: object = {}) => ({
  name,
  definition: { query: { collection_name: "c", query_name } },
  ...more,
});
const analyzed = (...agent_tools: readonly object[]) => analysisOf({ query_collections, agent_tools });
const ofTools = (...agent_tools: readonly object[]) =>
  analyzed(...agent_tools)
    .inconsistencies.filter(({ type }) => type === "agent_tool")
    .map(({ reason }) => reason);

describe("Tools for assistants", () => {
  it("Tools are listed by name", () => {
    const tools = analyzed(tool("b", "one"), tool("a", "change"), tool("c", "withFragment"));
    expect([...tools.agentTools.keys()]).toEqual(["a", "b", "c"]);
  });

  const place = "Inconsistent object: in tool t: ";
  it.each([
    ["none", `${place}query with name none does not exist in collection c`],
    ["watch", `${place}query with name watch is a subscription`],
    ["two", `${place}query with name two is not a single operation`],
    ["broken", `${place}query with name broken is not a single operation`],
  ])("A tool needs a single query or mutation: %s", (query, reason) => {
    expect(ofTools(tool("t", query))).toEqual([reason]);
    expect([...analyzed(tool("t", query)).agentTools.keys()]).toEqual([]);
  });

  it("Two tools with one name are refused with the metadata", () => {
    expect(() => catalogOf({ query_collections, agent_tools: [tool("t", "one"), tool("t", "change")] })).toThrow(
      "multiple declarations exist for the following agent tools: t",
    );
  });

  it("The error of an operation names its tools", () => {
    const { inconsistencies } = analyzed(tool("t", "broken"));
    expect(inconsistencies.map(({ reason }) => reason).join("\n")).toContain(
      'This query is being used in the following tool(s) for assistants: "t"',
    );
  });

  it("Dropping a query drops its tools", () => {
    const catalog = catalogOf({ query_collections, agent_tools: [tool("t", "one"), tool("u", "change")] });
    const { agent_tools } = dropObjects(catalog, [{ kind: "collection_query", collection: "c", query: "one" }]);
    expect(agent_tools.map(({ name }) => name)).toEqual(["u"]);
  });

  it("A notice lists roles of a tool without permissions", () => {
    const notices = noticesOf(analyzed(tool("t", "one", { roles: ["admin", "nobody"] }), tool("u", "one")));
    expect(notices).toEqual([
      { path: "$.agent_tools[0].roles", message: 'the role "nobody" of the tool "t" has no permissions' },
    ]);
  });
});
