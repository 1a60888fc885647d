/** Subscriptions to remote schemas over `graphql-transport-ws`. */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { WebSocket } from "ws";
import { type RemoteStreamServer, startRemoteStreams } from "../../support/remote-streams.ts";
import { isSealed, startTestServer, type TestServer } from "../../support/server.ts";
import { WebsocketClient } from "../../support/websocket.ts";

const sdl = `
  interface Event { at: Int! }
  type Sale implements Event { at: Int! price: Float by: String }
  type Secret implements Event { at: Int! code: String }
  type Query { now: Int }
  type Subscription { sales(shop: ID!, by: String): Sale! events: Event counts(to: Int!): Int fails: Int }
`;

/** Ends the subscription; called by the tests. */
let release: () => void = () => undefined;
const root = {
  async *sales({ shop, by }: { shop: string; by?: string }) {
    yield { sales: { at: 1, price: 2.5, by: `${shop} ${by}` } };
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    yield { sales: { at: 2, price: 3, by: shop } };
  },
  async *events() {
    yield { events: { __typename: "Sale", at: 1, price: 1 } };
    yield { events: { __typename: "Secret", at: 2, code: "x" } };
  },
  async *counts({ to }: { to: number }) {
    for (let i = 1; i <= to; i++) yield { counts: i };
  },
  async *fails() {
    yield { fails: 1 };
    yield { fails: new Error("no more") };
    yield { fails: 3 };
  },
};

let remote: RemoteStreamServer;
let raw: RemoteStreamServer;
let onSocket: (socket: WebSocket) => void = () => undefined;
let refusal: number | undefined;
let engine: TestServer;
const open: WebsocketClient[] = [];

const permission = `
  interface Event { at: Int! }
  type Sale implements Event { at: Int! price: Float by: String }
  type Query { now: Int }
  type Subscription { sales(shop: ID!, by: String @preset(value: "x-engine-user-id")): Sale! events: Event }
`;

beforeAll(async () => {
  remote = await startRemoteStreams(sdl, { root });
  raw = await startRemoteStreams("type Query { a: Int } type Subscription { ticks: Float ends: Int }", {
    onSocket: (socket) => onSocket(socket),
    refusal: () => refusal,
  });
  engine = await startTestServer({
    environment: {
      KEY: "k",
      ENGINE_GRAPHQL_ENABLE_REMOTE_SCHEMA_PERMISSIONS: "true",
      ENGINE_GRAPHQL_CLOSE_WEBSOCKETS_ON_METADATA_CHANGE: "false",
    },
  });
  const definition = (port: number) => ({
    url: `http://127.0.0.1:${port}/graphql`,
    subscriptions: true,
    headers: [{ name: "x-key", value_from_env: "KEY" }],
    forward_client_headers: true,
  });
  await engine.metadata("add_remote_schema", { name: "shop", definition: definition(remote.port) });
  await engine.metadata("add_remote_schema_permissions", {
    remote_schema: "shop",
    role: "clerk",
    definition: { schema: permission },
  });
  const customization = { root_fields_namespace: "clock", type_names: { prefix: "Clock" } };
  const clock = { ...definition(raw.port), timeout_seconds: 2, customization };
  await engine.metadata("add_remote_schema", { name: "clock", definition: clock });
});

afterEach(() => {
  release();
  for (const client of open.splice(0)) client.close();
  onSocket = () => undefined;
  refusal = undefined;
});

afterAll(async () => {
  await engine?.close();
  await remote?.close();
  await raw?.close();
});

async function connected(headers: Record<string, string> = {}): Promise<WebsocketClient> {
  const client = await WebsocketClient.open(engine.url, { protocol: "graphql-transport-ws" });
  open.push(client);
  client.send({ type: "connection_init", payload: { headers } });
  expect(await take(client, 1)).toEqual([{ type: "connection_ack" }]);
  return client;
}

/** Returns the next `count` messages as text, without keep-alives. */
async function texts(client: WebsocketClient, count: number): Promise<string[]> {
  const found: string[] = [];
  while (found.length < count) {
    const text = await client.text();
    if (!text.startsWith('{"type":"ping"')) found.push(text);
  }
  return found;
}

async function take(client: WebsocketClient, count: number): Promise<unknown[]> {
  return (await texts(client, count)).map((text): unknown => JSON.parse(text));
}

const subscribe = (client: WebsocketClient, query: string, variables?: object) =>
  client.send({ type: "subscribe", id: "s", payload: { query, variables } });
const next = (data: unknown) => ({ type: "next", id: "s", payload: { data } });
const complete = { type: "complete", id: "s" };

/** Returns a connection handler that accepts connections and passes each operation to `then`. */
function answering(then: (socket: WebSocket, operation: { readonly payload: unknown }) => void) {
  return (socket: WebSocket): void => {
    socket.on("message", (text) => {
      const message = JSON.parse(String(text));
      if (message.type === "connection_init") socket.send('{"type":"connection_ack"}');
      if (message.type === "subscribe") then(socket, message);
    });
  };
}
const tick = (value: string) => `{"id":"1","type":"next","payload":{"data":{"ticks":${value}}}}`;

describe("Remote subscriptions", () => {
  it("A remote subscription delivers all results in order and completes", async () => {
    const client = await connected();
    subscribe(client, "subscription Count($n: Int!) { n: counts(to: $n) }", { n: 40 });
    const all = await take(client, 41);
    expect(all).toEqual([...Array.from({ length: 40 }, (_, i) => next({ n: i + 1 })), complete]);
    expect(remote.begun.at(-1)).toEqual({
      query: "subscription Count($n: Int!) { n: counts(to: $n) }",
      variables: { n: 40 },
      operationName: "Count",
    });
  });

  it("A remote subscription sends the session in the handshake and in connection_init", async () => {
    const client = await connected({ "x-engine-role": "clerk", "x-engine-user-id": "zoë", "x-mine": "m" });
    subscribe(client, 'subscription { sales(shop: "a") { at by } }');
    expect((await take(client, 1))[0]).toEqual(next({ sales: { at: 1, by: "a zoë" } }));
    const own = { "x-key": "k", "x-engine-role": "clerk", "x-mine": "m" };
    expect(remote.handshakes.at(-1)).toMatchObject(own);
    expect(remote.inits.at(-1)).toMatchObject({ headers: { ...own, "x-engine-user-id": "zoë" } });
    expect(JSON.stringify([remote.inits, remote.handshakes])).not.toContain("admin-secret");
  });

  it("A remote subscription ends at the server when the client stops or disconnects", async () => {
    const client = await connected();
    subscribe(client, 'subscription { sales(shop: "a") { at } }');
    await take(client, 1);
    client.send({ type: "complete", id: "s" });
    await vi.waitFor(() => expect(remote.sockets.size).toBe(0), 5000);
    subscribe(client, 'subscription { sales(shop: "a") { at } }');
    await take(client, 1);
    client.close();
    await vi.waitFor(() => expect(remote.sockets.size).toBe(0), 5000);
  });

  it("A remote subscription applies the role's permission document", async () => {
    const client = await connected({ "x-engine-role": "clerk" });
    subscribe(client, "subscription { events { __typename at } }");
    expect(await take(client, 3)).toEqual([
      next({ events: { __typename: "Sale", at: 1 } }),
      next({ events: { __typename: "Event", at: 2 } }),
      complete,
    ]);
    const refused = async (query: string) => {
      const before = remote.begun.length;
      subscribe(client, query);
      const [error] = (await take(client, 2)) as { readonly payload: readonly { readonly message: string }[] }[];
      expect(remote.begun).toHaveLength(before);
      return error?.payload[0]?.message;
    };
    expect(await refused("subscription { counts(to: 1) }")).toBe(
      "field 'counts' not found in type: 'subscription_root'",
    );
    expect(await refused('subscription { sales(shop: "a", by: "me") { at } }')).toContain("'by'");
    expect(await refused("subscription { events { ... on Secret { code } at } a: events { at } }")).toBe(
      "subscriptions must select one top level field",
    );
  });

  it("A remote subscription passes errors on and continues", async () => {
    const client = await connected();
    subscribe(client, "subscription { fails }");
    const [first, second, third, last] = (await take(client, 4)) as { readonly payload?: object }[];
    expect([first, third, last]).toEqual([next({ fails: 1 }), next({ fails: 3 }), complete]);
    expect(second?.payload).toMatchObject({ data: null, errors: [{ message: "no more", path: ["fails"] }] });
  });

  it("A remote subscription is part of the role's schema", async () => {
    const query = "{ __schema { subscriptionType { name fields { name } } } }";
    const { json } = await engine.post("/v1/graphql", { query }, { "x-engine-role": "clerk" });
    expect(json.data.__schema.subscriptionType).toEqual({
      name: "subscription_root",
      fields: [{ name: "events" }, { name: "sales" }],
    });
  });

  it("A remote subscription must select exactly one field, also below a namespace", async () => {
    onSocket = answering((socket) => socket.send(tick("12345678901234567890.10")));
    const client = await connected();
    subscribe(client, "subscription { clock { __typename t: ticks } }");
    const first = (await texts(client, 1))[0];
    // The engine requests the field under the client's key, which this server ignores.
    expect(first).toContain("expecting key t");
    client.send({ type: "complete", id: "s" });
    subscribe(client, "subscription { clock { __typename ticks } }");
    expect((await texts(client, 1))[0]).toBe(
      '{"type":"next","id":"s","payload":{"data":{"clock":{"__typename":"clockSubscription","ticks":12345678901234567890.10}}}}',
    );
    client.send({ type: "complete", id: "s" });
    subscribe(client, "subscription { clock { ticks ends } }");
    expect((await take(client, 1))[0]).toMatchObject({
      type: "error",
      payload: [{ message: "a subscription to a remote server must select exactly one of its fields" }],
    });
  });
});

describe("Connections of remote subscriptions", () => {
  const ask = (client: WebsocketClient) => subscribe(client, "subscription { clock { ticks } }");
  const ticks = (value: number) => next({ clock: { ticks: value } });
  const failure = { payload: { errors: [{ extensions: { code: "remote-schema-error" } }] } };

  it("A lost connection is opened again", async () => {
    let connections = 0;
    onSocket = answering((socket) => {
      socket.send(tick(String(++connections)));
      if (connections === 1) setTimeout(() => socket.terminate(), 20);
    });
    const client = await connected();
    ask(client);
    expect(await take(client, 2)).toEqual([ticks(1), ticks(2)]);
  });

  it("A refused connection is not opened again", async () => {
    onSocket = answering((socket) => {
      socket.send(tick("1"));
      socket.close(4403, "Forbidden");
    });
    const client = await connected();
    ask(client);
    expect(await take(client, 3)).toMatchObject([ticks(1), failure, complete]);
    refusal = 401;
    ask(client);
    expect(await take(client, 2)).toMatchObject([failure, complete]);
  });

  it("A silent or malformed server fails the subscription in time", async () => {
    const client = await connected();
    ask(client);
    expect(await take(client, 2)).toMatchObject([failure, complete]);
    onSocket = answering((socket) => socket.send("[1"));
    ask(client);
    expect(await take(client, 2)).toMatchObject([failure, complete]);
    onSocket = answering((socket) => socket.send('{"id":"1","type":"error","payload":[{"message":"never","a":1}]}'));
    ask(client);
    expect(await take(client, 2)).toMatchObject([{ payload: { errors: [{ message: "never", a: 1 }] } }, complete]);
    onSocket = answering((socket) => socket.send('{"id":"1","type":"next","payload":7}'));
    ask(client);
    expect((await take(client, 1))[0]).toMatchObject(failure);
  });

  it("The connection responds to pings", async () => {
    const pong = new Promise((resolve) => {
      onSocket = answering((socket) => {
        socket.on("message", (text) => String(text) === '{"type":"pong"}' && resolve(true));
        socket.send('{"type":"ping"}');
      });
    });
    ask(await connected());
    expect(await pong).toBe(true);
  });

  it("The connection pauses for a slow client without losing messages", async () => {
    const [messages, text] = [60, JSON.stringify("x".repeat(1024 * 1024))];
    let server: WebSocket | undefined;
    onSocket = answering((socket) => {
      server = socket;
      for (let i = 0; i < messages; i++) socket.send(tick(`[${i},${text}]`));
    });
    const client = await connected();
    client.ws.pause();
    ask(client);
    // Data that neither the engine nor the sockets buffer stays with the server.
    await vi.waitFor(() => expect(server?.bufferedAmount).toBeGreaterThan(30 * 1024 * 1024), 5000);
    let left = 0;
    for (let same = 0; same < 5; left = server?.bufferedAmount ?? 0) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      same = left === server?.bufferedAmount ? same + 1 : 0;
    }
    expect(left).toBeGreaterThan(30 * 1024 * 1024);
    client.ws.resume();
    for (const i of Array.from({ length: messages }).keys()) {
      const [received = ""] = await texts(client, 1);
      expect(received.slice(0, 70)).toContain(`{"ticks":[${i},"xx`);
    }
    expect(server?.bufferedAmount).toBe(0);
  });

  it.skipIf(isSealed)(
    "The subscription ends with its permission, and restarts if the metadata changes its request",
    async () => {
      const clerk = await connected({ "x-engine-role": "clerk", "x-engine-user-id": "1" });
      subscribe(clerk, 'subscription { sales(shop: "a") { at } }');
      await take(clerk, 1);
      const admin = await connected();
      subscribe(admin, 'subscription { sales(shop: "b") { at } }');
      await take(admin, 1);
      const before = remote.begun.length;
      await engine.metadata("drop_remote_schema_permissions", { remote_schema: "shop", role: "clerk" });
      const [error, end] = await take(clerk, 2);
      expect([error, end]).toMatchObject([
        { payload: { errors: [{ extensions: { code: "validation-failed" } }] } },
        complete,
      ]);
      // The other subscription is unchanged.
      expect(remote.begun).toHaveLength(before);
      release();
      expect(await take(admin, 2)).toEqual([next({ sales: { at: 2 } }), complete]);
    },
  );
});
