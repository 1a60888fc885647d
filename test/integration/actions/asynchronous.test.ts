/** Asynchronous actions: the client receives an id immediately, and reads the result by it later. */
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type ActionHandlerServer, type ActionRequest, startActionHandler } from "../../support/action-handler.ts";
import { query } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { WebsocketClient } from "../../support/websocket.ts";

let handler: ActionHandlerServer;
let engine: TestServer;
let answer: (request: ActionRequest, response: ServerResponse) => void;

const environment = () => ({ HANDLER: `http://127.0.0.1:${handler.port}`, TOKEN: "tok" });

const action = (name: string, definition: object) => ({
  type: "create_action",
  args: {
    name,
    definition: { handler: `{{HANDLER}}/${name}`, kind: "asynchronous", output_type: "Order!", ...definition },
  },
});

beforeAll(async () => {
  handler = await startActionHandler((request, response) => answer(request, response));
  // Disables scheduled polls of the log, so that only notifications can start a call.
  engine = await startTestServer({
    environment: { ...environment(), ENGINE_GRAPHQL_ASYNC_ACTIONS_FETCH_INTERVAL: "600000" },
  });
  const sql = `create table person (id int primary key, name text not null);
    insert into person values (1, 'Ann'), (2, 'Bob')`;
  await engine.post("/v2/query", { type: "run_sql", args: { sql } });
  await engine.metadata("bulk", [
    { type: "pg_track_table", args: { table: "person" } },
    {
      type: "set_custom_types",
      args: {
        objects: [
          {
            name: "Order",
            fields: [
              { name: "no", type: "Int!" },
              { name: "buyer", type: "Int" },
              { name: "price", type: "numeric" },
            ],
            relationships: [{ name: "person", type: "object", remote_table: "person", field_mapping: { buyer: "id" } }],
          },
        ],
      },
    },
    action("order", {
      arguments: [
        { name: "what", type: "String!" },
        { name: "extra", type: "json" },
      ],
      headers: [{ name: "x-token", value_from_env: "TOKEN" }],
      forward_client_headers: true,
    }),
    action("orders", { output_type: "[Order]" }),
    action("count", { output_type: "Int!" }),
    { type: "create_action_permission", args: { action: "order", role: "user" } },
    {
      type: "pg_create_select_permission",
      args: { table: "person", role: "user", permission: { columns: ["name"], filter: { id: 1 } } },
    },
  ]);
}, 60_000);

afterAll(async () => {
  await engine?.close();
  await handler?.close();
});

beforeEach(() => {
  answer = (_, response) => response.end('{"no": 1, "buyer": 1}');
});

const ask = async (text: string, variables?: object, headers?: Record<string, string>) =>
  (await engine.post("/v1/graphql", { query: text, variables }, headers)).json;

const start = async (field = 'order(what: "books")', headers?: Record<string, string>): Promise<string> => {
  const { data, errors } = await ask(`mutation { call: ${field} }`, {}, headers);
  expect(errors).toBeUndefined();
  return data.call;
};

const all = "id created_at errors output { no price person { name } }";
const result = async (id: string, headers?: Record<string, string>, name = "order", fields = all) => {
  const { data, errors } = await ask(`query($id: uuid!) { ${name}(id: $id) { ${fields} } }`, { id }, headers);
  expect(errors).toBeUndefined();
  return data[name];
};
/** Resolves when the handler has responded. */
const ended = (id: string, headers?: Record<string, string>, name?: string, fields = all) =>
  vi.waitFor(
    async () => {
      const found = await result(id, headers, name, fields.includes("errors") ? fields : `errors ${fields}`);
      expect(found.errors ?? found.output).not.toBeNull();
      return found;
    },
    { timeout: 5000, interval: 20 },
  );

describe("Asynchronous actions", () => {
  it("An asynchronous action returns an id at once and the handler's result later", async () => {
    const held: ServerResponse[] = [];
    answer = (_, response) => held.push(response);
    const id = await start('order(what: "books", extra: { n: 12345678901234567890 })', {
      "x-engine-user-id": "5",
      cookie: "a=b",
      "user-agent": "me",
    });
    expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(await result(id)).toEqual({
      id,
      created_at: expect.stringMatching(/^\d{4}-.*\+00:00$/),
      errors: null,
      output: null,
    });
    await vi.waitFor(() => expect(held).toHaveLength(1));
    expect(handler.requests.at(-1)?.text).toContain('"n": 12345678901234567890'.replace(" ", ""));
    expect(JSON.parse(handler.requests.at(-1)?.text ?? "")).toMatchObject({
      action: { name: "order" },
      input: { what: "books" },
      session_variables: { "x-engine-role": "admin", "x-engine-user-id": "5" },
      request_query: null,
    });
    expect(handler.requests.at(-1)).toMatchObject({
      path: "/order",
      method: "POST",
      headers: { "x-token": "tok", cookie: "a=b", "x-forwarded-user-agent": "me", "content-type": "application/json" },
    });
    held[0]?.end('{"no": 7, "buyer": 2, "price": 1.50, "more": true}');
    expect(await ended(id)).toMatchObject({ errors: null, output: { no: 7, price: 1.5, person: { name: "Bob" } } });
  });

  it("A result resolves relationships of lists under aliases and returns scalars unchanged", async () => {
    answer = ({ path }, response) =>
      response.end(path === "/count" ? "41" : '[{"no": 1, "buyer": 1}, null, {"no": 2}]');
    const id = await start("orders");
    const fields = "a: output { n: no who: person { name } } b: output { __typename no } __typename errors";
    await ended(id, {}, "orders", "errors output { no }");
    expect(await result(id, {}, "orders", fields)).toEqual({
      a: [{ n: 1, who: { name: "Ann" } }, null, { n: 2, who: null }],
      b: [{ __typename: "Order", no: 1 }, null, { __typename: "Order", no: 2 }],
      __typename: "orders",
      errors: null,
    });
    const counted = await start("count");
    expect(await ended(counted, {}, "count", "output")).toEqual({ errors: null, output: 41 });
  });

  it("Several asynchronous calls run concurrently", async () => {
    const held: ServerResponse[] = [];
    answer = (_, response) => held.push(response);
    const ids = await Promise.all(Array.from({ length: 30 }, () => start()));
    await vi.waitFor(() => expect(held).toHaveLength(30), { timeout: 5000 });
    for (const response of held) response.end('{"no": 2}');
    for (const id of ids) expect(await ended(id)).toMatchObject({ output: { no: 2 } });
  });

  it("Two asynchronous actions in one mutation start in order", async () => {
    const { data } = await ask('mutation { a: order(what: "a") __typename b: order(what: "b") }');
    expect(Object.keys(data)).toEqual(["a", "__typename", "b"]);
    expect(data.a).not.toBe(data.b);
    await ended(data.a);
    await ended(data.b);
  });

  it("An asynchronous action requires a permission and arguments of its types", async () => {
    const user = { "x-engine-role": "user" };
    expect((await ask("mutation { count }", {}, user)).errors[0].message).toBe(
      "field 'count' not found in type: 'mutation_root'",
    );
    expect(
      (await ask('query { count(id: "00000000-0000-0000-0000-000000000000") { id } }', {}, user)).errors[0].message,
    ).toBe("field 'count' not found in type: 'query_root'");
    expect((await ask("mutation { order(what: 1) }")).errors[0].extensions.path).toBe("$.selectionSet.order.args.what");
    expect((await ask("{ order { id } }")).errors[0].extensions.path).toBe("$.selectionSet.order.args.id");
    expect((await ask('{ order(id: "x") { id } }')).errors[0]).toMatchObject({
      message: 'invalid input syntax for type uuid: "x"',
      extensions: { code: "data-exception" },
    });
  });
});

describe("Results of asynchronous actions", () => {
  const ann = { "x-engine-role": "user", "x-engine-user-id": "1" };

  it("A result is visible to admin and to sessions with exactly the caller's session variables", async () => {
    answer = (_, response) => response.end('{"no": 1, "buyer": 2}');
    const id = await start('order(what: "x")', ann);
    expect(await ended(id, ann)).toMatchObject({ output: { no: 1, person: null } });
    expect(await result(id)).toMatchObject({ output: { no: 1, person: { name: "Bob" } } });
    expect(await result(id, { "x-engine-role": "user", "x-engine-user-id": "2" })).toBeNull();
    expect(await result(id, { ...ann, "x-engine-more": "1" })).toBeNull();
    expect(await result(id, { "x-engine-role": "user" })).toBeNull();
    const fields = "id errors output";
    expect(await result(id, {}, "count", fields)).toBeNull();
    expect(await result("00000000-0000-0000-0000-000000000000", ann)).toBeNull();
  });

  it("A failed call has an error whose details only admin sees", async () => {
    answer = (_, response) => response.writeHead(500).end('{"secret": 1}');
    const id = await start('order(what: "x")', ann);
    expect(await ended(id, ann)).toMatchObject({
      output: null,
      errors: { error: "internal error", path: "$", code: "unexpected" },
    });
    expect((await result(id, ann)).errors).not.toHaveProperty("internal");
    expect((await result(id)).errors.internal).toMatchObject({
      error: "expecting 2xx or 4xx status code, but found 500",
      response: { status: 500, body: { secret: 1 } },
    });
  });

  it.each<[string, (response: ServerResponse) => void, object]>([
    [
      "refuses",
      (response) => response.writeHead(422).end('{"message": "no", "code": "sold-out"}'),
      { error: "no", code: "sold-out", path: "$" },
    ],
    [
      "refuses with extensions",
      (response) => response.writeHead(400).end('{"message": "no", "extensions": {"code": "x", "more": 1}}'),
      { error: "no", extensions: { code: "x", more: 1 } },
    ],
    ["answers HTML", (response) => response.end("<p>"), { error: "not a valid json response from webhook" }],
    [
      "returns another type",
      (response) => response.end('"x"'),
      { error: "got scalar String for the action webhook response, expecting Order" },
    ],
    [
      "omits a field",
      (response) => response.end('{"buyer": 1}'),
      { error: 'field "no" expected in webhook response, but not found' },
    ],
    ["closes the connection", (response) => void response.destroy(), { error: "http exception when calling webhook" }],
    [
      "redirects",
      (response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
      { error: "http exception when calling webhook" },
    ],
    [
      "returns invalid UTF-8",
      (response) => response.end(Buffer.from([0x7b, 0xff])),
      { error: "not a valid json response from webhook" },
    ],
  ])("A call ends with an error if the handler %s", async (_, reply, errors) => {
    answer = (__, response) => reply(response);
    expect((await ended(await start())).errors).toMatchObject(errors);
  });

  it("Client headers are stored only for handlers with forwarding, and without secrets", async () => {
    const id = await start('order(what: "x")', {
      cookie: "a=b",
      "x-engine-admin-secret": "s",
      authorization: "Bearer t",
    });
    const other = await start("count", { cookie: "a=b", authorization: "Bearer t" });
    const rows = await query(
      engine.metadataUrl,
      `select request_headers as headers from engine_catalog.engine_action_log where id in ('${id}', '${other}') order by created_at`,
    );
    expect(rows[0]?.headers).toMatchObject({ cookie: "a=b", authorization: "Bearer t" });
    expect(rows[0]?.headers).not.toHaveProperty("x-engine-admin-secret");
    expect(rows[1]?.headers).toEqual({});
    await ended(id);
  });
});

describe("Subscriptions to asynchronous actions", () => {
  const nextMessage = async (client: WebsocketClient): Promise<unknown> => {
    for (;;) {
      const message = (await client.next()) as { readonly type: string };
      if (message.type !== "ping") return message;
    }
  };
  const subscribe = async (id: string, headers?: Record<string, string>) => {
    const client = await WebsocketClient.open(engine.url, { protocol: "graphql-transport-ws" });
    client.send({ type: "connection_init", payload: { headers } });
    expect(await nextMessage(client)).toEqual({ type: "connection_ack" });
    client.send({
      id: "1",
      type: "subscribe",
      payload: {
        query: "subscription($id: uuid!) { order(id: $id) { errors output { no person { name } } } }",
        variables: { id },
      },
    });
    return client;
  };

  it("A subscription to a result receives it when the call ends, and completes", async () => {
    const held: ServerResponse[] = [];
    answer = (_, response) => held.push(response);
    const id = await start();
    const client = await subscribe(id);
    expect(await nextMessage(client)).toMatchObject({
      type: "next",
      payload: { data: { order: { errors: null, output: null } } },
    });
    await vi.waitFor(() => expect(held).toHaveLength(1));
    const since = performance.now();
    held[0]?.end('{"no": 3, "buyer": 1}');
    expect(await nextMessage(client)).toMatchObject({
      payload: { data: { order: { errors: null, output: { no: 3, person: { name: "Ann" } } } } },
    });
    expect(performance.now() - since).toBeLessThan(900);
    expect(await nextMessage(client)).toEqual({ id: "1", type: "complete" });
    client.close();
    const late = await subscribe(id);
    expect(await nextMessage(late)).toMatchObject({ payload: { data: { order: { output: { no: 3 } } } } });
    expect(await nextMessage(late)).toEqual({ id: "1", type: "complete" });
    late.close();
  });

  it("A subscription of another session receives no result and completes", async () => {
    const held: ServerResponse[] = [];
    answer = (_, response) => held.push(response);
    const id = await start('order(what: "x")', { "x-engine-role": "user", "x-engine-user-id": "1" });
    const client = await subscribe(id, { "x-engine-role": "user", "x-engine-user-id": "2" });
    expect(await nextMessage(client)).toMatchObject({ payload: { data: { order: null } } });
    expect(await nextMessage(client)).toEqual({ id: "1", type: "complete" });
    client.close();
    await vi.waitFor(() => expect(held).toHaveLength(1));
    held[0]?.end("null");
    await ended(id);
  });
});
