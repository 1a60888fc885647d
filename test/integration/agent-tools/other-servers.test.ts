/** Tools whose operations call remote schemas, relationships to them, and actions: the official client, over HTTP. */
import type { ServerResponse } from "node:http";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type ActionHandlerServer, startActionHandler } from "../../support/action-handler.ts";
import { type RemoteGraphql, type RemoteRequest, startRemoteGraphql } from "../../support/remote-graphql.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

const sdl = `
  enum Continent { EUROPE ASIA HIDDEN }
  type Country { code: ID! name: String! area: Float continent: Continent secret: String }
  type Query { country(code: ID!): Country countries: [Country!]! }
  type Mutation { rename(code: ID!, name: String!): Country }
`;
/** The schema that the role sees. */
const permitted = sdl.replace(" HIDDEN", "").replace(" secret: String", "");

const emma = { code: "EM", name: "Emma", area: 1.5, continent: "EUROPE" };

const customTypes = {
  objects: [
    {
      name: "Price",
      fields: [
        { name: "cents", type: "Int!" },
        { name: "buyer", type: "Int" },
        { name: "tags", type: "[String!]" },
      ],
      relationships: [{ name: "person", type: "object", remote_table: "person", field_mapping: { buyer: "id" } }],
    },
  ],
};

const operations = {
  country: "query Country($code: ID!) { country(code: $code) { code name area continent } }",
  people: "query People { person(order_by: {id: asc}) { name home { name continent } } }",
  rename: "mutation Rename($code: ID!, $name: String!) { rename(code: $code, name: $name) { name } }",
  rename_in_geo: 'mutation RenameInGeo($code: ID!) { geo { rename(code: $code, name: "x") { name } } }',
  move: "mutation Move($id: Int!, $iso: String!) { update_person_by_pk(pk_columns: {id: $id}, _set: {iso: $iso}) { id home { name } } }",
  all: "mutation All { update_person(where: {}, _inc: {visits: 1}) { returning { id } } }",
  price: "query Price($book: Int!) { price(book: $book) { cents tags person { name } } }",
  order: "mutation Order($book: Int!) { order(book: $book) { cents } }",
  ship: "mutation Ship($book: Int!) { ship(book: $book) }",
  shipped: "query Shipped($id: uuid!) { ship(id: $id) { id errors output { cents } } }",
};
type ToolName = keyof typeof operations;

const role = "clerk";
const all = { role, permission: { columns: "*", filter: {} } };
const action = (name: string, definition: object) => ({
  ...{ name, permissions: [{ role }] },
  definition: { handler: `{{HANDLER}}/${name}`, arguments: [{ name: "book", type: "Int!" }], ...definition },
});

let remote: RemoteGraphql;
let handler: ActionHandlerServer;
let server: TestServer;
let client: Client;
let answerRemote: (request: RemoteRequest) => string | Promise<string>;
let answerAction: (response: ServerResponse) => void;
let abandoned = 0;
const shown: string[] = [];

const remoteSchema = (name: string, customization: object) => ({
  name,
  definition: { url: `http://127.0.0.1:${remote.port}/`, timeout_seconds: 60, customization },
  permissions: [{ role, definition: { schema: permitted } }],
});

function metadata() {
  const home = {
    to_remote_schema: {
      remote_schema: "world",
      lhs_fields: ["iso"],
      remote_field: { country: { arguments: { code: "$iso" } } },
    },
  };
  const table = {
    ...{ table: "person", select_permissions: [all], remote_relationships: [{ name: "home", definition: home }] },
    update_permissions: [{ role, permission: { columns: "*", filter: {}, check: {} } }],
  };
  const connection_info = { database_url: { from_env: "ENGINE_GRAPHQL_DATABASE_URL" } };
  const queries = Object.entries(operations).map(([name, query]) => ({ name, query }));
  return {
    version: 3,
    sources: [{ name: "default", kind: "postgres", configuration: { connection_info }, tables: [table] }],
    remote_schemas: [
      remoteSchema("world", {}),
      remoteSchema("geography", { root_fields_namespace: "geo", type_names: { prefix: "Geo" } }),
    ],
    custom_types: customTypes,
    actions: [
      action("price", { type: "query", output_type: "Price" }),
      action("order", { type: "mutation", output_type: "Price" }),
      action("ship", { type: "mutation", kind: "asynchronous", output_type: "Price" }),
    ],
    query_collections: [{ name: "all", definition: { queries } }],
    agent_tools: Object.keys(operations).map((name) => ({
      ...{ name, limits: { seconds: 2, ...(name === "all" && { rows: 1 }) } },
      definition: { query: { collection_name: "all", query_name: name } },
    })),
  };
}

beforeAll(async () => {
  remote = await startRemoteGraphql(sdl, 0, {
    answer: (request) => answerRemote(request),
    onTakenBack: () => void abandoned++,
  });
  handler = await startActionHandler((_, response) => answerAction(response));
  server = await startTestServer({
    environment: {
      ENGINE_GRAPHQL_ENABLED_APIS: "metadata,graphql,mcp",
      ENGINE_GRAPHQL_MCP_ADMIN_SECRET: "true",
      ENGINE_GRAPHQL_ENABLE_REMOTE_SCHEMA_PERMISSIONS: "true",
      HANDLER: `http://127.0.0.1:${handler.port}`,
    },
  });
  const sql = `create table person (id int primary key, name text not null, iso text, visits int default 0);
    insert into person values (1, 'Ann', 'EM'), (2, 'Bob', null)`;
  await server.post("/v2/query", { type: "run_sql", args: { sql } });
  const args = { allow_inconsistent_metadata: false, metadata: metadata() };
  const { json } = await server.post("/v1/metadata", { type: "replace_metadata", version: 2, args });
  expect(json).toMatchObject({ is_consistent: true });
  client = new Client(
    { name: "test", version: "1" },
    { capabilities: { elicitation: {} }, versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  client.setRequestHandler("elicitation/create", async ({ params }) => {
    shown.push(params.message);
    return { action: "accept", content: {} };
  });
  const requestInit = { headers: { "x-engine-role": role } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit }));
  // The client checks results of listed tools against their output schemas.
  await client.listTools();
}, 60_000);

afterAll(async () => {
  await client?.close();
  await server?.close();
  await remote?.close();
  await handler?.close();
});

afterEach(() => {
  remote.requests.length = 0;
  handler.requests.length = 0;
  shown.length = 0;
});

const call = async (name: ToolName, values: Record<string, unknown> = {}) => {
  const result = await client.callTool({ name, arguments: values });
  const [block] = (result.content as readonly { readonly text: string }[]).slice(-1);
  return { data: result.structuredContent, text: block?.text ?? "", isError: result.isError === true };
};
const found = (country: object | null) => () => JSON.stringify({ data: { country } });
const reply = (status: number, body: unknown) => (response: ServerResponse) => {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
};
const toolsByName = async () => new Map((await client.listTools()).tools.map((tool) => [tool.name, tool]));

describe("A tool that calls a remote schema", () => {
  it("It is listed with the hint that it reaches other servers, and without what the role cannot see", async () => {
    const tool = (await toolsByName()).get("country");
    expect(tool?.annotations).toMatchObject({ readOnlyHint: true, openWorldHint: true });
    expect(tool?.inputSchema).toMatchObject({ properties: { code: { type: "string" } }, required: ["code"] });
    expect(JSON.stringify(tool)).not.toMatch(/HIDDEN|secret/);
  });

  it("Its result matches the output schema, also with a value that the role's schema lacks", async () => {
    answerRemote = found(emma);
    expect((await call("country", { code: "EM" })).data).toEqual({ country: emma });
    answerRemote = found({ ...emma, continent: "HIDDEN" });
    expect((await call("country", { code: "EM" })).data).toMatchObject({ country: { continent: "HIDDEN" } });
    answerRemote = found(null);
    expect((await call("country", { code: "XX" })).data).toEqual({ country: null });
  });

  it("It shows the messages of the remote server as GraphQL does, but not its extensions", async () => {
    const errors = [{ message: "no such country", extensions: { trace: "at db.internal:5432" } }];
    answerRemote = () => JSON.stringify({ data: null, errors });
    const { text, isError } = await call("country", { code: "XX" });
    expect([isError, text]).toEqual([
      true,
      expect.stringContaining("the remote schema returned errors: no such country"),
    ]);
    expect(text).not.toContain("db.internal");
    expect(text).not.toContain("or may have");
    const graphql = await server.graphql(operations.country, { "x-engine-role": role }, { code: "XX" });
    expect(graphql).toMatchObject({ errors: [{ message: "no such country" }] });
  });

  it("It hides why a server was not reached", async () => {
    answerRemote = () => "not JSON {";
    const { text, isError } = await call("country", { code: "EM" });
    expect([isError, /code: remote-schema-error/.test(text)]).toEqual([true, true]);
  });

  it("A call that exceeds its time aborts the request to the remote server", async () => {
    const before = abandoned;
    answerRemote = () => new Promise<never>(() => undefined);
    const { text, isError } = await call("country", { code: "EM" });
    expect([isError, text]).toEqual([true, expect.stringContaining("code: time-limit-exceeded")]);
    await vi.waitUntil(() => abandoned > before, { timeout: 5000 });
  });

  it("A cancelled call aborts the request to the remote server", async () => {
    const before = abandoned;
    answerRemote = () => new Promise<never>(() => undefined);
    const abort = new AbortController();
    const running = client.callTool({ name: "country", arguments: { code: "EM" } }, { signal: abort.signal });
    await vi.waitUntil(() => remote.requests.length > 0);
    abort.abort();
    await expect(running).rejects.toThrow();
    await vi.waitUntil(() => abandoned > before, { timeout: 5000 });
  });
});

describe("A tool with a relationship to a remote schema", () => {
  it("Its result contains the joined objects, and matches the output schema", async () => {
    answerRemote = ({ query }) => {
      const keys = [...query.matchAll(/(\w+)\s*:\s*country\b/g)].map(([, key]) => [key, emma]);
      return JSON.stringify({ data: { country: emma, ...Object.fromEntries(keys) } });
    };
    const { data } = await call("people");
    expect(data).toMatchObject({
      person: [
        { name: "Ann", home: { name: "Emma", continent: "EUROPE" } },
        { name: "Bob", home: null },
      ],
    });
    expect(await toolsByName().then((tools) => tools.get("people")?.annotations)).toMatchObject({
      openWorldHint: true,
    });
  });

  it("It fails if the remote server fails, because a result without the objects would look complete", async () => {
    answerRemote = () => JSON.stringify({ errors: [{ message: "out of order" }] });
    const { text, isError } = await call("people");
    expect([isError, text]).toEqual([true, expect.stringContaining("Error: Errors from remote server")]);
  });

  it("A write whose joined objects are missing reports that the data has changed", async () => {
    answerRemote = () => JSON.stringify({ errors: [{ message: "out of order" }] });
    const { text, isError } = await call("move", { id: 2, iso: "EM" });
    expect(isError).toBe(true);
    expect(text).toContain("The call has changed data before this error, or may have.");
    const rows = await server.graphql('{ person(where: {iso: {_eq: "EM"}}) { id } }');
    expect(rows).toEqual({ data: { person: [{ id: 1 }, { id: 2 }] } });
  });
});

describe("A tool that writes through a remote schema", () => {
  it.each(["rename", "rename_in_geo"] as const)(
    "It calls the server only after the confirmation, which states that the effect is unknown: %s",
    async (name) => {
      answerRemote = () => JSON.stringify({ data: { rename: { name: "Emma" } } });
      const before = remote.requests.length;
      const { text } = await unconfirmed(name);
      expect(remote.requests.length).toBe(before);
      expect(text).toContain("its effect cannot be determined in advance. It calls other services");
      const { isError } = await call(name, name === "rename" ? { code: "EM", name: "Emma" } : { code: "EM" });
      expect([isError, shown.length, remote.requests.length]).toEqual([false, 1, before + 1]);
    },
  );

  it("An error after the call warns that it may have had an effect", async () => {
    answerRemote = () => new Promise<never>(() => undefined);
    const { text, isError } = await call("rename", { code: "EM", name: "Emma" });
    expect([isError, text]).toEqual([
      true,
      expect.stringContaining("The call has changed data before this error, or may have."),
    ]);
  });
});

/** Calls a tool as a client without forms does, without its confirmation. */
async function unconfirmed(name: ToolName): Promise<{ readonly text: string }> {
  const values =
    name === "rename" ? { code: "EM", name: "Emma" } : name === "rename_in_geo" ? { code: "EM" } : { book: 1 };
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: values } };
  const { json } = await server.post("/mcp", body, { "x-engine-role": role });
  expect(json.result.isError).toBe(true);
  return { text: json.result.content[0].text };
}

describe("A tool that calls an action", () => {
  it("An action of type query runs without a confirmation; its result matches the output schema", async () => {
    answerAction = reply(200, { cents: 300, buyer: 1, tags: ["new"], other: 1 });
    const { data } = await call("price", { book: 1 });
    expect([data, shown]).toEqual([{ price: { cents: 300, tags: ["new"], person: { name: "Ann" } } }, []]);
  });

  it("A member of another scalar type, which GraphQL passes on, matches the output schema, too", async () => {
    answerAction = reply(200, { cents: "300", tags: [1, true] });
    const { data } = await call("price", { book: 1 });
    expect(data).toEqual({ price: { cents: "300", tags: [1, true], person: null } });
    const tool = (await toolsByName()).get("price");
    const validate = new Ajv2020({ strict: false }).compile(tool?.outputSchema as object);
    expect([validate(data), validate({ price: { cents: {}, tags: null, person: null } })]).toEqual([true, false]);
  });

  it("It shows the message and the code of the handler, but no internal details", async () => {
    answerAction = reply(400, { message: "out of print", extensions: { code: "no-stock", trace: "db.internal" } });
    const { text, isError } = await call("price", { book: 1 });
    expect([isError, text]).toEqual([true, expect.stringMatching(/^Error: out of print\ncode: no-stock\n/)]);
    expect(text).not.toContain("db.internal");
    answerAction = reply(200, { cents: null });
    const invalid = await call("price", { book: 1 });
    expect([invalid.isError, invalid.text.includes("127.0.0.1")]).toEqual([true, false]);
  });

  it("An action of type mutation is called only after the confirmation, which states that the effect is unknown", async () => {
    answerAction = reply(200, { cents: 300 });
    const { text } = await unconfirmed("order");
    expect([text, handler.requests]).toEqual([expect.stringContaining("It calls other services"), []]);
    expect((await call("order", { book: 1 })).data).toEqual({ order: { cents: 300 } });
    expect([shown, handler.requests.length]).toEqual([[expect.stringContaining("It calls other services")], 1]);
  });

  it("A call that exceeds its time warns that it may have had an effect", async () => {
    answerAction = () => undefined;
    const { text, isError } = await call("order", { book: 1 });
    expect([isError, text]).toEqual([
      true,
      expect.stringContaining("The call has changed data before this error, or may have."),
    ]);
  });

  it("An asynchronous action returns an id after the confirmation, and another tool reads its result", async () => {
    answerAction = reply(200, { cents: 300 });
    expect([(await unconfirmed("ship")).text, handler.requests]).toEqual([
      expect.stringContaining("other services"),
      [],
    ]);
    const { data } = await call("ship", { book: 1 });
    const { ship: id } = data as { readonly ship: string };
    await vi.waitFor(
      async () => {
        expect((await call("shipped", { id })).data).toEqual({ ship: { id, errors: null, output: { cents: 300 } } });
      },
      { timeout: 5000 },
    );
    expect(shown).toHaveLength(1);
  });
});

describe("A write whose result exceeds the limits of the tool", () => {
  it("It reports that the data has changed, so that it is not repeated", async () => {
    const { text, isError } = await call("all");
    expect([isError, text]).toEqual([
      true,
      expect.stringContaining("The call has changed data before this error, or may have."),
    ]);
    expect(text).toContain("the result has 2 rows, more than the limit of 1 rows");
    expect(await server.graphql("{ person { visits } }")).toEqual({ data: { person: [{ visits: 1 }, { visits: 1 }] } });
  });
});
