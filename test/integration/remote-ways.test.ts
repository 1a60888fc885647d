/**
 * Fields of a remote schema on other endpoints and under restrictions: REST endpoints and their OpenAPI document,
 * allow-list, limits, artifacts, Relay.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RemoteGraphql, startRemoteGraphql } from "../support/remote-graphql.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

const sdl = `
  enum State { open paid }
  type Line { book: String! price: Float }
  type Invoice { id: ID! state: State! lines: [Line!]! next: Invoice }
  input Wanted { state: State! shop: Int }
  type Query { invoice(id: ID!): Invoice invoices(wanted: Wanted): [Invoice!]! slow: Int refuse(why: String!): Int }
  type Mutation { pay(id: ID!): Invoice }
`;
const invoice = (id: string) => ({
  id,
  state: "open",
  lines: [{ book: "Emma", price: 4.5 }],
  next: () => invoice(`${id}+`),
});
const root = {
  invoice: ({ id }: { id: string }) => invoice(id),
  invoices: ({ wanted }: { wanted?: { state: string } }) => [{ ...invoice("1"), state: wanted?.state ?? "open" }],
  slow: () => new Promise(() => undefined),
  refuse: ({ why }: { why: string }) => {
    throw new Error(why);
  },
  pay: ({ id }: { id: string }) => ({ ...invoice(id), state: "paid" }),
};

/** A clerk may not see prices, and queries only its own shop. */
const clerkSdl = `
  schema { query: Query }
  enum State { open paid }
  type Line { book: String! }
  type Invoice { id: ID! state: State! lines: [Line!]! next: Invoice }
  input Wanted { state: State! shop: Int @preset(value: "x-engine-shop") }
  type Query { invoice(id: ID!): Invoice invoices(wanted: Wanted): [Invoice!]! slow: Int }
`;
const clerk = { "x-engine-role": "clerk", "x-engine-shop": "7" };

const saved = {
  invoice: "query invoice($id: ID!) { invoice(id: $id) { id state lines { book } } }",
  invoices: "query invoices($state: State!) { invoices(wanted: { state: $state }) { id state } }",
  pay: "mutation pay($id: ID!) { pay(id: $id) { id state } }",
  refuse: "query refuse($why: String!) { refuse(why: $why) }",
  slow: "query slow { slow }",
  deep: "query deep { invoice(id: 1) { next { next { id } } } }",
  wide: "query wide { a: invoice(id: 1) { id } b: invoice(id: 2) { lines { book } next { id } } }",
};

let remote: RemoteGraphql;
let live: TestServer;
let sealed: TestServer;

beforeAll(async () => {
  remote = await startRemoteGraphql(sdl, 0, { root });
  const environment = {
    INVOICES: `http://127.0.0.1:${remote.port}/graphql`,
    ENGINE_GRAPHQL_ENABLE_REMOTE_SCHEMA_PERMISSIONS: "true",
    ENGINE_GRAPHQL_ENABLE_ALLOWLIST: "true",
  };
  live = await startTestServer({ environment, sealed: false });
  const sql = "create table person (id int primary key, name text); insert into person values (1, 'Ann')";
  await live.post("/v2/query", { type: "run_sql", args: { sql } });
  const queries = Object.entries(saved).map(([name, query]) => ({ name, query }));
  const endpoint = (name: string, url: string, methods: readonly string[]) => ({
    type: "create_rest_endpoint",
    args: { name, url, methods, definition: { query: { collection_name: "desk", query_name: name } } },
  });
  await live.metadata("bulk", [
    { type: "pg_track_table", args: { table: "person" } },
    { type: "add_remote_schema", args: { name: "invoices", definition: { url: "{{INVOICES}}" } } },
    ...["clerk", "limited"].map((role) => ({
      type: "add_remote_schema_permissions",
      args: { remote_schema: "invoices", role, definition: { schema: clerkSdl } },
    })),
    {
      type: "pg_create_select_permission",
      args: { table: "person", role: "other", permission: { columns: ["name"], filter: {} } },
    },
    { type: "add_inherited_role", args: { role_name: "heir", role_set: ["clerk", "other"] } },
    { type: "create_query_collection", args: { name: "desk", definition: { queries } } },
    { type: "add_collection_to_allowlist", args: { collection: "desk" } },
    endpoint("invoice", "invoice/:id", ["GET"]),
    endpoint("invoices", "invoices", ["POST"]),
    endpoint("pay", "pay/:id", ["POST"]),
    endpoint("refuse", "refuse/:why", ["GET"]),
    {
      type: "set_api_limits",
      args: {
        disabled: false,
        depth_limit: { global: 50, per_role: { limited: 2 } },
        node_limit: { global: 100, per_role: { limited: 3 } },
        time_limit: { global: 60, per_role: { limited: 1 } },
      },
    },
  ]);
  sealed = await startTestServer({ environment, on: live, sealed: true });
}, 120_000);

afterAll(async () => {
  await sealed?.stop();
  await live?.close();
  await remote?.close();
});

describe.each(["live", "sealed"])("Remote schemas on a %s server", (kind) => {
  const server = (): TestServer => (kind === "live" ? live : sealed);
  const ask = async (query: string, headers: Record<string, string> = {}, variables: object = {}) =>
    (await server().post("/v1/graphql", { query, variables }, headers)).json;
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${server().url}/api/rest/${path}`, { headers });
    return [answer.status, await answer.json()];
  };
  const codes = async (query: string, headers: Record<string, string>) =>
    (await ask(query, headers)).errors?.map(({ extensions }: { extensions: { code: string } }) => extensions.code);

  it("A REST endpoint returns remote results", async () => {
    const invoiceOf = (id: string) => ({ id, state: "open", lines: [{ book: "Emma" }] });
    expect(await get("invoice/9")).toEqual([200, { data: { invoice: invoiceOf("9") } }]);
    const paid = await server().post("/api/rest/pay/9", {});
    expect([paid.status, paid.json]).toEqual([200, { data: { pay: { id: "9", state: "paid" } } }]);
    const found = await server().post("/api/rest/invoices", { state: "paid" }, clerk);
    expect([found.status, found.json]).toEqual([200, { data: { invoices: [{ id: "1", state: "paid" }] } }]);
    expect(remote.requests.at(-1)?.variables).toMatchObject({ state: "paid" });
    expect(Object.values(remote.requests.at(-1)?.variables ?? {})).toContainEqual(7);
  });

  it("A REST endpoint passes remote errors on and refuses invalid arguments", async () => {
    expect(await get("refuse/closed")).toMatchObject([200, { errors: [{ message: "closed", path: ["refuse"] }] }]);
    const before = remote.requests.length;
    const bad = await server().post("/api/rest/invoices", { state: "lost" });
    expect([bad.status, bad.json]).toMatchObject([400, { code: "validation-failed" }]);
    expect((await server().post("/api/rest/pay/1", {}, clerk)).status).toBe(400);
    expect(remote.requests).toHaveLength(before);
  });

  it("OpenAPI describes REST endpoints of remote fields", async () => {
    const document = JSON.parse(await (await fetch(`${server().url}/api/swagger/json`)).text());
    const { parameters, responses } = document.paths["/api/rest/invoice/{id}"].get;
    expect(parameters.at(-1)).toMatchObject({ name: "id", in: "path", required: true, schema: { type: "string" } });
    const { data } = responses["200"].content["application/json"].schema.properties;
    expect(data.properties.invoice).toMatchObject({
      title: "Invoice",
      nullable: true,
      properties: {
        lines: { type: "array", nullable: false, items: { title: "Line", properties: { book: { type: "string" } } } },
      },
    });
    expect(JSON.stringify(document.components.schemas)).toContain('"enum":["open","paid"]');
  });

  it("The allow-list applies to remote fields for roles other than admin", async () => {
    expect(await ask(saved.slow.replace("slow {", "other {"), clerk)).toMatchObject({
      errors: [{ message: "query is not allowed" }],
    });
    expect(await ask(saved.invoice, clerk, { id: "3" })).toMatchObject({ data: { invoice: { id: "3" } } });
    expect(await ask("{ invoice(id: 3) { id } }")).toEqual({ data: { invoice: { id: "3" } } });
  });

  it("Depth, node and time limits apply to remote fields", async () => {
    const limited = { ...clerk, "x-engine-role": "limited" };
    const before = remote.requests.length;
    expect(await codes(saved.deep, limited)).toEqual(["depth-limit-exceeded"]);
    expect(await codes(saved.wide, limited)).toEqual(["node-limit-exceeded"]);
    expect(remote.requests).toHaveLength(before);
    expect(await codes(saved.wide, clerk)).toBeUndefined();
    expect(await codes(saved.slow, limited)).toEqual(["time-limit-exceeded"]);
  });

  it("An inherited role has exactly the remote fields of its parents", async () => {
    const heir = { ...clerk, "x-engine-role": "heir" };
    expect(await ask(saved.invoice, heir, { id: "3" })).toMatchObject({ data: { invoice: { id: "3" } } });
    expect(await ask(saved.invoice, { "x-engine-role": "other" }, { id: "3" })).toMatchObject({
      errors: [{ message: "field 'invoice' not found in type: 'query_root'" }],
    });
    expect(await ask(saved.pay, heir, { id: "3" })).toMatchObject({ errors: [{ message: expect.any(String) }] });
  });

  it("The Relay API has no remote fields", async () => {
    const relay = async (query: string) => (await server().post("/v1beta1/relay", { query })).json;
    expect(await relay("{ invoice(id: 1) { id } }")).toMatchObject({
      errors: [{ message: "field 'invoice' not found in type: 'query_root'" }],
    });
    expect(await relay("{ person_connection { edges { node { name } } } }")).toEqual({
      data: { person_connection: { edges: [{ node: { name: "Ann" } }] } },
    });
    const { data } = await relay("{ __schema { types { name } } }");
    expect(data.__schema.types).not.toContainEqual({ name: "Invoice" });
  });
});

it("Explain refuses remote fields and accepts a table alone", async () => {
  const explain = (query: string) => live.post("/v1/graphql/explain", { query: { query } });
  const refused = await explain("{ invoice(id: 1) { id } }");
  expect([refused.status, refused.json]).toMatchObject([
    400,
    { code: "invalid-params", error: "only engine queries can be explained" },
  ]);
  expect((await explain("{ person { name } invoice(id: 1) { id } }")).status).toBe(400);
  expect((await explain("{ person { name } }")).json).toMatchObject([{ field: "person" }]);
});
