/**
 * The headers of a subscription that reach a remote server, regardless of the client's message that initialises the
 * connection.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type RemoteStreamServer, startRemoteStreams } from "../../support/remote-streams.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { WebsocketClient } from "../../support/websocket.ts";

const root = {
  async *ticks() {
    yield { ticks: 1 };
  },
  async *tocks() {
    yield { tocks: 1 };
  },
};
const definition = (port: number) => ({ url: `http://127.0.0.1:${port}/`, subscriptions: true });

let forwarding: RemoteStreamServer;
let closed: RemoteStreamServer;
let engine: TestServer;
const open: WebsocketClient[] = [];

beforeAll(async () => {
  forwarding = await startRemoteStreams("type Query { a: Int } type Subscription { ticks: Int }", { root });
  closed = await startRemoteStreams("type Query { b: Int } type Subscription { tocks: Int }", { root });
  engine = await startTestServer({ environment: { KEY: "configured" } });
  const headers = [{ name: "x-key", value_from_env: "KEY" }];
  await engine.metadata("add_remote_schema", {
    name: "forwarding",
    definition: { ...definition(forwarding.port), headers, forward_client_headers: true },
  });
  await engine.metadata("add_remote_schema", {
    name: "closed",
    definition: { ...definition(closed.port), headers },
  });
});

afterEach(() => {
  for (const client of open.splice(0)) client.close();
});

afterAll(async () => {
  await engine?.close();
  await forwarding?.close();
  await closed?.close();
});

/** Returns the text of the response to a subscription on a connection that begins with these headers. */
async function subscribed(headers: unknown, query: string): Promise<string> {
  const client = await WebsocketClient.open(engine.url, { protocol: "graphql-transport-ws" });
  open.push(client);
  client.send({ type: "connection_init", payload: { headers } });
  expect(await answerOf(client)).toBe('{"type":"connection_ack"}');
  client.send({ type: "subscribe", id: "s", payload: { query } });
  return answerOf(client);
}

/** Returns the next message that is not a keep-alive. */
async function answerOf(client: WebsocketClient): Promise<string> {
  for (;;) {
    const text = await client.text();
    if (!text.startsWith('{"type":"ping"')) return text;
  }
}

/** The headers that every handshake has. */
const ofHandshakes = [
  ...["connection", "host", "upgrade", "user-agent", "sec-websocket-key", "sec-websocket-version"],
  ...["sec-websocket-protocol", "x-b3-spanid", "x-b3-traceid", "x-engine-role"],
];
/**
 * Returns the last headers that reached the server, in the handshake and in the message that initialises the
 * connection.
 */
function reached({ handshakes, inits }: RemoteStreamServer) {
  const handshake = { ...handshakes.at(-1) };
  for (const name of ofHandshakes) delete handshake[name];
  return { handshake, init: inits.at(-1) };
}

const hostile = {
  host: "evil.example",
  connection: "close",
  upgrade: "h2c",
  "transfer-encoding": "chunked",
  "content-length": "5",
  "keep-alive": "timeout=1",
  te: "trailers",
  "sec-websocket-extensions": "permessage-deflate",
  "sec-websocket-key": "a2V5IG9mIHRoZSBjbGllbnQ=",
  "sec-websocket-protocol": "graphql-ws",
  "x-key": "the client's",
  "x-engine-admin-secret": "of-nobody",
  "x-engine-note": "a\r\nx-engine-role: admin",
  "x-injected": "a\r\nx-key: b",
  "x-bad name": "v",
  "x-line\r\nx-key": "v",
};

describe("Headers of remote subscriptions", () => {
  it("A remote subscription sends no client headers to a server without forwarding", async () => {
    const headers = { cookie: "sid=1", authorization: "Bearer t", "x-mine": "m", "x-key": "the client's" };
    expect(await subscribed(headers, "subscription { tocks }")).toContain('"tocks":1');
    expect(reached(closed).handshake).toEqual({ "x-key": "configured" });
    expect(JSON.stringify([closed.handshakes, closed.inits])).not.toMatch(/sid=1|Bearer|"x-mine"|the client's/);
  });

  it("A remote subscription never forwards secrets or connection headers", async () => {
    const { "x-engine-note": _, ...others } = hostile;
    const text = await subscribed({ ...others, "x-mine": "m" }, "subscription { ticks }");
    expect(text).toContain('"ticks":1');
    const { handshake } = reached(forwarding);
    expect(handshake).toEqual({ "x-forwarded-host": "evil.example", "x-key": "configured", "x-mine": "m" });
    expect(forwarding.handshakes.at(-1)).toMatchObject({
      host: `127.0.0.1:${forwarding.port}`,
      upgrade: "websocket",
      "sec-websocket-protocol": "graphql-transport-ws",
    });
    const sent = JSON.stringify([forwarding.handshakes, forwarding.inits]);
    for (const secret of ["of-nobody", "the client's", "x-injected"]) {
      expect(sent).not.toContain(secret);
    }
  });

  it("A remote subscription is refused if a session variable would inject a header", async () => {
    const before = forwarding.handshakes.length;
    const text = await subscribed({ "x-engine-note": hostile["x-engine-note"] }, "subscription { ticks }");
    expect(text).toContain("cannot be sent as a header");
    expect(forwarding.handshakes).toHaveLength(before);
  });

  it("A remote subscription never sends the headers of another client", async () => {
    await subscribed({ "x-mine": "first", "x-engine-user-id": "1" }, "subscription { ticks }");
    await subscribed({ "x-engine-user-id": "2" }, "subscription { ticks }");
    const { handshake, init } = reached(forwarding);
    expect(handshake).toEqual({ "x-key": "configured", "x-engine-user-id": "2" });
    expect(JSON.stringify(init)).not.toContain("first");
  });
});
