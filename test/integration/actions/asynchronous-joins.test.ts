/** Relationships of the results of asynchronous actions to tables and other sources, in queries and subscriptions. */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type ActionHandlerServer, startActionHandler } from "../../support/action-handler.ts";
import { createDatabase, query, type TestDatabase } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { WebsocketClient } from "../../support/websocket.ts";

let handler: ActionHandlerServer;
let other: TestDatabase;
/** Servers without and with joins in subscriptions. */
let plain: TestServer;
let joining: TestServer;

beforeAll(async () => {
  handler = await startActionHandler((_, response) => response.end('[{"no": 1, "buyer": 1}, {"no": 2}]'));
  other = await createDatabase("other_source");
  await query(other.url, "create table stock (no int primary key, place text); insert into stock values (1, 'Rome')");
  const environment = { HANDLER: `http://127.0.0.1:${handler.port}`, OTHER: other.url };
  plain = await startTestServer({ sealed: false, environment });
  const sql = `create table person (id int primary key, name text); insert into person values (1, 'Ann')`;
  await query(plain.databaseUrl, sql);
  const toStock = (field: string) => ({
    to_source: { relationship_type: "object", source: "other", table: "stock", field_mapping: { [field]: "no" } },
  });
  const type = {
    name: "Line",
    fields: [
      { name: "no", type: "Int!" },
      { name: "buyer", type: "Int" },
    ],
    relationships: [{ name: "person", type: "object", remote_table: "person", field_mapping: { buyer: "id" } }],
    remote_relationships: [{ name: "stock", definition: toStock("no") }],
  };
  const definition = { handler: "{{HANDLER}}", kind: "asynchronous", output_type: "[Line!]!" };
  const configuration = { connection_info: { database_url: { from_env: "OTHER" } } };
  await plain.metadata("bulk", [
    { type: "pg_add_source", args: { name: "other", configuration } },
    { type: "pg_track_table", args: { source: "other", table: "stock" } },
    { type: "pg_track_table", args: { table: "person" } },
    {
      type: "pg_create_remote_relationship",
      args: { table: "person", name: "home", definition: toStock("id") },
    },
    { type: "set_custom_types", args: { objects: [type] } },
    { type: "create_action", args: { name: "pack", definition } },
  ]);
  const joins = { ENGINE_GRAPHQL_EXPERIMENTAL_FEATURES: "remote_joins_in_subscriptions" };
  joining = await startTestServer({ sealed: false, on: plain, environment: { ...environment, ...joins } });
}, 60_000);

afterAll(async () => {
  await joining?.stop();
  await plain?.close();
  await other?.drop();
  await handler?.close();
});

async function ended(): Promise<string> {
  const { json } = await plain.post("/v1/graphql", { query: "mutation { pack }" });
  const id: string = json.data.pack;
  const body = { query: `{ pack(id: "${id}") { output { no } } }` };
  await vi.waitFor(
    async () => expect((await plain.post("/v1/graphql", body)).json.data.pack.output).not.toBeNull(),
    5000,
  );
  return id;
}

/** Returns all results of a subscription until it completes. */
async function resultsOf(server: TestServer, text: string): Promise<readonly unknown[]> {
  const client = await WebsocketClient.open(server.url, { protocol: "graphql-transport-ws" });
  client.send({ type: "connection_init" });
  client.send({ id: "1", type: "subscribe", payload: { query: text } });
  const payloads: unknown[] = [];
  for (;;) {
    const message = (await client.next()) as { readonly type: string; readonly payload?: unknown };
    if (message.type === "next" || message.type === "error") payloads.push(message.payload);
    if (message.type === "complete" || message.type === "error") break;
  }
  client.close();
  return payloads;
}

const tables = "output { no person { name } }";
const besides = {
  output: [
    { no: 1, person: { name: "Ann" } },
    { no: 2, person: null },
  ],
};
const joined = "output { stock { place } person { name home { place } } }";
const found = {
  output: [
    { stock: { place: "Rome" }, person: { name: "Ann", home: { place: "Rome" } } },
    { stock: null, person: null },
  ],
};
const refused = [
  {
    message: "Remote relationships are not allowed in subscriptions",
    extensions: { path: "$", code: "not-supported" },
  },
];

describe("Results of asynchronous actions with relationships", () => {
  it("The result of an asynchronous action joins tables and other sources in a query", async () => {
    const id = await ended();
    for (const [fields, answer] of [
      [tables, besides],
      [joined, found],
    ] as const) {
      const { json } = await plain.post("/v1/graphql", { query: `{ pack(id: "${id}") { ${fields} } }` });
      expect(json).toEqual({ data: { pack: answer } });
    }
  });

  it("The result of an asynchronous action joins tables in a subscription, in any order", async () => {
    const id = await ended();
    for (const server of [plain, joining]) {
      expect(await resultsOf(server, `subscription { pack(id: "${id}") { ${tables} } }`)).toEqual([
        { data: { pack: besides } },
      ]);
    }
  });

  it("The result of an asynchronous action joins other sources in a subscription only if subscriptions may join", async () => {
    const id = await ended();
    const text = `subscription { pack(id: "${id}") { ${joined} } }`;
    expect(await resultsOf(plain, text)).toEqual([refused]);
    expect(
      await resultsOf(plain, `subscription { pack(id: "${id}") { output { person { home { place } } } } }`),
    ).toEqual([refused]);
    expect(await resultsOf(joining, text)).toEqual([{ data: { pack: found } }]);
  });
});

describe("Explaining joined results of actions", () => {
  const explain = async (selection: string, joins?: boolean) => {
    const query = `{ pack(id: "00000000-0000-0000-0000-000000000000") { output { no ${selection} } } }`;
    const { status, json } = await plain.post("/v1/graphql/explain", { query: { query }, joins });
    return [status, json.error ?? json];
  };

  it("Explain shows the joins of a result on request and refuses them otherwise", async () => {
    expect(await explain("stock { no }")).toEqual([400, "queries with remote relationships cannot be explained"]);
    const joined = { field: "pack", sql: null, joins: [{ source: "other", sql: expect.stringContaining("stock") }] };
    expect(await explain("stock { no }", true)).toMatchObject([200, [joined]]);
    const both = { ...joined, sql: expect.stringContaining("person") };
    expect(await explain("person { name } stock { no }", true)).toMatchObject([200, [both]]);
  });
});
