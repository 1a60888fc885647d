/** Connection templates: the connection of each request, and caches that are separate for each connection. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, query, type TestDatabase } from "../../support/database.ts";
import { isSealed, startTestServer, type TestServer } from "../../support/server.ts";
import { WebsocketClient } from "../../support/websocket.ts";

const tenants = ["north", "south"] as const;
const databases = new Map<string, TestDatabase>();
let engine: TestServer;

const template = `
  {{ if $.request.headers?["x-from"] == "primary" }} {{ $.primary }}
  {{ elif $.request.query?.operation_name == "Usual" }} {{ $.default }}
  {{ else }} {{ $.connection_set[$.request.session.x-engine-tenant] }} {{ end }}`;

const urlOf = (name: string): string => databases.get(name)?.url ?? "";

const configured = (text: string, more: object = {}) => ({
  connection_info: { database_url: urlOf("primary") },
  connection_template: { template: text },
  connection_set: [
    ...tenants.map((name) => ({ name, connection_info: { database_url: urlOf(name) } })),
    // No server listens there.
    { name: "gone", connection_info: { database_url: "postgres://me:s3cret@127.0.0.1:1/gone" } },
  ],
  ...more,
});

const as = (tenant: string, more: Record<string, string> = {}) => ({
  "x-engine-role": "user",
  "x-engine-tenant": tenant,
  ...more,
});

const update = (args: object) =>
  engine.post("/v1/metadata", { type: "pg_update_source", args: { name: "shop", ...args } });

beforeAll(async () => {
  for (const name of ["primary", ...tenants]) {
    const database = await createDatabase(name);
    databases.set(name, database);
    await query(
      database.url,
      `create table note (id serial primary key, text text not null);
       insert into note (text) values ('${name}');
       create table guest_of_${name} (name text);
       create view guest as select name from guest_of_${name};
       create function notes() returns setof note language sql stable as 'select * from note'`,
    );
  }
  engine = await startTestServer({
    environment: {
      ENGINE_GRAPHQL_ENABLED_APIS: "metadata,graphql,metrics",
      SHOP: urlOf("primary"),
      SHOP_NORTH: urlOf("north"),
      SHOP_SOUTH: urlOf("south"),
      ENGINE_GRAPHQL_CLOSE_WEBSOCKETS_ON_METADATA_CHANGE: "false",
      ENGINE_GRAPHQL_ENABLED_LOG_TYPES: "startup,http-log,query-log",
      ENGINE_GRAPHQL_LIVE_QUERIES_MULTIPLEXED_REFETCH_INTERVAL: "50",
      ENGINE_GRAPHQL_STREAMING_QUERIES_MULTIPLEXED_REFETCH_INTERVAL: "50",
    },
  });
  await query(
    engine.databaseUrl,
    "create table visit (note_id integer primary key); insert into visit values (1); create table stay (id int)",
  );
  await engine.metadata("pg_add_source", { name: "shop", configuration: configured(template) });
  for (const table of ["note", "guest"]) await engine.metadata("pg_track_table", { source: "shop", table });
  await engine.metadata("pg_track_function", { source: "shop", function: "notes" });
  const all = { columns: "*", filter: {} };
  for (const table of ["note", "guest"]) {
    const args = { source: "shop", table, role: "user", permission: all };
    await engine.metadata("pg_create_select_permission", args);
  }
  const permission = { columns: ["text"], check: {} };
  await engine.metadata("pg_create_insert_permission", { source: "shop", table: "note", role: "user", permission });
  for (const table of ["visit", "stay"]) await engine.metadata("pg_track_table", { table });
  await engine.metadata("pg_create_select_permission", { table: "stay", role: "user", permission: all });
  const definition = {
    to_source: { source: "shop", table: "note", relationship_type: "object", field_mapping: { note_id: "id" } },
  };
  await engine.metadata("pg_create_remote_relationship", {
    source: "default",
    table: "visit",
    name: "note",
    definition,
  });
  // The other source determines which visits are visible.
  const filter = { note: { text: { _in: tenants } } };
  await engine.metadata("pg_create_select_permission", {
    table: "visit",
    role: "user",
    permission: { columns: "*", filter },
  });
}, 120_000);

afterAll(async () => {
  await engine?.close();
  await Promise.all([...databases.values()].map((database) => database.drop()));
});

const first = { query: "{ note(where: {id: {_eq: 1}}) { text } }" };
const ask = async (headers: Record<string, string>, body: object = first): Promise<unknown> =>
  (await engine.post("/v1/graphql", body, headers)).json;
const answer = (text: string) => ({ data: { note: [{ text }] } });

describe("Connection templates in requests", () => {
  it("A connection template routes queries by session variables, headers and operation names", async () => {
    expect(await ask(as("north"))).toEqual(answer("north"));
    expect(await ask(as("south"))).toEqual(answer("south"));
    expect(await ask(as("south", { "X-From": "primary" }))).toEqual(answer("primary"));
    const named = { query: `query Usual ${first.query} query Other ${first.query}`, operationName: "Usual" };
    expect(await ask(as("south"), named)).toEqual(answer("primary"));
    expect(await ask(as("south"), { ...named, operationName: "Other" })).toEqual(answer("south"));
  });

  it("Requests of admins ignore the connection template", async () => {
    expect(await ask({ "x-engine-tenant": "north" })).toEqual(answer("primary"));
  });

  it("A connection template routes mutations with their returned rows", async () => {
    const mutation = { query: 'mutation { insert_note_one(object: {text: "written"}) { id text } }' };
    const written = { data: { insert_note_one: { id: 2, text: "written" } } };
    expect(await ask(as("north"), mutation)).toEqual(written);
    const texts = (name: string) => query(urlOf(name), "select text from note order by id");
    expect(await texts("north")).toEqual([{ text: "north" }, { text: "written" }]);
    for (const name of ["primary", "south"]) expect(await texts(name)).toEqual([{ text: name }]);
  });

  it("A connection template routes functions, aggregates, joins and data operations", async () => {
    const body = { query: "{ notes(where: {id: {_eq: 1}}) { text } visit { note { text } } }" };
    expect(await ask(as("south"), body)).toEqual({
      data: { notes: [{ text: "south" }], visit: [{ note: { text: "south" } }] },
    });
    const select = { type: "select", args: { source: "shop", table: "note", columns: ["text"], where: { id: 1 } } };
    expect((await engine.post("/v1/query", select, as("south"))).json).toEqual([{ text: "south" }]);
    const args = { source: "shop", table: "note", objects: [{ text: "by data operation" }] };
    expect((await engine.post("/v1/query", { type: "insert", args }, as("south"))).json).toEqual({ affected_rows: 1 });
    const found = "select 1 as found from note where text = 'by data operation'";
    expect(await query(urlOf("south"), found)).toEqual([{ found: 1 }]);
    expect(await query(urlOf("primary"), found)).toEqual([]);
  });

  it("Subscriptions of different connections are separate", async () => {
    const open = async (headers: Record<string, string>, text: string) => {
      const client = await WebsocketClient.open(engine.url, { protocol: "graphql-transport-ws" });
      client.send({ type: "connection_init", payload: { headers } });
      client.send({ type: "subscribe", id: "1", payload: { query: text } });
      for (;;) {
        const message = (await client.next()) as { readonly type: string; readonly payload: unknown };
        if (message.type === "error") throw new Error(JSON.stringify(message.payload));
        if (message.type !== "next") continue;
        client.ws.close();
        return message.payload;
      }
    };
    const live = "subscription { note(where: {id: {_eq: 1}}) { text } }";
    const stream = "subscription { note_stream(batch_size: 1, cursor: {initial_value: {id: 0}}) { text } }";
    const heads = [as("north"), as("south"), as("south", { "x-from": "primary" })];
    const names = ["north", "south", "primary"];
    expect(await Promise.all(heads.map((headers) => open(headers, live)))).toEqual(names.map(answer));
    expect(await Promise.all(heads.map((headers) => open(headers, stream)))).toEqual(
      names.map((text) => ({ data: { note_stream: [{ text }] } })),
    );
  });

  it("Cached responses of different connections are separate", async () => {
    const body = { query: "query @cached { note(where: {id: {_eq: 1}}) { text } }" };
    for (const round of [1, 2]) {
      for (const tenant of tenants) {
        const { json, headers } = await engine.post("/v1/graphql", body, as(tenant));
        expect(json).toEqual(answer(tenant));
        expect(headers.get("cache-control") !== null, `round ${round}`).toBe(true);
      }
    }
    const primary = await engine.post("/v1/graphql", body, as("north", { "x-from": "primary" }));
    expect(primary.json).toEqual(answer("primary"));
  });

  it("Explain and the query log show the chosen connection", async () => {
    const body = { query: { query: "{ guest { name } }" }, user: as("south") };
    const explained = await engine.post("/v1/graphql/explain", body);
    expect(explained.text).toContain("guest_of_south");
    expect(explained.text).not.toContain("guest_of_primary");
    const missing = { ...body, user: as("nowhere") };
    const { json } = await engine.post("/v1/graphql/explain", missing);
    expect(json).toMatchObject({ code: "template-resolution-failed" });
    await ask(as("south"));
    const lines = () =>
      engine.log
        .map((line) => JSON.parse(line))
        .filter(({ type }) => type === "query-log")
        .map(({ detail }) => detail.connection_template);
    await expect.poll(lines).toContainEqual({ shop: { routing_to: "connection_set", value: "south" } });
  });

  it("Unresolved templates and lost connections fail only their own requests", async () => {
    expect(await ask(as("nowhere"))).toEqual({
      errors: [
        {
          extensions: { code: "template-resolution-failed", path: "$" },
          message: "the connection template of the source does not resolve to a connection",
        },
      ],
    });
    expect(await ask({ "x-engine-role": "user" })).toMatchObject({
      errors: [{ extensions: { code: "template-resolution-failed" } }],
    });
    const gone = await ask(as("gone"));
    expect(gone).toMatchObject({ errors: [{ message: "connection error" }] });
    expect(JSON.stringify(gone)).not.toMatch(/s3cret|127\.0\.0\.1/);
    expect(engine.log.join()).not.toContain("s3cret");
    expect(await ask(as("north"))).toEqual(answer("north"));
    // Requests to other sources are unaffected, unless a permission refers to this one.
    expect(await ask(as("nowhere"), { query: "{ stay { id } }" })).toEqual({ data: { stay: [] } });
    expect(await ask(as("nowhere"), { query: "{ visit { note_id } }" })).toMatchObject({
      errors: [{ extensions: { code: "template-resolution-failed" } }],
    });
    expect(await engine.metadata("get_inconsistent_metadata", {})).toEqual([]);
  });

  it("The connections of each member are counted", async () => {
    const text = await (await fetch(`${engine.url}/v1/metrics`)).text();
    const roles = [...text.matchAll(/^engine_postgres_connections\{source_name="shop".*role="(\w+)"\}/gm)].map(
      ([, role]) => role,
    );
    expect(roles.sort()).toEqual(["member", "member", "member", "primary"]);
  });
});

describe("Changes of connection templates", () => {
  it("An invalid connection template is refused", async () => {
    const refused = async (configuration: object) => (await update({ configuration })).json;
    for (const [text, reason] of [
      ["{{ $.primry }}", "connection template: There is no 'primry'. did you mean \"primary\"?"],
      ["{{ $.connection_set.nort }}", "connection template: There is no 'nort'. did you mean \"north\"?"],
      ["{{ $.read_replicas }}", "connection template: The source has no read replicas."],
      ["{{ if }}", "connection template: Unexpected token '}}'."],
    ] as const) {
      expect(JSON.stringify(await refused(configured(text))), text).toContain(JSON.stringify(reason).slice(1, -1));
    }
    const member = { name: "x", connection_info: { database_url: { from_env: "NOT_SET" } } };
    const answered = JSON.stringify(await refused(configured("{{ $.primary }}", { connection_set: [member] })));
    expect(answered).toContain("environment variable 'NOT_SET' not set");
    expect(await ask(as("north"))).toEqual(answer("north"));
  });

  it.skipIf(isSealed)("A changed connection template applies to running subscriptions", async () => {
    const client = await WebsocketClient.open(engine.url, { protocol: "graphql-transport-ws" });
    client.send({ type: "connection_init", payload: { headers: as("north") } });
    const text = "subscription { note(where: {id: {_eq: 1}}) { text } }";
    client.send({ type: "subscribe", id: "1", payload: { query: text } });
    const next = async (): Promise<unknown> => {
      for (;;) {
        const message = (await client.next()) as { readonly type: string; readonly payload: unknown };
        if (message.type === "next") return message.payload;
      }
    };
    expect(await next()).toEqual(answer("north"));
    expect((await update({ configuration: configured("{{ $.connection_set.south }}") })).status).toBe(200);
    expect(await next()).toEqual(answer("south"));
    client.ws.close();
  });
});

describe("The pg_test_connection_template operation", () => {
  const query = { operation_type: "query" };
  beforeAll(async () => void (await update({ configuration: configured(template) })));

  const test = async (args: object) =>
    (await engine.post("/v1/metadata", { type: "pg_test_connection_template", args: { source_name: "shop", ...args } }))
      .json;

  it("pg_test_connection_template shows the connection of a request by the stored or the given template", async () => {
    const context = { headers: { "X-From": 1 }, session: { "X-Engine-Tenant": "south" }, query };
    expect(await test({ request_context: context })).toEqual({
      result: { routing_to: "connection_set", value: "south" },
    });
    const given = {
      template: '{{ if $.request.headers.x-from == "1" }} {{ $.primary }} {{ else }} {{ $.default }} {{ end }}',
    };
    expect(await test({ request_context: context, connection_template: given })).toEqual({
      result: { routing_to: "primary", value: null },
    });
  });

  it("pg_test_connection_template reports errors with their location", async () => {
    expect(await test({ request_context: { query } })).toMatchObject({
      code: "template-resolution-failed",
      path: "$.args",
      error: "connection template: 'Object' has no attribute 'x-engine-tenant'.",
      internal: [{ error_code: "Attribute Error", source_position: { start_line: 3 } }],
    });
    expect(await test({ request_context: {}, connection_template: { template: "{{ $.primry }}" } })).toMatchObject({
      error: "connection template: There is no 'primry'. did you mean \"primary\"?",
    });
    expect(await test({ request_context: {}, source_name: "default" })).toMatchObject({
      code: "not-found",
      error: 'source with name "default" has no connection template',
    });
  });
});

it("The connection template example of docs/how-to/scaling.md works", async () => {
  const page = await readFile(join(import.meta.dirname, "../../../docs/how-to/scaling.md"), "utf8");
  const [, section = ""] = page.split("## Connection templates");
  const blocks = [...section.matchAll(/^```json\n(.*?)^```/gms)].map(([, text = ""]) => JSON.parse(text));
  const [change, tested, answered] = blocks;
  expect((await engine.post("/v1/metadata", change)).json).toEqual({ message: "success" });
  expect((await engine.post("/v1/metadata", tested)).json).toEqual(answered);
  expect(await ask(as("north"))).toEqual(answer("north"));
  expect(await ask(as("nowhere"))).toEqual(answer("primary"));
});
