/** The engine mounted in another program's server: its responses equal those of a standalone server. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { createClient } from "graphql-ws";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import type { Engine } from "../../runtime/server/embedding/engine.d.mts";
import { handlerOf } from "../../runtime/server/embedding/handler.ts";
import { openLiveEngine } from "../../runtime/server/live/open-engine.ts";
import { query as runSql } from "../support/database.ts";
import { readEvents } from "../support/event-stream.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let engine: Engine;

const secret = { "x-engine-admin-secret": "secret" };
const json = { "content-type": "application/json" };
const limits = { ENGINE_GRAPHQL_ADMIN_MAX_BODY_BYTES: "100000", ENGINE_GRAPHQL_UNAUTHORIZED_ROLE: "anonymous" };

beforeAll(async () => {
  server = await startTestServer({ sealed: false });
  await runSql(server.databaseUrl, "create table note (id int primary key, text text not null)");
  await runSql(server.databaseUrl, "insert into note values (1, 'first')");
  const slow = "select note.* from note, pg_sleep(0.5)";
  await runSql(server.databaseUrl, `create function slow() returns setof note language sql stable as '${slow}'`);
  await server.metadata("pg_track_table", { source: "default", table: "note" });
  await server.metadata("pg_track_function", { source: "default", function: "slow" });
  engine = await openEngine();
}, 60_000);

/** Opens another instance on the databases of the server. */
function openEngine(environment: Readonly<Record<string, string>> = {}): Promise<Engine> {
  const databases = {
    ENGINE_GRAPHQL_DATABASE_URL: server.databaseUrl,
    ENGINE_GRAPHQL_METADATA_DATABASE_URL: server.metadataUrl,
    ENGINE_GRAPHQL_ADMIN_SECRET: "secret",
  };
  return openLiveEngine({ environment: { ...databases, ...limits, ...environment }, log: () => undefined }, "test");
}

afterAll(async () => {
  await engine?.close();
  await server?.close();
});

const graphql = (query: string, more: RequestInit = {}) =>
  new Request("https://app.example/v1/graphql", {
    method: "POST",
    headers: { ...json, ...secret },
    body: JSON.stringify({ query }),
    ...more,
  });

describe("Fetch requests to a mounted engine", () => {
  it("A Fetch request receives a response with status, headers and body", async () => {
    const response = await engine.fetch(graphql("{ note { id text } }"));
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(response.headers.get("x-request-id")).toMatch(/^[\da-f-]{36}$/);
    expect(response.headers.has("connection")).toBe(false);
    expect(await response.json()).toEqual({ data: { note: [{ id: 1, text: "first" }] } });
  });

  it("Fetch requests reach every endpoint and get 404 elsewhere", async () => {
    const at = async (path: string, more: RequestInit = {}) => {
      const response = await engine.fetch(new Request(`https://app.example${path}`, { headers: secret, ...more }));
      return [response.status, await response.text()];
    };
    expect(await at("/healthz")).toEqual([200, "OK"]);
    expect(await at("/healthz", { method: "HEAD" })).toEqual([200, ""]);
    expect(await at("/v1/version?x=1")).toEqual([200, '{"version":"vtest"}']);
    expect(await at("/nowhere")).toEqual([404, expect.stringContaining("resource does not exist")]);
    const preflight = { origin: "https://page.example", "access-control-request-method": "POST" };
    expect(await at("/v1/graphql", { method: "OPTIONS", headers: preflight })).toEqual([204, ""]);
  });

  it("A Fetch request may receive an event stream, which ends when its reader stops", async () => {
    const headers = { ...json, ...secret, accept: "text/event-stream" };
    const response = await engine.fetch(graphql("subscription { note { id text } }", { headers }));
    const reader = readEvents(response);
    const event = { event: "next", data: { data: { note: [{ id: 1, text: "first" }] } } };
    expect(await reader.take()).toEqual(event);
    await runSql(server.databaseUrl, "update note set text = 'changed' where id = 1");
    expect(await reader.take()).toMatchObject({ data: { data: { note: [{ text: "changed" }] } } });
    await runSql(server.databaseUrl, "update note set text = 'first' where id = 1");
    expect(await reader.take()).toEqual(event);
    reader.close();
  });

  it("A Fetch request may stream its body, regardless of its declared length", async () => {
    const second = JSON.stringify({ query: 'mutation { insert_note_one(object: {id: 2, text: "x"}) { id } }' });
    const smuggled = `POST /v1/graphql HTTP/1.1\r\nhost: localhost\r\nx-engine-admin-secret: secret\r\ncontent-length: ${second.length}\r\n\r\n${second}`;
    const whole = JSON.stringify({ query: "{ note { id } }" });
    const parts = [whole.slice(0, 5), whole.slice(5), smuggled].map((part) => new TextEncoder().encode(part));
    const body = ReadableStream.from(parts);
    const headers = { ...json, ...secret, "content-length": String(whole.length) };
    const init = { headers, body, duplex: "half" } as RequestInit;
    const answer = await (await engine.fetch(graphql("", init))).json();
    expect(answer).toMatchObject({ errors: [{ extensions: { code: "invalid-json" } }] });
    expect((await engine.fetch(graphql("{ note { id } }"))).status).toBe(200);
    expect(await runSql(server.databaseUrl, "select id from note")).toHaveLength(1);
  });

  it("A Fetch request with an oversized body is refused", async () => {
    const response = await engine.fetch(graphql(`{ note(where: {text: {_eq: "${"x".repeat(200_000)}"}}) { id } }`));
    expect([response.status, await response.text()]).toEqual([413, expect.stringContaining("the body is longer than")]);
  });

  it("A Fetch request has only the permissions of its headers", async () => {
    const response = await engine.fetch(graphql("{ note { id } }", { headers: { ...json, "x-engine-role": "admin" } }));
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: "validation-failed" } }] });
  });

  it("A Fetch request is aborted by its caller's signal", async () => {
    const leaving = new AbortController();
    const never = new ReadableStream({ pull: () => new Promise(() => undefined) });
    const init = { body: never, duplex: "half", signal: leaving.signal } as RequestInit;
    const pending = engine.fetch(graphql("", init));
    setImmediate(() => leaving.abort());
    await expect(pending).rejects.toThrow("aborted");
  });

  it("A Fetch request streams a long response as it is read", async () => {
    await runSql(server.databaseUrl, "insert into note values (3, repeat('long ', 1000000))");
    const answer = await engine.fetch(graphql("{ note_by_pk(id: 3) { text } }"));
    const { data } = JSON.parse(await answer.text());
    await runSql(server.databaseUrl, "delete from note where id = 3");
    expect(data.note_by_pk.text).toHaveLength(5_000_000);
  });
});

const servers: Server[] = [];

async function serve(
  with_: Parameters<typeof createServer>[1],
): Promise<{ readonly port: number; readonly url: string }> {
  const server = createServer(with_);
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("it listens on a port");
  return { port: address.port, url: `http://127.0.0.1:${address.port}` };
}

afterEach(async () => {
  for (const each of servers.splice(0)) {
    each.closeAllConnections();
    await new Promise((resolve) => each.close(resolve));
  }
});

async function post(url: string, headers: Record<string, string> = secret, query = "{ note { id } }") {
  const body = JSON.stringify({ query });
  const response = await fetch(`${url}/v1/graphql`, { method: "POST", headers: { ...json, ...headers }, body });
  return { status: response.status, body: await response.json() };
}

const found = { status: 200, body: { data: { note: [{ id: 1 }] } } };

describe("Node HTTP requests to a mounted engine", () => {
  it("A Node request receives a response", async () => {
    const { url } = await serve(engine.listener);
    expect(await post(url)).toEqual(found);
  });

  it("A Node request receives a response below a path that the framework removes", async () => {
    const { url } = await serve((request, reply) => {
      request.url = request.url?.replace(/^\/api/, "");
      engine.listener(request, reply);
    });
    expect(await post(`${url}/api`)).toEqual(found);
  });

  it("A Node request whose body was consumed is refused with advice, unless the host kept the body", async () => {
    const read = (keep: boolean) => (request: IncomingMessage, reply: Parameters<Engine["listener"]>[1]) => {
      void text(request).then((body) => {
        if (keep) Object.assign(request, { rawBody: Buffer.from(body) });
        engine.listener(request, reply);
      });
    };
    const { url } = await serve(read(false));
    expect(await post(url)).toEqual({
      status: 200,
      body: expect.objectContaining({
        errors: [
          expect.objectContaining({
            message: "the host has already read the body; mount the engine before any body parser",
          }),
        ],
      }),
    });
    expect(await post((await serve(read(true))).url)).toEqual(found);
  });

  it("A Node request with two credentials has neither", async () => {
    const seen = new Promise((resolve) => {
      void serve((request, reply) => {
        engine.listener(request, reply);
        reply.once("finish", () => resolve(request.headers.authorization));
      }).then(({ port }) => {
        const authorization = "authorization: Bearer one\r\nauthorization: Bearer two";
        connect(port, "127.0.0.1").end(`GET /v1/version HTTP/1.1\r\nhost: localhost\r\n${authorization}\r\n\r\n`);
      });
    });
    expect(await seen).toBe("Bearer one, Bearer two");
  });

  it("A subscription runs over a WebSocket of the host", async () => {
    const { port } = await serve(engine.listener);
    servers[0]?.on("upgrade", engine.upgrade);
    const client = createClient({
      url: `ws://127.0.0.1:${port}/v1/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { headers: secret },
    });
    const results = client.iterate({ query: "subscription { note { id } }" });
    expect((await results.next()).value).toEqual({ data: { note: [{ id: 1 }] } });
    await client.dispose();
  });
});

describe("Closing a mounted engine", () => {
  const ways = {
    async fetch(own: Engine) {
      return (await own.fetch(graphql("{ slow { id } }"))).json();
    },
    async listener(own: Engine) {
      const { url } = await serve(own.listener);
      return (await post(url, secret, "{ slow { id } }")).body;
    },
  };
  it.each(Object.entries(ways))("Closing lets requests in progress finish: %s", async (_name, ask) => {
    const own = await openEngine();
    const answer = ask(own);
    await expect.poll(isRunning).toBe(true);
    await own.close();
    expect(await answer).toEqual({ data: { slow: [{ id: 1 }] } });
  });

  it("Closing waits for Fetch requests that have just started", async () => {
    const own = await openEngine();
    const answer = ways.fetch(own);
    await own.close();
    expect(await answer).toEqual({ data: { slow: [{ id: 1 }] } });
  });
});

const refusal = { path: "$", error: "the engine is closed", code: "unexpected" };

it("A closed engine responds with status 503", async () => {
  const own = await openEngine();
  const { url, port } = await serve(own.listener);
  servers.at(-1)?.on("upgrade", own.upgrade);
  expect(await post(url)).toEqual(found);
  await own.close();
  const response = await own.fetch(graphql("{ note { id } }"));
  expect([response.status, await response.json()]).toEqual([503, refusal]);
  expect(await post(url)).toEqual({ status: 503, body: refusal });
  const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/graphql`, "graphql-transport-ws");
  const [, answer] = await once(socket, "unexpected-response");
  expect(answer.statusCode).toBe(503);
});

async function isRunning(): Promise<boolean> {
  const text =
    "select from pg_stat_activity where query like '%\"slow\"%' and state = 'active' and pid <> pg_backend_pid()";
  return (await runSql(server.databaseUrl, text)).length > 0;
}

describe("Handlers that open their engine", () => {
  it("A handler opens its engine once and closes it", async () => {
    let opened = 0;
    const handler = handlerOf(() => {
      opened++;
      return openEngine();
    });
    const pending = [graphql("{ note { id } }"), graphql("{ note { id } }")].map((request) => handler.fetch(request));
    for (const response of await Promise.all(pending)) expect(await response.json()).toEqual(found.body);
    expect(await post((await serve(handler.listener)).url)).toEqual(found);
    expect(opened).toBe(1);
    await handler.close();
  });

  it("A handler responds with status 503 while its engine cannot start, and tries again", async () => {
    let isDown = true;
    const handler = handlerOf(() => (isDown ? Promise.reject(new Error("no database")) : openEngine()));
    const refused = { path: "$", error: "the engine cannot start", code: "unexpected" };
    const response = await handler.fetch(graphql("{ note { id } }"));
    expect([response.status, await response.json()]).toEqual([503, refused]);
    const { url } = await serve(handler.listener);
    expect(await post(url)).toEqual({ status: 503, body: refused });
    isDown = false;
    expect(await post(url)).toEqual(found);
    await handler.close();
  });

  it("A closed handler stays closed, whether it was opened before or not", async () => {
    let opened = 0;
    const handlers = [1, 2].map(() =>
      handlerOf(() => {
        opened++;
        return openEngine();
      }),
    );
    expect((await handlers[0]?.fetch(graphql("{ note { id } }")))?.status).toBe(200);
    for (const handler of handlers) {
      await handler.close();
      expect(await post((await serve(handler.listener)).url)).toEqual({ status: 503, body: refusal });
      await handler.close();
    }
    expect(opened).toBe(1);
  });

  it("Closing a handler closes an engine that is still opening", async () => {
    const ended: string[] = [];
    const handler = handlerOf(async () => {
      const own = await openEngine();
      const close = async () => {
        await own.close();
        ended.push("engine");
      };
      return { ...own, close };
    });
    const pending = handler.fetch(graphql("{ note { id } }"));
    await handler.close();
    expect(ended).toEqual(["engine"]);
    expect([200, 503]).toContain((await pending).status);
  });
});
