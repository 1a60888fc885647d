/** Real sockets against services that are made up, for what needs no database. */
import { createServer, request as httpRequest } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createAuthenticator } from "../../../../runtime/auth/authenticate.ts";
import { parseOptions } from "../../../../runtime/config/options.ts";
import { Secret } from "../../../../runtime/config/secret.ts";
import type { PreparedOperation, Services, SubscriptionSink } from "../../../../runtime/http/services.ts";
import { UpgradableRequest } from "../../../../runtime/http/websocket/upgradable-request.ts";
import { WebsocketServer } from "../../../../runtime/http/websocket/websocket-server.ts";
import { createLog } from "../../../../runtime/observe/log.ts";
import { bugReporter } from "../../../../runtime/observe/report-bug.ts";
import { EngineError } from "../../../../runtime/support/errors.ts";
import { type ClientSettings, WebsocketClient } from "../../../support/websocket.ts";

const older = { protocol: "graphql-ws" };
const newer = { protocol: "graphql-transport-ws" };
const both = [older, newer];

/** What runs under each subscription, newest last. */
interface Running {
  readonly sink: SubscriptionSink;
  isStopped: boolean;
}

class Harness {
  readonly url: string;
  readonly websockets: WebsocketServer;
  readonly running: Running[];
  readonly log: string[];
  readonly close: () => Promise<void>;
  readonly #clients: WebsocketClient[] = [];

  constructor(parts: Pick<Harness, "url" | "websockets" | "running" | "log" | "close">) {
    this.url = parts.url;
    this.websockets = parts.websockets;
    this.running = parts.running;
    this.log = parts.log;
    this.close = async () => {
      for (const client of this.#clients) client.ws.terminate();
      await parts.close();
    };
  }

  readonly open = async (settings: ClientSettings = older): Promise<WebsocketClient> => {
    const client = await WebsocketClient.open(this.url, settings);
    this.#clients.push(client);
    return client;
  };

  /** A connection that is initialised; its first messages have been read. */
  readonly ready = async (settings: ClientSettings = older): Promise<WebsocketClient> => {
    const client = await this.open(settings);
    client.send({ type: "connection_init" });
    await client.take(3);
    return client;
  };

  /** The `detail`s of the log's lines, those of operations as [id, event]. */
  readonly events = (): unknown[] =>
    this.log.map((line) => {
      const { event } = (JSON.parse(line) as { detail: { event: { type: string; detail: unknown } } }).detail;
      if (event.type !== "operation") return event.type;
      const { operation_id, operation_type } = event.detail as { operation_id: string; operation_type: unknown };
      return [operation_id, operation_type];
    });
}

let harness: Harness;
afterEach(() => harness.close());

/** Queries answer their own text; `refuse`, `fail`, `bug`, `slow`, `live` and `late` name what happens instead. */
async function start(variables: Record<string, string> = {}): Promise<Harness> {
  const log: string[] = [];
  const running: Running[] = [];
  const options = parseOptions({}, { ENGINE_GRAPHQL_WEBSOCKET_KEEPALIVE: "60", ...variables });
  const output = createLog(options, { write: (line) => void log.push(line) });
  const fail = async (): Promise<never> => {
    throw new EngineError("unexpected", "$", "database query error", { status: 500, internal: "secret" });
  };
  const prepare = async (query: string): Promise<PreparedOperation> => {
    if (query === "refuse") throw new EngineError("validation-failed", "$.x", "no such field", { internal: "secret" });
    if (query === "bug") throw new Error("a mistake");
    if (query === "fail") return { kind: "query", run: fail };
    if (query === "slow")
      return { kind: "query", run: () => new Promise((resolve) => setTimeout(resolve, 150, '"slow"')) };
    if (query !== "live" && query !== "late") return { kind: "query", run: async () => JSON.stringify(query) };
    const subscribe = async (sink: SubscriptionSink) => {
      if (query === "late") await new Promise((resolve) => setTimeout(resolve, 150));
      const entry: Running = { sink, isStopped: false };
      running.push(entry);
      sink.next('"first"');
      const stop = (): void => {
        entry.isStopped = true;
      };
      return { stop };
    };
    return { kind: "subscription", subscribe };
  };
  const unused = async (): Promise<never> => {
    throw new Error("not asked here");
  };
  const secrets = variables.SECRET === undefined ? [] : [new Secret(variables.SECRET)];
  const services: Services = {
    admission: { admit: () => {} },
    graphql: { execute: unused, prepare: ({ query }) => prepare(query), subscriptions: () => null },
    relay: { execute: unused, prepare: unused, subscriptions: () => null },
    rest: { find: () => ({ kind: "not-found" }), openApi: () => "{}" },
    dump: { dump: unused },
    explain: { explain: unused },
    metadata: { handle: unused },
    health: { check: unused },
    authenticator: createAuthenticator(
      secrets.length === 0 ? { kind: "no-auth" } : { kind: "admin-secret", secrets, unauthorizedRole: null },
    ),
    reportBug: bugReporter(output),
  };
  const websockets = new WebsocketServer(services, options, output);
  const server = createServer({ IncomingMessage: UpgradableRequest }, (_request, response) => response.end("HTTP"));
  server.on("upgrade", (request, socket, head) => websockets.upgrade(request, socket, head));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    websockets.terminate();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  harness = new Harness({ url: `http://127.0.0.1:${port}`, websockets, running, log, close });
  return harness;
}

const begin = (query: string, id = "1") => ({ type: "start", id, payload: { query } });

describe("a connection of the older protocol", () => {
  it("sends what it has to in this order, and the same text as the service", async () => {
    const client = await (await start()).open(older);
    expect(client.ws.protocol).toBe("graphql-ws");
    expect(await client.text()).toBe('{"type":"ka"}');
    client.send({ type: "connection_init", payload: {} });
    expect(await client.text()).toBe('{"type":"connection_ack"}');
    expect(await client.text()).toBe('{"type":"ka"}');
    client.send(begin("é", 'a"b'));
    expect(await client.text()).toBe('{"type":"data","id":"a\\"b","payload":{"data":"é"}}');
    expect(await client.text()).toBe('{"type":"complete","id":"a\\"b"}');
  });

  it("tells errors before and during execution apart", async () => {
    const client = await (await start()).ready(older);
    client.send(begin("refuse"));
    const refused = { message: "no such field", extensions: { path: "$.x", code: "validation-failed" } };
    expect(await client.take(2)).toEqual([
      { type: "error", id: "1", payload: { errors: [refused] } },
      { type: "complete", id: "1" },
    ]);
    client.send(begin("fail"));
    const failed = { message: "database query error", extensions: { path: "$", code: "unexpected" } };
    expect(await client.take(2)).toEqual([
      { type: "data", id: "1", payload: { data: null, errors: [failed] } },
      { type: "complete", id: "1" },
    ]);
  });

  it("stays open after a message that it cannot read", async () => {
    const client = await (await start()).ready(older);
    client.send({ type: "test" });
    expect(await client.next()).toEqual({
      type: "connection_error",
      payload: "parsing ClientMessage failed: unexpected type for ClientMessage: test",
    });
    client.send(begin("next"));
    expect(await client.next()).toEqual({ type: "data", id: "1", payload: { data: "next" } });
  });

  it("answers what starts too early, or twice, with an error and complete", async () => {
    const client = await (await start()).open(older);
    await client.next();
    const error = (message: string) => [
      { type: "error", id: "1", payload: { message, extensions: { path: "$", code: "start-failed" } } },
      { type: "complete", id: "1" },
    ];
    client.send(begin("early"));
    expect(await client.take(2)).toEqual(error("start received before the connection is initialised"));
    client.send({ type: "connection_init" });
    await client.take(2);
    client.send(begin("live"));
    await client.next();
    client.send(begin("again"));
    expect(await client.take(2)).toEqual(error("an operation already exists with this id: 1"));
  });

  it("says why authentication failed, also to what was sent along, and closes", async () => {
    const client = await (await start({ SECRET: "s" })).open(older);
    const payload = { headers: { "X-Engine-Admin-Secret": "wrong" } };
    client.send({ type: "connection_init", payload });
    client.send(begin("along"));
    const text = "invalid x-engine-admin-secret/x-engine-access-key";
    expect(await client.rest()).toEqual([
      { type: "ka" },
      { type: "connection_error", payload: text },
      {
        type: "error",
        id: "1",
        payload: {
          message: `cannot start as connection_init failed with: ${text}`,
          extensions: { path: "$", code: "start-failed" },
        },
      },
      { type: "complete", id: "1" },
    ]);
    const { code, reason } = await client.closed;
    expect([code, JSON.parse(reason)]).toEqual([
      4400,
      { server_error_msg: `4400: Connection initialization failed: ${text}` },
    ]);
  });

  it("closes a client that does not initialise it", async () => {
    const client = await (await start({ ENGINE_GRAPHQL_WEBSOCKET_CONNECTION_INIT_TIMEOUT: "1" })).open(older);
    expect(await client.closed).toEqual({ code: 1011, reason: "Connection initialisation timed out" });
  });

  it("closes a client that initialises it twice", async () => {
    const client = await (await start()).ready(older);
    client.send({ type: "connection_init" });
    expect(await client.rest()).toEqual([{ type: "connection_error", payload: "Too many initialisation requests" }]);
    expect((await client.closed).code).toBe(4400);
  });

  it("serves clients that ask for no sub-protocol, and shows errors in the form of the endpoint", async () => {
    const client = await (await start()).ready({ path: "/v1alpha1/graphql" });
    expect(client.ws.protocol).toBe("");
    const error = { error: "no such field", path: "$.x", code: "validation-failed" };
    client.send(begin("refuse"));
    const [answer] = await client.take(2);
    expect(answer).toEqual({ type: "error", id: "1", payload: { errors: [error] } });
    client.send(begin("live"));
    client.send(begin("live"));
    const duplicate = { error: "an operation already exists with this id: 1", path: "$", code: "start-failed" };
    expect((await client.take(2))[1]).toEqual({ type: "error", id: "1", payload: duplicate });
  });
});

describe("a connection of the newer protocol", () => {
  it("sends what it has to in this order", async () => {
    const client = await (await start()).open(newer);
    expect(client.ws.protocol).toBe("graphql-transport-ws");
    expect(await client.text()).toBe('{"type":"ping","payload":{"message":"keepalive"}}');
    client.send({ type: "connection_init", payload: {} });
    expect(await client.text()).toBe('{"type":"connection_ack"}');
    expect(await client.text()).toBe('{"type":"ping","payload":{"message":"keepalive"}}');
    client.send({ type: "subscribe", id: "1", payload: { query: "x" } });
    expect(await client.text()).toBe('{"type":"next","id":"1","payload":{"data":"x"}}');
    expect(await client.text()).toBe('{"type":"complete","id":"1"}');
  });

  it("answers errors as a list", async () => {
    const client = await (await start()).ready(newer);
    client.send(begin("refuse"));
    const refused = { message: "no such field", extensions: { path: "$.x", code: "validation-failed" } };
    expect(await client.take(2)).toEqual([
      { type: "error", id: "1", payload: [refused] },
      { type: "complete", id: "1" },
    ]);
    client.send(begin("fail"));
    const failed = { message: "database query error", extensions: { path: "$", code: "unexpected" } };
    expect(await client.take(2)).toEqual([
      { type: "error", id: "1", payload: [failed] },
      { type: "complete", id: "1" },
    ]);
  });

  it.each([
    ["stop without an id", { type: "complete" }, 'key "id" not found'],
    ["an unknown type", { type: "test" }, "unexpected type for ClientMessage: test"],
  ])("closes after %s", async (_name, message, problem) => {
    const client = await (await start()).ready(newer);
    client.send(message);
    const { code, reason } = await client.closed;
    const whole = `4400: Parsing client message failed: parsing ClientMessage failed: ${problem}`;
    const shown = (JSON.parse(reason) as { server_error_msg: string }).server_error_msg;
    expect([code, whole.startsWith(shown), shown.length]).toEqual([4400, true, expect.toSatisfy((n) => n > 80)]);
  });

  it("ends with a start that fails", async () => {
    const { open, ready } = await start();
    const early = await open(newer);
    await early.next();
    early.send(begin("early"));
    const text = "start received before the connection is initialised";
    const error = { message: text, extensions: { path: "$", code: "start-failed" } };
    expect(await early.rest()).toEqual([
      { type: "error", id: "1", payload: error },
      { type: "error", id: "1", payload: text },
      { type: "complete", id: "1" },
    ]);
    expect(await early.closed).toEqual({ code: 1000, reason: '{"server_error_msg":"4401: Unauthorized"}' });
    const twice = await ready(newer);
    twice.send(begin("live", "a"));
    twice.send(begin("live", "a"));
    expect(await twice.closed).toEqual({
      code: 1000,
      reason: '{"server_error_msg":"4409: Subscriber for a already exists"}',
    });
  });

  it("closes clients that may not come, come late or come twice", async () => {
    const { open, ready } = await start({ SECRET: "s", ENGINE_GRAPHQL_WEBSOCKET_CONNECTION_INIT_TIMEOUT: "1" });
    const late = await open(newer);
    const refused = await open(newer);
    refused.send({ type: "connection_init" });
    expect(await refused.closed).toEqual({ code: 4403, reason: '{"server_error_msg":"4403: Forbidden"}' });
    expect(await late.closed).toEqual({ code: 4408, reason: "Connection initialisation timed out" });
    const twice = await ready({ ...newer, headers: { "x-engine-admin-secret": "s" } });
    twice.send({ type: "connection_init" });
    expect(await twice.closed).toEqual({ code: 4429, reason: '{"server_error_msg":"4429: Too many requests"}' });
  });
});

describe.each(both)("a connection of $protocol", (protocol) => {
  it("understands the messages of either protocol", async () => {
    const client = await (await start()).ready(protocol);
    for (const type of ["start", "subscribe"]) {
      client.send({ type, id: type, payload: { query: "x" } });
      expect(await client.take(2)).toMatchObject([{ id: type }, { type: "complete", id: type }]);
    }
    client.send('{"type":"ping","payload":{"n":12345678901234567890}}');
    expect(await client.text()).toBe('{"type":"pong","payload":{"n":12345678901234567890}}');
    client.send({ type: "ping" });
    expect(await client.text()).toBe('{"type":"pong"}');
    client.send({ type: "pong" });
    client.send({ type: "connection_terminate" });
    expect(await client.rest()).toEqual([]);
    expect(await client.closed).toEqual({ code: 1000, reason: "" });
  });

  it("handles one message after the other", async () => {
    const client = await (await start()).ready(protocol);
    client.send(begin("slow", "a"));
    client.send(begin("quick", "b"));
    client.send({ type: "ping" });
    const ids = (await client.take(5)).map((message) => (message as { id?: string }).id ?? "pong");
    expect(ids).toEqual(["a", "a", "b", "b", "pong"]);
  });

  it("prefers the headers of connection_init to those of the handshake", async () => {
    const { open } = await start({ SECRET: "s" });
    const client = await open({ ...protocol, headers: { "x-engine-admin-secret": "wrong" } });
    await client.next();
    client.send({ type: "connection_init", payload: { headers: { "X-Engine-Admin-Secret": "s" } } });
    expect(await client.next()).toEqual({ type: "connection_ack" });
  });

  it("sends keep-alives", async () => {
    const client = await (await start({ ENGINE_GRAPHQL_WEBSOCKET_KEEPALIVE: "1" })).open(protocol);
    const [first, second] = await client.take(2);
    expect(second).toEqual(first);
  });

  it("delivers a subscription until it is stopped, and nothing afterwards", async () => {
    const { running, ready } = await start();
    const client = await ready(protocol);
    const type = protocol === older ? "data" : "next";
    client.send(begin("live", "s"));
    expect(await client.next()).toEqual({ type, id: "s", payload: { data: "first" } });
    running[0]?.sink.error(new EngineError("unexpected", "$", "database query error", { internal: "secret" }));
    const error = { message: "database query error", extensions: { path: "$", code: "unexpected" } };
    expect(await client.next()).toEqual({ type, id: "s", payload: { data: null, errors: [error] } });
    running[0]?.sink.next('"second"');
    expect(await client.next()).toEqual({ type, id: "s", payload: { data: "second" } });
    client.send({ type: "stop", id: "unknown" });
    client.send({ type: "complete", id: "s" });
    client.send({ type: "ping" });
    expect(await client.next()).toEqual({ type: "pong" });
    expect(running[0]?.isStopped).toBe(true);
    running[0]?.sink.next('"late"');
    running[0]?.sink.complete();
    // The id is free again.
    client.send(begin("live", "s"));
    expect(await client.next()).toEqual({ type, id: "s", payload: { data: "first" } });
    running[1]?.sink.complete();
    expect(await client.next()).toEqual({ type: "complete", id: "s" });
  });

  it("stops subscriptions when the client goes away", async () => {
    const { running, ready } = await start();
    const client = await ready(protocol);
    client.send(begin("live"));
    await client.next();
    client.ws.terminate();
    await expect.poll(() => running[0]?.isStopped).toBe(true);
  });

  it("stops a subscription whose first result comes after the client has gone", async () => {
    const { running, events, ready } = await start();
    const client = await ready(protocol);
    client.send(begin("late", "s"));
    await expect.poll(events).toContainEqual(["s", { type: "started" }]);
    client.ws.terminate();
    await expect.poll(events).toContainEqual(["s", { type: "stopped" }]);
    await expect.poll(() => running[0]?.isStopped).toBe(true);
  });

  it("lets the operation in progress finish before it closes", async () => {
    const { websockets, running, events, ready } = await start();
    const client = await ready(protocol);
    client.send(begin("live", "a"));
    await client.next();
    client.send(begin("slow", "b"));
    client.send(begin("waits", "c"));
    client.send({ type: "ping" });
    await expect.poll(events).toContainEqual(["b", { type: "started" }]);
    websockets.metadataChanged();
    expect(running[0]?.isStopped).toBe(true);
    expect((await client.rest()).map((message) => (message as { id: string }).id)).toEqual(["b", "b"]);
    expect(await client.closed).toEqual({ code: 1012, reason: "Server state changed, restarting the server" });
  });

  it("answers mistakes of ours without showing them", async () => {
    const { log, ready } = await start();
    const client = await ready(protocol);
    client.send(begin("bug"));
    expect(JSON.stringify(await client.next())).toContain('"message":"Internal Server Error"');
    expect(log.join("")).toContain("a mistake");
  });
});

describe("bounds", () => {
  it("ends a client that sends too long a message before it has sent it", async () => {
    const { url } = await start();
    const { port, hostname } = new URL(url);
    const socket = connect(Number(port), hostname);
    const key = Buffer.alloc(16).toString("base64");
    socket.write(
      `GET /v1/graphql HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: upgrade\r\n` +
        `sec-websocket-version: 13\r\nsec-websocket-key: ${key}\r\n\r\n`,
    );
    const header = Buffer.alloc(14);
    header.writeUInt8(0x81, 0);
    header.writeUInt8(0xff, 1);
    header.writeBigUInt64BE(BigInt(2 ** 30), 2);
    socket.write(header);
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    // The close frame: FIN and opcode 8, two bytes of payload, status 1009.
    expect(Buffer.concat(chunks).includes(Buffer.from([0x88, 2, 1009 >> 8, 1009 & 255]))).toBe(true);
  });

  it("gives up a client that does not read what it subscribed to", async () => {
    const { running, log, ready } = await start();
    const client = await ready(older);
    client.send(begin("live"));
    await client.next();
    client.ws.pause();
    const text = JSON.stringify("x".repeat(1024 * 1024));
    for (let i = 0; i < 64 && !running[0]?.isStopped; i++) {
      running[0]?.sink.next(text);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(running[0]?.isStopped).toBe(true);
    expect(log.at(-1)).toContain('"type":"closed"');
  });

  it("does not run the next operation of a client that does not read its answers", async () => {
    const { log, ready } = await start();
    const client = await ready(older);
    client.ws.pause();
    const query = "x".repeat(1024 * 1024);
    const count = 40;
    for (let i = 0; i < count; i++) client.send(begin(query, String(i)));
    const finished = () => log.filter((line) => line.includes('"completed"')).length;
    // Until nothing more happens.
    for (let before = -1; finished() !== before; ) {
      before = finished();
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect(finished()).toBeLessThan(count);
    client.ws.resume();
    const messages = await client.take(2 * count);
    expect(messages.at(-1)).toEqual({ type: "complete", id: String(count - 1) });
  });
});

describe("the handshake", () => {
  it("is refused on other paths, with and without a group that is switched off", async () => {
    const { open } = await start();
    const message = "only '/v1/graphql', '/v1alpha1/graphql' and '/v1beta1/relay' are supported on websockets";
    const body = { errors: [{ message, extensions: { path: "$", code: "not-found" } }] };
    await expect(open({ path: "/v1/metadata?a=/v1/graphql" })).rejects.toThrow(`404 ${JSON.stringify(body)}`);
    await harness.close();
    const off = await start({ ENGINE_GRAPHQL_ENABLED_APIS: "metadata" });
    const missing = { error: "resource does not exist", path: "$", code: "not-found" };
    await expect(off.open({ path: "/v1/graphql" })).rejects.toThrow(`404 ${JSON.stringify(missing)}`);
  });

  it("is refused to pages of other origins", async () => {
    const { open, events } = await start({ ENGINE_GRAPHQL_CORS_DOMAIN: "https://*.a.org" });
    const message = "received origin header does not match configured CORS domains";
    const error = { errors: [{ message, extensions: { path: "$", code: "access-denied" } }] };
    const foreign = { headers: { origin: "https://b.org" } };
    await expect(open(foreign)).rejects.toThrow(`400 ${JSON.stringify(error)}`);
    const plain = { error: message, path: "$", code: "access-denied" };
    await expect(open({ ...foreign, path: "/v1alpha1/graphql" })).rejects.toThrow(`400 ${JSON.stringify(plain)}`);
    expect(events()).toEqual(["rejected", "rejected"]);
    await open({ headers: { origin: "https://x.a.org" } });
    await open();
  });

  it("lets every origin pass where CORS is disabled, and says that the cookie is not read", async () => {
    const { open, log } = await start({ ENGINE_GRAPHQL_DISABLE_CORS: "true", ENGINE_GRAPHQL_CORS_DOMAIN: "" });
    await open({ headers: { origin: "https://b.org", cookie: "a=b" } });
    expect(log.join("")).toContain("cookie is not read when CORS is disabled");
  });

  it("is refused while the server shuts down, when open connections are closed", async () => {
    const { open, websockets } = await start();
    const client = await open();
    websockets.close();
    expect(await client.closed).toEqual({ code: 1012, reason: "shutting server down" });
    const answer = await new Promise<{ status: number | undefined; retry: string | undefined }>((resolve, reject) => {
      const headers = { upgrade: "websocket", connection: "upgrade" };
      const request = httpRequest(`${harness.url}/v1/graphql`, { headers }, (response) => {
        response.resume();
        resolve({ status: response.statusCode, retry: response.headers["retry-after"] });
      });
      request.on("error", reject).end();
    });
    expect(answer).toEqual({ status: 503, retry: "0" });
    await expect(open()).rejects.toThrow("503 Server is shutting down");
  });

  it("leaves requests that offer another protocol to HTTP", async () => {
    const { url } = await start();
    const body = await new Promise<string>((resolve, reject) => {
      const headers = { upgrade: "h2c", connection: "Upgrade, HTTP2-Settings", "http2-settings": "" };
      const request = httpRequest(`${url}/v1/graphql`, { method: "POST", headers }, (response) => {
        response.setEncoding("utf8").on("data", resolve);
      });
      request.on("error", reject).end("{}");
    });
    expect(body).toBe("HTTP");
  });

  it("agrees on compression only where it is switched on", async () => {
    const { open } = await start({ ENGINE_GRAPHQL_CONNECTION_COMPRESSION: "true" });
    expect((await open({ compression: true })).ws.extensions).toContain("permessage-deflate");
    expect((await open()).ws.extensions).toBe("");
    await harness.close();
    expect((await (await start()).open({ compression: true })).ws.extensions).toBe("");
  });
});

describe("the log", () => {
  it("tells what happens on a connection, without the operation's text", async () => {
    const started = await start();
    const client = await started.ready(older);
    client.send(begin("hidden"));
    await client.take(2);
    client.send(begin("refuse", "2"));
    await client.take(2);
    client.send(begin("live", "3"));
    client.send(begin("twice", "3"));
    client.send({ type: "stop", id: "3" });
    client.send({ type: "odd" });
    client.send({ type: "connection_terminate" });
    await client.closed;
    await expect.poll(() => started.events().at(-1)).toBe("closed");
    const error = { error: "no such field", path: "$.x", code: "validation-failed", internal: "secret" };
    expect(started.events()).toEqual([
      "accepted",
      ["1", { type: "started" }],
      ["1", { type: "completed" }],
      ["2", { type: "started" }],
      ["2", { type: "query_err", detail: error }],
      ["3", { type: "started" }],
      ["3", { type: "proto_err", detail: "an operation already exists with this id: 3" }],
      ["3", { type: "stopped" }],
      "conn_err",
      "closed",
    ]);
    expect(started.log.join("")).not.toContain("hidden");
    expect(JSON.parse(started.log[1] ?? "")).toMatchObject({
      type: "websocket-log",
      level: "info",
      detail: {
        connection_info: { websocket_id: expect.stringMatching(/^[0-9a-f-]{36}$/), token_expiry: null, msg: null },
        user_vars: { "x-engine-role": "admin" },
      },
    });
  });
});
