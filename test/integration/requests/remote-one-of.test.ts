/** Input objects with `@oneOf` of a remote schema (GraphQL, September 2025) in the schemas of roles. */
import {
  buildClientSchema,
  getIntrospectionQuery,
  type IntrospectionQuery,
  isInputObjectType,
  printType,
} from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RemoteGraphql, startRemoteGraphql } from "../../support/remote-graphql.ts";
import { isSealed, startTestServer, type TestServer } from "../../support/server.ts";

const sdl = `
  input By @oneOf { id: ID name: String names: [String!] within: By }
  input Any { id: ID name: String }
  type Query { find(by: By!, any: Any): String }
`;

let remote: RemoteGraphql;
let engine: TestServer;

beforeAll(async () => {
  remote = await startRemoteGraphql(sdl, 0, { root: { find: (args: unknown) => JSON.stringify(args) } });
  engine = await startTestServer({
    environment: {
      FIND: `http://127.0.0.1:${remote.port}/graphql`,
      ENGINE_GRAPHQL_ENABLE_REMOTE_SCHEMA_PERMISSIONS: "true",
    },
  });
  await engine.metadata("add_remote_schema", { name: "find", definition: { url_from_env: "FIND" } });
  const schema = "input By { id: ID name: String } type Query { find(by: By!): String }";
  await engine.metadata("add_remote_schema_permissions", {
    remote_schema: "find",
    role: "user",
    definition: { schema },
  });
});

afterAll(async () => {
  await engine?.close();
  await remote?.close();
});

const asUser = { "X-Engine-Role": "user" };
const ask = async (query: string, variables?: object, headers?: Record<string, string>) =>
  (await engine.post("/v1/graphql", { query, variables }, headers)).json;

const valid = (value: object) => ({ data: { find: JSON.stringify({ by: value }) } });
const invalid = (message: string, path: string) => ({
  errors: [{ message, extensions: { path, code: "validation-failed" } }],
});

describe("Schemas of roles", () => {
  it.each([
    ["the administrator", {}, "input By @oneOf {\n  id: ID\n  name: String\n  names: [String!]\n  within: By\n}"],
    ["a role with fewer fields", asUser, "input By @oneOf {\n  id: ID\n  name: String\n}"],
  ])("The type keeps @oneOf for %s", async (_, headers, expected) => {
    const { data } = await ask(getIntrospectionQuery({ oneOf: true }), undefined, headers);
    const schema = buildClientSchema(data as IntrospectionQuery);
    const type = schema.getType("By");
    expect(isInputObjectType(type) && printType(type)).toBe(expected);
  });

  it("Other input objects do not get it", async () => {
    const { data } = await ask('{ a: __type(name: "Any") { isOneOf } q: __type(name: "Query") { isOneOf } }');
    expect(data.a).toEqual({ isOneOf: false });
  });
});

describe("Values", () => {
  it.each([
    ['{ find(by: {id: "1"}) }', { id: "1" }],
    ['{ find(by: {names: "a"}) }', { names: ["a"] }],
    ['{ find(by: {within: {name: "a"}}) }', { within: { name: "a" } }],
  ])("A literal with one field is sent: %s", async (query, value) => {
    expect(await ask(query)).toEqual(valid(value));
  });

  it("Variables for the object and for its field are sent", async () => {
    expect(await ask("query($b: By!) { find(by: $b) }", { b: { name: "a" } })).toEqual(valid({ name: "a" }));
    expect(await ask("query($n: String!) { find(by: {name: $n}) }", { n: "a" })).toEqual(valid({ name: "a" }));
  });

  const path = "$.selectionSet.find.args.by";
  it.each([
    ['{ find(by: {id: "1", name: "a"}) }', {}, "expected exactly one field for type 'By', but found 2", path],
    ["{ find(by: {}) }", {}, "expected exactly one field for type 'By', but found 0", path],
    ["{ find(by: {id: null}) }", {}, "unexpected null value for type 'ID!'", `${path}.id`],
    ['{ find(by: {id: null, name: "a"}) }', {}, "unexpected null value for type 'ID!'", `${path}.id`],
    ["query($b: By!) { find(by: $b) }", { b: {} }, "expected exactly one field for type 'By', but found 0", path],
    [
      "query($b: By!) { find(by: $b) }",
      { b: { within: { id: 1, name: "a" } } },
      "expected exactly one field for type 'By', but found 2",
      `${path}.within`,
    ],
    [
      "query($b: By!) { find(by: $b) }",
      { b: { name: null } },
      "unexpected null value for type 'String!'",
      `${path}.name`,
    ],
    [
      "query($n: String) { find(by: {name: $n}) }",
      { n: "a" },
      "variable 'n' is declared as 'String', but used where 'String!' is expected",
      `${path}.name`,
    ],
  ])("%s with %j is refused before the server is called", async (query, variables, message, at) => {
    const before = remote.requests.length;
    expect(await ask(query, variables)).toEqual(invalid(message, at));
    expect(remote.requests).toHaveLength(before);
  });
});

describe.skipIf(isSealed)("Permissions and servers", () => {
  it("A preset beside other fields is refused, because each value would have two fields", async () => {
    const schema = 'input By { id: ID @preset(value: "7") name: String } type Query { find(by: By!): String }';
    const args = { remote_schema: "find", role: "preset", definition: { schema } };
    const { json } = await engine.post("/v1/metadata", { type: "add_remote_schema_permissions", args });
    expect(JSON.stringify(json)).toContain("has exactly one field, so only its only field can have a preset");
  });

  it("A preset of the only field is sent", async () => {
    const schema = 'input By { id: ID @preset(value: "7") } type Query { find(by: By!): String }';
    await engine.metadata("add_remote_schema_permissions", {
      remote_schema: "find",
      role: "fixed",
      definition: { schema },
    });
    expect(await ask("{ find }", undefined, { "X-Engine-Role": "fixed" })).toEqual(valid({ id: "7" }));
  });

  it("A server without isOneOf receives no query with it", async () => {
    const asked: string[] = [];
    const introspection = JSON.stringify({
      data: {
        __schema: {
          queryType: { name: "Query" },
          types: [
            { kind: "INPUT_OBJECT", name: "By", inputFields: [{ name: "id", type: { kind: "SCALAR", name: "ID" } }] },
            {
              kind: "OBJECT",
              name: "Query",
              fields: [
                {
                  name: "old",
                  args: [{ name: "by", type: { kind: "INPUT_OBJECT", name: "By" } }],
                  type: { kind: "SCALAR", name: "String" },
                },
              ],
            },
            {
              kind: "OBJECT",
              name: "__Type",
              fields: [{ name: "name", args: [], type: { kind: "SCALAR", name: "String" } }],
            },
          ],
        },
      },
    });
    const { createServer } = await import("node:http");
    const old = createServer((request, response) => {
      let text = "";
      request.on("data", (chunk) => (text += chunk));
      request.on("end", () => {
        asked.push(text);
        response.end(introspection);
      });
    });
    await new Promise<void>((resolve) => old.listen(0, "127.0.0.1", resolve));
    const address = old.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
    const customization = { type_names: { prefix: "old_" } };
    await engine.metadata("add_remote_schema", { name: "old", definition: { url, customization } });
    await new Promise((resolve) => old.close(resolve));
    expect(asked).toHaveLength(1);
    expect(asked[0]).not.toContain("isOneOf");
    expect((await ask('{ __type(name: "old_By") { isOneOf } }')).data.__type).toEqual({ isOneOf: false });
  });
});
