/** Asynchronous actions on all endpoints: GraphQL, subscriptions, REST endpoints, artifacts, other executors. */
import { subscribe as execute, type GraphQLSchema, graphql, parse } from "graphql";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openLiveEngine } from "../../../runtime/server/live/open-engine.ts";
import { type ActionHandlerServer, startActionHandler } from "../../support/action-handler.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { WebsocketClient } from "../../support/websocket.ts";

let handler: ActionHandlerServer;
let live: TestServer;
let sealed: TestServer;
const environment = { ENGINE_GRAPHQL_ENABLE_ALLOWLIST: "true" };

const printing = "mutation print($page: Int!) { print(page: $page) }";
const result = "query result($id: uuid!) { print(id: $id) { id created_at errors output { page person { name } } } }";

const print = { handler: "{{HANDLER}}", kind: "asynchronous", output_type: "Printed!" };

beforeAll(async () => {
  handler = await startActionHandler(({ text }, response) => {
    const { page } = JSON.parse(text).input;
    if (page < 0) response.writeHead(422).end('{"message": "no such page", "code": "no-page"}');
    else response.end(JSON.stringify({ page, reader: 1, next: { page: page + 1, next: { page: page + 2 } } }));
  });
  Object.assign(environment, { HANDLER: `http://127.0.0.1:${handler.port}` });
  live = await startTestServer({ environment, sealed: false });
  const sql = "create table person (id int primary key, name text); insert into person values (1, 'Ann')";
  await live.post("/v2/query", { type: "run_sql", args: { sql } });
  const relationship = { name: "person", type: "object", remote_table: "person", field_mapping: { reader: "id" } };
  const fields = [
    { name: "page", type: "Int!" },
    { name: "reader", type: "Int" },
    { name: "next", type: "Next" },
  ];
  const nextFields = [
    { name: "page", type: "Int!" },
    { name: "next", type: "Next" },
  ];
  const endpoint = (name: string, url: string, method: string) => ({
    type: "create_rest_endpoint",
    args: { name, url, methods: [method], definition: { query: { collection_name: "desk", query_name: name } } },
  });
  const queries = Object.entries({ print: printing, result }).map(([name, query]) => ({ name, query }));
  await live.metadata("bulk", [
    { type: "pg_track_table", args: { table: "person" } },
    {
      type: "set_custom_types",
      args: {
        objects: [
          { name: "Printed", fields: fields.slice(0, 2), relationships: [relationship] },
          { name: "Chained", fields },
          { name: "Next", fields: nextFields },
        ],
      },
    },
    {
      type: "create_action",
      args: { name: "print", definition: { ...print, arguments: [{ name: "page", type: "Int!" }] } },
    },
    {
      type: "create_action",
      args: {
        name: "chain",
        definition: { ...print, output_type: "Chained", arguments: [{ name: "page", type: "Int!" }] },
      },
    },
    ...["reader", "limited"].flatMap((role) =>
      ["print", "chain"].map((action) => ({ type: "create_action_permission", args: { action, role } })),
    ),
    {
      type: "pg_create_select_permission",
      args: { table: "person", role: "other", permission: { columns: ["name"], filter: {} } },
    },
    { type: "add_inherited_role", args: { role_name: "heir", role_set: ["reader", "other"] } },
    { type: "create_query_collection", args: { name: "desk", definition: { queries } } },
    endpoint("print", "print/:page", "POST"),
    endpoint("result", "print/:id", "GET"),
    {
      type: "create_query_collection",
      args: {
        name: "allowed",
        definition: {
          queries: [
            { name: "start", query: "mutation { print(page: 1) }" },
            { name: "read", query: "query($id: uuid!) { print(id: $id) { output { page } } }" },
            { name: "watch", query: "subscription($id: uuid!) { print(id: $id) { output { page } } }" },
            { name: "chain", query: "mutation { chain(page: 1) }" },
            { name: "chained", query: "query($id: uuid!) { chain(id: $id) { output { next { next { page } } } } }" },
            {
              name: "two",
              query: "query($id: uuid!) { a: print(id: $id) { id } b: print(id: $id) { output { page } } }",
            },
          ],
        },
      },
    },
    { type: "add_collection_to_allowlist", args: { collection: "allowed" } },
    {
      type: "set_api_limits",
      args: {
        disabled: false,
        depth_limit: { global: 50, per_role: { limited: 3 } },
        node_limit: { global: 100, per_role: { limited: 2 } },
      },
    },
  ]);
  sealed = await startTestServer({ environment, on: live, sealed: true });
}, 120_000);

afterAll(async () => {
  await sealed?.stop();
  await live?.close();
  await handler?.close();
});

const reader = { "x-engine-role": "reader", "x-engine-user-id": "7" };

describe.each(["live", "sealed"])("Asynchronous actions on a %s server", (kind) => {
  const server = (): TestServer => (kind === "live" ? live : sealed);
  const ask = async (query: string, variables: object = {}, headers: Record<string, string> = {}) =>
    (await server().post("/v1/graphql", { query, variables }, headers)).json;
  const start = async (headers?: Record<string, string>): Promise<string> =>
    (await ask("mutation { print(page: 1) }", {}, headers)).data.print;
  const ended = (id: string, headers?: Record<string, string>, query = result) =>
    vi.waitFor(
      async () => {
        const { data, errors } = await ask(query, { id }, headers);
        expect(errors).toBeUndefined();
        expect(data.print.errors ?? data.print.output).not.toBeNull();
        return data.print;
      },
      { timeout: 5000, interval: 20 },
    );

  it("A REST endpoint returns the id of a call, and another one its result", async () => {
    const started = await server().post("/api/rest/print/3", {}, { "x-engine-user-id": "1" });
    const id = started.json.data.print;
    expect([started.status, started.json]).toEqual([
      200,
      { data: { print: expect.stringMatching(/^[0-9a-f-]{36}$/) } },
    ]);
    await ended(id);
    const read = await fetch(`${server().url}/api/rest/print/${id}`);
    expect(await read.json()).toEqual({
      data: {
        print: { id, created_at: expect.any(String), errors: null, output: { page: 3, person: { name: "Ann" } } },
      },
    });
    const failed = await server().post("/api/rest/print/-1", {});
    expect(await ended(failed.json.data.print)).toMatchObject({
      output: null,
      errors: { error: "no such page", code: "no-page", path: "$" },
    });
    const bad = await fetch(`${server().url}/api/rest/print/nobody`);
    expect([bad.status, await bad.json()]).toMatchObject([400, { code: "data-exception" }]);
  });

  it("OpenAPI describes both REST endpoints of an asynchronous action", async () => {
    const document = JSON.parse(await (await fetch(`${server().url}/api/swagger/json`)).text());
    const dataOf = (path: string, method: string) =>
      document.paths[path][method].responses["200"].content["application/json"].schema.properties.data.properties.print;
    expect(dataOf("/api/rest/print/{page}", "post")).toEqual({ $ref: "#/components/schemas/uuid_required" });
    expect(dataOf("/api/rest/print/{page}", "get")).toMatchObject({
      title: "print",
      nullable: true,
      properties: {
        id: { $ref: "#/components/schemas/uuid_required" },
        errors: { $ref: "#/components/schemas/json" },
        output: { title: "Printed", nullable: true, properties: { page: { type: "integer", nullable: false } } },
      },
    });
  });

  it("Introspection shows the types of an asynchronous action only to permitted roles", async () => {
    const query = '{ __type(name: "print") { fields { name type { name kind ofType { name } } } } }';
    const { data } = await ask(query);
    const named = (name: string) => ({ name: null, kind: "NON_NULL", ofType: { name } });
    expect(data.__type.fields).toEqual([
      { name: "created_at", type: named("timestamptz") },
      { name: "errors", type: { name: "json", kind: "SCALAR", ofType: null } },
      { name: "id", type: named("uuid") },
      { name: "output", type: { name: "Printed", kind: "OBJECT", ofType: null } },
    ]);
    expect((await ask("query { print(id: 1) { id } }", {}, { "x-engine-role": "other" })).errors).toHaveLength(1);
  });

  it("An inherited role may use its parents' asynchronous actions but not read their results", async () => {
    const heir = { "x-engine-role": "heir", "x-engine-user-id": "7" };
    const read = "query($id: uuid!) { print(id: $id) { output { page } } }";
    const id = await start(heir);
    expect(await ended(id, heir, read)).toEqual({ output: { page: 1 } });
    expect(await ask(read, { id }, reader)).toEqual({ data: { print: null } });
    expect(await ended(await start(reader), reader, read)).toEqual({ output: { page: 1 } });
  });

  it("The allow-list applies to asynchronous actions", async () => {
    const refused = { errors: [{ message: "query is not allowed", extensions: expect.anything() }] };
    expect(await ask("mutation { print(page: 2) }", {}, reader)).toEqual(refused);
    const id = await start(reader);
    expect(await ask("query($id: uuid!) { print(id: $id) { id } }", { id }, reader)).toEqual(refused);
  });

  it("Depth and node limits apply to results of asynchronous actions", async () => {
    const limited = { ...reader, "x-engine-role": "limited" };
    const id = await start(limited);
    const chained = "query($id: uuid!) { chain(id: $id) { output { next { next { page } } } } }";
    const codes = async (query: string) =>
      (await ask(query, { id }, limited)).errors?.map(
        ({ extensions }: { extensions: { code: string } }) => extensions.code,
      );
    expect(await codes("query($id: uuid!) { print(id: $id) { output { page } } }")).toBeUndefined();
    expect(await codes(chained)).toEqual(["depth-limit-exceeded"]);
    expect(await codes("query($id: uuid!) { a: print(id: $id) { id } b: print(id: $id) { output { page } } }")).toEqual(
      ["node-limit-exceeded"],
    );
  });

  it("A subscription to a result receives it when the call ends", async () => {
    const id = await start(reader);
    const client = await WebsocketClient.open(server().url, { protocol: "graphql-transport-ws" });
    client.send({ type: "connection_init", payload: { headers: reader } });
    const query = "subscription($id: uuid!) { print(id: $id) { output { page } } }";
    const results: unknown[] = [];
    for (let type = ""; type !== "complete"; ) {
      const message = (await client.next()) as { readonly type: string; readonly payload: unknown };
      type = message.type;
      if (type === "connection_ack") client.send({ id: "1", type: "subscribe", payload: { query, variables: { id } } });
      if (type === "next") results.push(message.payload);
    }
    expect(results.at(-1)).toEqual({ data: { print: { output: { page: 1 } } } });
    client.close();
  });
});

describe("Explaining results of asynchronous actions", () => {
  const explain = async (query: string) => {
    const { status, json } = await live.post("/v1/graphql/explain", { query: { query } });
    return [status, json.error];
  };
  const id = "00000000-0000-0000-0000-000000000000";

  it("Explain shows the table reads of a result", async () => {
    const { status, json } = await live.post("/v1/graphql/explain", { query: { query: result, variables: { id } } });
    expect([status, json]).toMatchObject([200, [{ field: "print", sql: expect.stringContaining('"person"') }]]);
    expect(json[0].plan.join()).toMatch(/Scan/);
  });

  it("Explain reports results that cannot be explained", async () => {
    const bare = "async action query fields without relationships to table cannot be explained";
    expect(await explain(`{ print(id: "${id}") { output { page } } }`)).toEqual([400, bare]);
    expect(await explain(`{ print(id: "${id}") { id status: errors } }`)).toEqual([400, bare]);
    expect(await explain("mutation { print(page: 1) }")).toEqual([400, "only queries can be explained"]);
    expect(await explain(`subscription { print(id: "${id}") { id } }`)).toEqual([
      400,
      "subscriptions on actions cannot be explained",
    ]);
  });
});

describe("Asynchronous actions in an external GraphQL schema", () => {
  let engine: Awaited<ReturnType<typeof openLiveEngine>>;
  let schema: GraphQLSchema;
  beforeAll(async () => {
    const databases = {
      ENGINE_GRAPHQL_DATABASE_URL: live.databaseUrl,
      ENGINE_GRAPHQL_METADATA_DATABASE_URL: live.metadataUrl,
    };
    const settings = { ...environment, ...databases, ENGINE_GRAPHQL_ENABLE_ALLOWLIST: "false" };
    engine = await openLiveEngine({ environment: settings, log: () => undefined }, "test");
    schema = engine.engineSchema("reader");
  });
  afterAll(() => engine.close());

  it("The external schema starts calls, reads results and notifies subscriptions", async () => {
    const contextValue = { session: engine.session("reader", { "x-engine-user-id": "7" }) };
    const started = await graphql({ schema, source: "mutation { print(page: 5) }", contextValue });
    expect(started.errors).toBeUndefined();
    const id = String(started.data?.print);
    const document = parse(`subscription { print(id: "${id}") { output { page } } }`);
    const results = await execute({ schema, document, contextValue });
    if (!(Symbol.asyncIterator in results)) throw new Error(JSON.stringify(results));
    const outputs: unknown[] = [];
    for await (const each of results) outputs.push(each.data?.print);
    expect(outputs.at(-1)).toEqual({ output: { page: 5 } });
    const source = `{ print(id: "${id}") { id errors output { page } } }`;
    const read = await graphql({ schema, source, contextValue });
    expect(read.data).toEqual({ print: { id, errors: null, output: { page: 5 } } });
    const other = { session: engine.session("reader", { "x-engine-user-id": "8" }) };
    expect((await graphql({ schema, source, contextValue: other })).data).toEqual({ print: null });
  });
});
