/** Long WebSocket messages do not exhaust the memory that other clients need. */
import { afterEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { type Environment, parseOptions } from "../../../runtime/config/options.ts";
import { Secret } from "../../../runtime/config/secret.ts";
import { createAuthenticator } from "../../../runtime/http/auth/authenticate.ts";
import type { Authenticator } from "../../../runtime/ports/authentication.ts";
import { post, startStubApp } from "../../support/stub-app.ts";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const limits = {
  ENGINE_GRAPHQL_MAX_BODY_BYTES: "400000",
  ENGINE_GRAPHQL_UNAUTHORIZED_MAX_BODY_BYTES: "200000",
  ENGINE_GRAPHQL_UNAUTHORIZED_ROLE: "anonymous",
};

async function start(environment: Environment = limits, wrap = (inner: Authenticator): Authenticator => inner) {
  const unauthorizedRole = environment.ENGINE_GRAPHQL_UNAUTHORIZED_ROLE ?? null;
  const inner = createAuthenticator(
    { kind: "admin-secret", secrets: [new Secret("first")], unauthorizedRole },
    parseOptions({}, {}).corsDomains,
  );
  const app = await startStubApp(environment, { authenticator: wrap(inner) });
  ends.push(() => app.app.close());
  return app;
}

class Client {
  readonly socket: WebSocket;
  readonly messages: string[] = [];
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;

  constructor(url: string) {
    this.socket = new WebSocket(`${url.replace("http", "ws")}/v1/graphql`, "graphql-transport-ws");
    this.socket.on("message", (data: Buffer) => this.messages.push(String(data)));
    this.socket.on("error", () => {});
    this.closed = new Promise((resolve) => {
      this.socket.on("close", (code, reason) => resolve({ code, reason: String(reason) }));
    });
    ends.push(async () => this.socket.terminate());
  }

  static async open(url: string): Promise<Client> {
    const client = new Client(url);
    await new Promise((resolve) => client.socket.once("open", resolve));
    return client;
  }

  async init(headers: Readonly<Record<string, string>> = {}): Promise<void> {
    this.socket.send(JSON.stringify({ type: "connection_init", payload: { headers } }));
    await expect.poll(() => this.messages).toContain('{"type":"connection_ack"}');
  }

  /** Sends a ping and waits for the pong. */
  async ping(length: number): Promise<void> {
    this.socket.send(`{"type":"ping","payload":"x"}`.padEnd(length));
    await expect.poll(() => this.messages).toContain('{"type":"pong","payload":"x"}');
  }
}

const user = { "x-engine-admin-secret": "first", "x-engine-role": "user" };

describe("Messages before connection_init", () => {
  it("A message before connection_init may have at most 4 KiB", async () => {
    const { url } = await start();
    const client = await Client.open(url);
    await client.ping(4096);
    client.socket.send(`{"type":"ping"}`.padEnd(4097));
    expect(await client.closed).toEqual({
      code: 1009,
      reason: "before connection_init, messages are limited to 4096 characters",
    });
  });

  it("connection_init may carry headers of up to 64 KiB", async () => {
    const { url } = await start();
    const client = await Client.open(url);
    await client.init({ "x-long": "x".repeat(60_000) });
    const other = await Client.open(url);
    other.socket.send(`{"type":"connection_init"}`.padEnd(64 * 1024 + 1));
    expect(await other.closed).toEqual({ code: 1009, reason: "messages are limited to 65536 bytes" });
  });

  it("An incomplete message before connection_init is not buffered", async () => {
    const { url } = await start();
    const client = await Client.open(url);
    const stream = Buffer.alloc(100_000, " ");
    client.socket.send(stream, { binary: false, fin: false });
    client.socket.send(stream, { binary: false, fin: false });
    expect(await client.closed).toMatchObject({ code: 1009 });
  });

  it("No further message is read while the client is authenticated", async () => {
    let decide = (): void => {};
    const decided = new Promise<void>((resolve) => {
      decide = resolve;
    });
    const { url } = await start(limits, (inner) => ({
      authenticate: async (headers, context) => {
        await decided;
        return inner.authenticate(headers, context);
      },
    }));
    const client = await Client.open(url);
    client.socket.send('{"type":"connection_init"}');
    client.socket.send(`{"type":"ping","payload":"x"}`.padEnd(150_000));
    decide();
    await expect.poll(() => client.messages).toContain('{"type":"pong","payload":"x"}');
    expect(client.messages).toContain('{"type":"connection_ack"}');
  });
});

describe("Messages after connection_init", () => {
  it("A message may be as long as a body of its role", async () => {
    const { url } = await start();
    const anonymous = await Client.open(url);
    await anonymous.init();
    await anonymous.ping(200_000);
    anonymous.socket.send(`{"type":"ping"}`.padEnd(200_001));
    expect(await anonymous.closed).toEqual({ code: 1009, reason: "messages are limited to 200000 bytes" });
    const other = await Client.open(url);
    await other.init(user);
    await other.ping(400_000);
    other.socket.send(`{"type":"ping"}`.padEnd(400_001));
    expect(await other.closed).toMatchObject({ code: 1009 });
  });

  it("Messages count toward the memory of bodies", async () => {
    const { url } = await start({ ...limits, ENGINE_GRAPHQL_MAX_BUFFERED_BODY_BYTES: "500000" });
    const client = await Client.open(url);
    await client.init(user);
    client.socket.send(Buffer.alloc(300_000, " "), { binary: false, fin: false });
    const body = '{"query":"{ a }"}'.padEnd(390_000);
    await expect.poll(async () => (await post(`${url}/v1/graphql`, body, user)).status).toBe(503);
    client.socket.terminate();
    await expect.poll(async () => (await post(`${url}/v1/graphql`, body, user)).status).toBe(200);
  });

  it("Pong frames do not count toward the memory of messages", async () => {
    const { url } = await start();
    const client = await Client.open(url);
    await client.init();
    for (let i = 0; i < 4000; i++) client.socket.pong("x".repeat(100));
    await client.ping(100_000);
  });
});
