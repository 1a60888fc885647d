/** Event streams cannot be held open indefinitely, exhaust memory, or contain injected events. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import type { GraphqlService, SubscriptionSink } from "../../../runtime/ports/graphql.ts";
import { openEvents } from "../../support/event-stream.ts";
import { exchange, type StubApp, startStubApp } from "../../support/stub-app.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A running subscription of the stub. */
interface Running {
  readonly sink: SubscriptionSink;
  isStopped: boolean;
}

async function start(environment: Record<string, string> = {}, role?: string) {
  const running: Running[] = [];
  const graphql: GraphqlService = {
    execute: async () => "{}",
    prepare: async () => ({
      kind: "subscription",
      async subscribe(sink) {
        const one: Running = { sink, isStopped: false };
        running.push(one);
        return {
          stop() {
            one.isStopped = true;
          },
        };
      },
    }),
    subscriptions: () => null,
  };
  const authenticator = {
    authenticate: async () => ({
      role: role ?? "admin",
      variables: new Map(),
      backendOnly: false,
      ...(role === "brief" && { expiresAt: Date.now() + 300 }),
    }),
  };
  const app = await startStubApp(
    { ENGINE_GRAPHQL_WEBSOCKET_KEEPALIVE: "1", ...environment },
    { graphql, authenticator },
  );
  ends.push(async () => {
    app.app.terminate();
    await app.app.close();
  });
  return { app, running };
}

const body = JSON.stringify({ query: "subscription { a }" });
const request =
  "POST /v1/graphql HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\ncontent-type: application/json\r\n" +
  `content-length: ${body.length}\r\n\r\n${body}`;

/** Opens a client that does not read. */
function deaf({ port }: StubApp, text = request): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1" }, () => {
      socket.pause();
      socket.write(text);
      resolve(socket);
    });
    socket.on("error", reject);
    ends.push(() => socket.destroy());
  });
}

const megabyte = JSON.stringify("x".repeat(1024 * 1024));

describe("Clients of event streams that do not read", () => {
  it("A stream is marked busy while its client reads no events", async () => {
    const { app, running } = await start();
    await deaf(app);
    await expect.poll(() => running.length, { timeout: 10_000 }).toBe(1);
    const [one] = running;
    let sent = 0;
    while (one?.sink.isBusy() === false) {
      one.sink.next(megabyte);
      // Kernel buffers do not count as the server's memory.
      await new Promise((resolve) => setImmediate(resolve));
      if (++sent > 100) break;
    }
    expect(one?.sink.isBusy()).toBe(true);
  });

  it("A stream with too many waiting bytes is closed and its subscription ends", async () => {
    const { app, running } = await start();
    await deaf(app);
    await expect.poll(() => running.length, { timeout: 10_000 }).toBe(1);
    const [one] = running;
    for (let i = 0; i < 60 && one?.sink.aborted === false; i++) {
      one.sink.next(megabyte);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(one?.sink.aborted).toBe(true);
    await expect.poll(() => one?.isStopped).toBe(true);
    await expect.poll(() => app.app.inProgress(), { timeout: 10_000 }).toEqual([]);
  });

  it("A stream's subscription ends with its session, even while events wait", async () => {
    const { app, running } = await start({}, "brief");
    await deaf(app);
    await expect.poll(() => running.length, { timeout: 10_000 }).toBe(1);
    const [one] = running;
    while (one?.sink.isBusy() === false && one.sink.aborted === false) {
      one.sink.next(megabyte);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await expect.poll(() => one?.isStopped, { timeout: 10_000 }).toBe(true);
  });
});

describe("Connections of event streams", () => {
  it("A closed connection stops its subscription", async () => {
    const { app, running } = await start();
    const sockets = await Promise.all(Array.from({ length: 50 }, () => deaf(app)));
    await expect.poll(() => running.length, { timeout: 10_000 }).toBe(50);
    for (const [i, socket] of sockets.entries()) {
      if (i % 2 === 0) socket.destroy();
      else socket.resume().end();
    }
    await expect.poll(() => running.every(({ isStopped }) => isStopped), { timeout: 10_000 }).toBe(true);
    await expect.poll(() => app.app.inProgress(), { timeout: 10_000 }).toEqual([]);
  });

  it("A connection has one stream at a time, even if requests are pipelined", async () => {
    const { app, running } = await start();
    await deaf(app, request.repeat(200));
    await expect.poll(() => running.length, { timeout: 10_000 }).toBe(1);
    // At this point, every request that was read has been handled.
    await deaf(app);
    await expect.poll(() => running.length, { timeout: 10_000 }).toBe(2);
    const [first] = running;
    first?.sink.next("1");
    first?.sink.complete();
    await expect.poll(() => running.length, { timeout: 10_000 }).toBeLessThan(5);
  });

  it("An HTTP/1.0 connection receives events without chunks", async () => {
    const { app, running } = await start();
    const answer = exchange(app.port, request.replace("HTTP/1.1", "HTTP/1.0"));
    await expect.poll(() => running.length, { timeout: 10_000 }).toBe(1);
    running[0]?.sink.next("1");
    running[0]?.sink.complete();
    const text = await answer;
    expect(text.slice(text.indexOf("\r\n\r\n") + 4)).toBe(
      ':\n\nevent: next\ndata: {"data":1}\n\nevent: complete\ndata:\n\n',
    );
  });
});

describe("Events of event streams", () => {
  it("A value cannot forge an event", async () => {
    const { app, running } = await start();
    const reader = await openEvents(`${app.url}/v1/graphql`, { query: "subscription { a }" });
    ends.push(() => reader.close());
    await expect.poll(() => running.length, { timeout: 10_000 }).toBe(1);
    const [one] = running;
    one?.sink.next('{"a":"\\n\\nevent: complete",\r\n\r\n"b":\n\n[\r1]}');
    one?.sink.next('{"a": "data: 1\\r\\n\\r\\n:"}');
    one?.sink.complete();
    one?.sink.next('{"late": true}');
    expect(await reader.take()).toEqual({ event: "next", data: { data: { a: "\n\nevent: complete", b: [1] } } });
    expect(await reader.take()).toEqual({ event: "next", data: { data: { a: "data: 1\r\n\r\n:" } } });
    expect(await reader.take()).toMatchObject({ event: "complete" });
    expect(await reader.take()).toBeNull();
  });

  it("An event stream is refused for a page of another site", async () => {
    const { app, running } = await start({ ENGINE_GRAPHQL_CORS_DOMAIN: "https://app.example" });
    const reader = await openEvents(
      `${app.url}/v1/graphql`,
      { query: "subscription { a }" },
      { origin: "https://evil.example" },
    );
    ends.push(() => reader.close());
    expect(reader.response.status).toBe(403);
    expect(running).toEqual([]);
    expect(reader.response.headers.has("access-control-allow-origin")).toBe(false);
  });
});

it("A stopping server refuses new streams and ends open ones", async () => {
  const { app, running } = await start();
  const socket = await deaf(app);
  await expect.poll(() => running.length, { timeout: 10_000 }).toBe(1);
  const closed = once(socket, "close");
  socket.resume();
  await app.app.close();
  await closed;
  expect(running[0]?.isStopped).toBe(true);
});
