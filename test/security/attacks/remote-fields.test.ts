/** Attacks through remote schemas: on the remote server through the engine, and on the engine by the remote server. */
import { parse } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RemoteGraphql, type RemoteRequest, startRemoteGraphql } from "../../support/remote-graphql.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

const sdl = `
  interface Node { id: ID! }
  type User implements Node { id: ID! name(style: String): String password: String }
  type Secret implements Node { id: ID! code: String }
  enum Sort { NAME PASSWORD }
  input Filter { owner: ID! name: String passwordLike: String }
  type Query {
    users(filter: Filter, sort: Sort, limit: Int): [User!]!
    node(id: ID!): Node
    secrets: [Secret!]!
    echo(text: String): String
  }
  type Mutation { wipe: Boolean }
`;
const root = {
  users: () => [{ id: 1, name: "ann", password: "p" }],
  node: ({ id }: { id: string }) => (id === "s" ? { __typename: "Secret", id: "s" } : { __typename: "User", id }),
  echo: ({ text }: { text: string }) => text,
};
const document = `
  interface Node { id: ID! }
  type User implements Node { id: ID! name: String }
  enum Sort { NAME }
  input Filter { owner: ID! @preset(value: "x-engine-user-id") name: String }
  type Query {
    users(filter: Filter, sort: Sort, limit: Int @preset(value: 10)): [User!]!
    node(id: ID!): Node
    echo(text: String): String
  }
`;

let answer: ((request: RemoteRequest) => string) | undefined;
let remote: RemoteGraphql;
let evil: RemoteGraphql;
let engine: TestServer;

beforeAll(async () => {
  remote = await startRemoteGraphql(sdl, 0, { root });
  evil = await startRemoteGraphql("type Query { evil: String }", 0, { answer: (request) => answer?.(request) ?? "" });
  engine = await startTestServer({ environment: { ENGINE_GRAPHQL_ENABLE_REMOTE_SCHEMA_PERMISSIONS: "true" } });
  const definition = { url: `http://127.0.0.1:${remote.port}/`, forward_client_headers: true };
  await engine.metadata("add_remote_schema", { name: "people", definition });
  const permission = { remote_schema: "people", role: "user", definition: { schema: document } };
  await engine.metadata("add_remote_schema_permissions", permission);
  const badly = { url: `http://127.0.0.1:${evil.port}/`, timeout_seconds: 2 };
  await engine.metadata("add_remote_schema", { name: "evil", definition: badly });
});

afterAll(async () => {
  await engine?.close();
  await remote?.close();
  await evil?.close();
});

const asUser = { "x-engine-role": "user", "x-engine-user-id": "7" };
const ask = async (query: string, variables?: object, headers: Record<string, string> = asUser) =>
  (await engine.post("/v1/graphql", { query, variables }, headers)).json;

describe("Remote fields without permission", () => {
  it.each([
    ["a field", "{ users { password } }", {}],
    ["a field of an interface's other type", "{ node(id: 1) { ... on User { password } } }", {}],
    ["a root field", "{ secrets { id } }", {}],
    ["a mutation", "mutation { wipe }", {}],
    ["an argument", '{ users { name(style: "x") } }', {}],
    ["a preset argument", "{ users(limit: 1000) { id } }", {}],
    ["a value of an enum", "{ users(sort: PASSWORD) { id } }", {}],
    ["a value of an enum, in a variable", "query ($s: Sort) { users(sort: $s) { id } }", { s: "PASSWORD" }],
    ["a value of an enum, as a default", "query ($s: Sort = PASSWORD) { users(sort: $s) { id } }", {}],
    ["a field of an input object", '{ users(filter: { passwordLike: "a" }) { id } }', {}],
    ["the same in a variable", "query ($f: Filter) { users(filter: $f) { id } }", { f: { passwordLike: "a" } }],
    ["a preset field", "query ($f: Filter) { users(filter: $f) { id } }", { f: { owner: "1" } }],
    ["the type of a variable", "query ($x: Secret) { users(filter: $x) { id } }", { x: {} }],
    ["the name of a session variable", "{ users(filter: {}) { id owner: $session_x_engine_user_id_ID_required } }", {}],
  ])("A remote field without permission does not reach the server: %s", async (_, query, variables) => {
    const before = remote.requests.length;
    expect(await ask(query, variables)).toHaveProperty("errors");
    expect(remote.requests).toHaveLength(before);
  });

  it("A remote type without permission appears in no schema and no type name", async () => {
    const { data } = await ask('{ __type(name: "Secret") { name } __schema { types { name fields { name } } } }');
    expect(data.__type).toBeNull();
    expect(JSON.stringify(data)).not.toMatch(/Secret|password|wipe|limit/);
    expect(await ask('{ node(id: "s") { id __typename ... on Secret { code } } }')).toEqual({
      data: { node: { id: "s", __typename: "Node" } },
    });
  });

  it("Remote fields do not exist for a role without a permission document", async () => {
    expect(await ask("{ users { id } }", {}, { "x-engine-role": "other" })).toHaveProperty("errors");
  });

  it("A preset argument cannot be overridden by variables of similar names", async () => {
    const name = "session_x_engine_user_id_ID_required";
    const query = `query ($${name}: String) { echo(text: $${name}) users(filter: {}) { id } }`;
    expect(await ask(query, { [name]: "1" })).toHaveProperty("data.users");
    const sent = remote.requests.slice(-2).find(({ query: text }) => text.includes("users"));
    expect(Object.values(sent?.variables ?? {})).toEqual(["7"]);
    expect(sent?.query).toContain("limit: 10");
  });
});

describe("Requests with remote fields", () => {
  it.each(['"} evil: secrets { id code', "\\u0022 }", "\n#", '"""', "\u2028", "$" + "{x}"])(
    "A request cannot inject GraphQL text: %j",
    async (text) => {
      expect(await ask(`{ echo(text: ${JSON.stringify(text)}) }`)).toEqual({ data: { echo: text } });
      expect(parse(remote.requests.at(-1)?.query ?? "").definitions).toHaveLength(1);
      expect(await ask("query ($t: String) { echo(text: $t) }", { t: text })).toEqual({ data: { echo: text } });
      expect(remote.requests.at(-1)?.query).toBe("query($t: String) { echo(text: $t) }");
    },
  );

  it("A request cannot forward forged session variables", async () => {
    await ask("{ echo }", {}, { ...asUser, "x-engine-user-id": "8", cookie: "c=1", "x-other": "o" });
    expect(remote.headers.at(-1)).toMatchObject({ "x-engine-user-id": "8", "x-engine-role": "user", cookie: "c=1" });
    expect(Object.keys(remote.headers.at(-1) ?? {})).not.toContain("x-engine-admin-secret");
  });

  it("A request with multiplying fragments is refused before it is sent", async () => {
    const levels = Array.from({ length: 30 }, (_, i) => `fragment f${i} on Node { ...f${i + 1} ...f${i + 1} }`);
    const query = `{ node(id: 1) { ...f0 } }\n${levels.join("\n")}\nfragment f30 on Node { id }`;
    const before = remote.requests.length;
    expect(await ask(query)).toHaveProperty("errors");
    expect(remote.requests).toHaveLength(before);
  });
});

describe("Hostile responses of remote servers", () => {
  it.each([
    ["no JSON", "<html>"],
    ["half of a JSON text", '{"data":{"evil":"a'],
    ["more than one JSON text", '{"data":{"evil":"a"}} {}'],
    ["a list", "[]"],
    ["no data", "{}"],
    ["data without the field", '{"data":{"other":1}}'],
    ["a deep value", `{"data":{"evil":${"[".repeat(5000)}${"]".repeat(5000)}}}`],
    ["malformed errors", '{"errors":"},{"}'],
  ])("A remote server whose response is %s fails only that request", async (_, text) => {
    answer = () => text;
    const { status, json } = await engine.post("/v1/graphql", { query: "{ evil }" });
    expect(status).toBe(200);
    expect(json.errors).toHaveLength(1);
    expect(await ask('{ echo(text: "x") }')).toEqual({ data: { echo: "x" } });
  });

  it("A remote server cannot write into the value of another field", async () => {
    answer = () => '{"data":{"evil":"a"},"data2":1,"data":{"evil":"b"}}';
    expect(await ask("{ evil __typename }", {}, {})).toEqual({ data: { evil: "b", __typename: "query_root" } });
  });

  it("A remote server cannot inject SDL through type names", async () => {
    const type = { kind: "SCALAR", name: "String" };
    const field = { name: "a: String } type Mutation { b", args: [], type };
    const types = [{ kind: "OBJECT", name: "Query", fields: [field], interfaces: [] }, type];
    const lying = await startRemoteGraphql("type Query { a: String }");
    await lying.close();
    const schema = JSON.stringify({ data: { __schema: { queryType: { name: "Query" }, types } } });
    const { createServer } = await import("node:http");
    const server = createServer((_, response) => response.end(schema)).listen(lying.port, "127.0.0.1");
    const args = { name: "lying", definition: { url: `http://127.0.0.1:${lying.port}/` } };
    const { status, json } = await engine.post("/v1/metadata", { type: "add_remote_schema", args });
    expect([status, json.code]).toEqual([400, "remote-schema-error"]);
    server.closeAllConnections();
    server.close();
  });
});
