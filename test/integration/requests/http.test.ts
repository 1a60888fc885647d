/** The HTTP server on a real socket, with services whose responses the test defines. */
import http from "node:http";
import net from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Environment, parseOptions } from "../../../runtime/config/options.ts";
import { BufferedBodies } from "../../../runtime/http/buffered-bodies.ts";
import { EventStreams } from "../../../runtime/http/events/event-streams.ts";
import { serve, serveContext } from "../../../runtime/http/serve.ts";
import { createLog } from "../../../runtime/observe/logs/log.ts";
import type { Handler } from "../../../runtime/ports/request.ts";
import type { Services } from "../../../runtime/ports/services.ts";
import { noTelemetry } from "../../../runtime/ports/telemetry.ts";
import { exchange, type HttpAnswer, post, type StubApp, send, startStubApp } from "../../support/stub-app.ts";
import { executing, healthy, stubServices } from "../../support/stub-services.ts";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

function logTo(lines: string[]) {
  return createLog(parseOptions({}, {}), { write: (line) => void lines.push(line) });
}

async function start(environment?: Environment, overrides?: Partial<Services>): Promise<StubApp> {
  const started = await startStubApp(environment, overrides);
  ends.push(() => started.app.close());
  return started;
}

const query = '{"query":"{ a }"}';
const notFound = '{"error":"resource does not exist","path":"$","code":"not-found"}';

describe("HTTP responses", () => {
  it("A response contains the service's text with exactly the documented headers", async () => {
    const { url } = await start();
    const answer = await post(`${url}/v1/graphql`, query, { "x-request-id": "my id" });
    expect(answer).toEqual({
      status: 200,
      body: '{"data":{"a" : 1}}',
      headers: {
        "content-type": "application/json; charset=utf-8",
        "content-length": "18",
        "x-request-id": "my id",
        date: expect.any(String),
        connection: "close",
      },
    });
  });

  it("A response has a generated request id if the client sent none", async () => {
    const { url } = await start();
    const ids = await Promise.all(
      [{}, { "x-request-id": "" }].map(async (headers) => {
        return (await post(`${url}/v1/graphql`, query, headers)).headers["x-request-id"];
      }),
    );
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(ids[0]).not.toBe(ids[1]);
  });

  it("The content length counts bytes", async () => {
    const { url } = await start({}, { graphql: executing(async () => '"é漢🙂"') });
    const answer = await post(`${url}/v1/graphql`, query);
    expect(answer.body).toBe('{"data":"é漢🙂"}');
    expect(answer.headers["content-length"]).toBe(String(Buffer.byteLength(answer.body)));
  });

  it("Every endpoint responds", async () => {
    const { url, operations } = await start();
    expect((await post(`${url}/v1alpha1/graphql`, query)).body).toBe('{"data":{"a" : 1}}');
    for (const path of ["/v1/metadata", "/v1/query", "/v2/query"]) {
      expect(await post(`${url}${path}`, '{"type":"t"}')).toMatchObject({ status: 200, body: '{"message":"success"}' });
    }
    expect(operations).toMatchObject([
      { endpoint: "/v1/metadata" },
      { endpoint: "/v1/query" },
      { endpoint: "/v2/query" },
    ]);
    expect((await send(`${url}/v1/graphql?query=%7Ba%7D`)).body).toBe('{"data":{"a" : 1}}');
    expect(await send(`${url}/v1/version`)).toMatchObject({ status: 200, body: '{"version":"v1.2.3"}' });
    for (const path of ["/healthz", "/engine/healthz", "/healthz?strict=true"]) {
      expect(await send(`${url}${path}`)).toMatchObject({
        status: 200,
        body: "OK",
        headers: { "content-type": "text/plain; charset=utf-8" },
      });
    }
  });

  it("A response to HEAD has no body", async () => {
    const { url } = await start();
    expect(await send(`${url}/healthz`, { method: "HEAD" })).toMatchObject({
      status: 200,
      body: "",
      headers: { "content-length": "2" },
    });
  });

  it("A request with an absolute URL receives a response", async () => {
    const { port } = await start();
    const head = ["host: localhost", "connection: close", "content-length: 0"].join("\r\n");
    const answer = await exchange(port, `GET http://localhost/v1/version?a=1 HTTP/1.1\r\n${head}\r\n\r\n`);
    expect(answer).toContain('{"version":"v1.2.3"}');
  });

  it("The keep-alive timeout exceeds that of load balancers", async () => {
    const { url } = await start();
    const agent = new http.Agent({ keepAlive: true });
    ends.push(async () => agent.destroy());
    expect((await send(`${url}/v1/version`, { agent })).headers["keep-alive"]).toBe("timeout=72");
  });

  it("Query strings are decoded", async () => {
    const { url } = await start({}, { health: { ...healthy, check: async () => "inconsistent" } });
    expect((await send(`${url}/healthz`)).status).toBe(200);
    expect((await send(`${url}/healthz?a=1&strict=tr%75e`)).status).toBe(500);
  });
});

describe("HTTP request bodies", () => {
  it.each([undefined, "application/json", "text/plain", "application/x-www-form-urlencoded", "no type at all;;;"])(
    "A body is parsed as JSON with the content type %s",
    async (type) => {
      const { url } = await start();
      const answer = await post(`${url}/v1/graphql`, query, type === undefined ? {} : { "content-type": type });
      expect(answer.body).toBe('{"data":{"a" : 1}}');
    },
  );

  it("A body may arrive in chunks that split a character", async () => {
    const { url, executed } = await start();
    const bytes = Buffer.from('{"query":"{ a }","variables":{"name":"漢字"}}');
    const middle = bytes.indexOf("漢") + 1;
    await post(`${url}/v1/graphql`, [bytes.subarray(0, middle), bytes.subarray(middle)]);
    expect(executed[0]?.request.variables).toEqual({ name: "漢字" });
  });

  it("A body may be megabytes long", async () => {
    const { url, executed } = await start();
    const text = "x".repeat(5_000_000);
    await post(`${url}/v1/graphql`, JSON.stringify({ query: "{ a }", variables: { text } }));
    expect(executed[0]?.request.variables).toEqual({ text });
  });

  it("A missing body is refused as invalid JSON", async () => {
    const { url } = await start();
    const answer = await post(`${url}/v1/metadata`, "");
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({ code: "invalid-json", path: "$" });
  });

  it("An aborted body reaches no service, and the server continues", async () => {
    const { url, port, executed, lines } = await start();
    const socket = net.connect(port, "127.0.0.1");
    await new Promise((resolve) => {
      socket.write("POST /v1/graphql HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n{", resolve);
    });
    socket.resetAndDestroy();
    expect((await post(`${url}/v1/graphql`, query)).status).toBe(200);
    expect(executed).toHaveLength(1);
    expect(lines).toHaveLength(1);
  });
});

describe("Requests without a route", () => {
  it.each([
    ["GET", "/"],
    ["GET", "/nowhere"],
    ["POST", "/nowhere?x=1"],
    ["DELETE", "/v1/relay"],
    ["GET", "/v1/metadata"],
    ["PUT", "/v1/version"],
    ["OPTIONS", "/v1/relay"],
    ["PROPFIND", "/v1/relay"],
    ["GET", "/%zz"],
    ["GET", "/v1/graphql/"],
  ])("%s %s returns 404", async (method, path) => {
    // With a console, / would respond.
    const { url } = await start({ ENGINE_GRAPHQL_ENABLE_CONSOLE: "false" });
    expect(await send(`${url}${path}`, { method, headers: { "content-type": "odd;;" } })).toMatchObject({
      status: 404,
      body: notFound,
      headers: { "content-type": "application/json; charset=utf-8" },
    });
  });

  it("A disabled GraphQL endpoint returns 404 for every method", async () => {
    const { url } = await start({ ENGINE_GRAPHQL_ENABLED_APIS: "metadata" });
    for (const method of ["GET", "POST", "PUT"]) {
      expect(await send(`${url}/v1/graphql`, { method })).toMatchObject({ status: 404, body: notFound });
    }
  });

  it.each([
    ["graphql", ["/v1/metadata", "/v1/query", "/v2/query"], ["/v1/graphql", "/v1alpha1/graphql"]],
    ["metadata", ["/v1/graphql", "/v1alpha1/graphql"], ["/v1/metadata", "/v1/query", "/v2/query"]],
  ])("With only the group %s enabled, other endpoints return 404", async (group, missing, present) => {
    const { url } = await start({ ENGINE_GRAPHQL_ENABLED_APIS: group });
    for (const path of missing) {
      expect(await post(`${url}${path}`, query)).toMatchObject({ status: 404, body: notFound });
    }
    for (const path of present) expect((await post(`${url}${path}`, '{"query":"{a}","type":"t"}')).status).toBe(200);
  });
});

describe("CORS headers", () => {
  const domains = { ENGINE_GRAPHQL_CORS_DOMAIN: "https://*.a.com, http://b.com" };
  const secret = { ENGINE_GRAPHQL_ADMIN_SECRET: "hunter2" };
  const shared = (origin: string) => ({
    "access-control-allow-origin": origin,
    "access-control-allow-credentials": "true",
    "access-control-allow-methods": "GET,POST,PUT,PATCH,DELETE,OPTIONS",
    "access-control-expose-headers": "X-Engine-Query-Cache-Key,X-Engine-Query-Family-Cache-Key,Warning",
  });
  const corsOf = ({ headers }: HttpAnswer) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith("access-control-")));

  it.each([
    ["any origin", secret, "https://anywhere.org", true],
    ["any origin without an admin secret", {}, "https://anywhere.org", false],
    ["an origin of the list", domains, "http://b.com", true],
    ["an origin that matches a wildcard", domains, "https://x.a.com", true],
    ["another origin", domains, "https://x.y.a.com", false],
    ["an empty list", { ENGINE_GRAPHQL_CORS_DOMAIN: "" }, "http://b.com", false],
    ["disabled CORS", { ENGINE_GRAPHQL_DISABLE_CORS: "true" }, "http://b.com", false],
  ])("CORS headers are sent to allowed origins only: %s", async (_, environment, origin, allowed) => {
    const { url } = await start(environment);
    const expected = allowed ? shared(origin) : {};
    for (const answer of [
      await post(`${url}/v1/graphql`, query, { origin }),
      await send(`${url}/v1/version`, { headers: { origin } }),
      await send(`${url}/nowhere`, { headers: { origin } }),
    ]) {
      expect(corsOf(answer)).toEqual(expected);
    }
  });

  it("A request without an origin receives no CORS headers", async () => {
    const { url } = await start();
    expect(corsOf(await send(`${url}/v1/version`))).toEqual({});
  });

  it("A preflight request is accepted for any path", async () => {
    const { url } = await start(domains);
    const headers = {
      origin: "https://x.a.com",
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type,x-engine-role",
    };
    const answer = await send(`${url}/any/path`, { method: "OPTIONS", headers });
    expect(answer).toMatchObject({
      status: 204,
      body: "",
      headers: { "content-length": "0", "content-type": "text/plain charset=UTF-8" },
    });
    expect(corsOf(answer)).toEqual({
      ...shared("https://x.a.com"),
      "access-control-max-age": "1728000",
      "access-control-allow-headers": "content-type,x-engine-role",
    });
  });

  it("A preflight request of another origin is refused", async () => {
    for (const environment of [domains, { ...domains, ...secret }]) {
      const { url } = await start(environment);
      const answer = await send(`${url}/v1/graphql`, { method: "OPTIONS", headers: { origin: "http://c.com" } });
      expect(answer.status).toBe(403);
      expect(answer.body).toContain("add the origin of the page to --cors-domain");
      expect(corsOf(answer)).toEqual({});
    }
  });
});

describe("Malformed HTTP requests", () => {
  it("A request whose headers exceed the limit is refused", async () => {
    const { port } = await start({ ENGINE_GRAPHQL_MAX_TOTAL_HEADER_LENGTH: "2000" });
    const head = (length: number) =>
      `GET /v1/version HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nx-long: ${"x".repeat(length)}\r\n\r\n`;
    expect(await exchange(port, head(1000))).toMatch(/^HTTP\/1.1 200 /);
    const answer = await exchange(port, head(2000));
    expect(answer).toMatch(/^HTTP\/1.1 431 /);
    expect(answer.split("\r\n\r\n")[1]).toBe(
      '{"error":"the headers of the request are too long","path":"$","code":"bad-request"}',
    );
  });

  it("Headers may have one megabyte by default", async () => {
    const { port } = await start();
    const head = `GET /v1/version HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nx-long: ${"x".repeat(1_000_000)}\r\n\r\n`;
    expect(await exchange(port, head)).toMatch(/^HTTP\/1.1 200 /);
  });

  it("A request that is not HTTP is refused", async () => {
    const { port } = await start();
    const answer = await exchange(port, "hello\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer).toContain('{"error":"malformed HTTP request","path":"$","code":"bad-request"}');
  });

  it("A request whose headers do not arrive in time is refused", async () => {
    const { port } = await start({ ENGINE_GRAPHQL_SERVER_TIMEOUT: "1" });
    const answer = await exchange(port, "GET /v1/version HTTP/1.1\r\n");
    expect(answer).toMatch(/^HTTP\/1.1 408 /);
    expect(answer).toContain('{"error":"the request did not arrive in time","path":"$","code":"bad-request"}');
  });
});

describe("Closing the HTTP server", () => {
  it("Closing finishes the request in progress, ends its connection and accepts no more", async () => {
    let answerNow = (): void => {};
    const started = vi.fn();
    const graphql = executing(
      () =>
        new Promise((resolve) => {
          started();
          answerNow = () => resolve('{"late":true}');
        }),
    );
    const { app, url } = await start({}, { graphql });
    const agent = new http.Agent({ keepAlive: true });
    const idle = new http.Agent({ keepAlive: true });
    ends.push(async () => [agent, idle].map((each) => each.destroy()));
    await send(`${url}/v1/version`, { agent: idle });
    const answer = send(`${url}/v1/graphql`, { method: "POST", body: query, agent });
    await vi.waitFor(() => expect(started).toHaveBeenCalled());
    let closed = false;
    const closing = app.close().then(() => {
      closed = true;
    });
    await vi.waitFor(() => expect(send(`${url}/v1/version`)).rejects.toThrow(/ECONNREFUSED/));
    expect(closed).toBe(false);
    answerNow();
    expect(await answer).toMatchObject({
      status: 200,
      body: '{"data":{"late":true}}',
      headers: { connection: "close" },
    });
    await closing;
  });

  it("Closing twice is allowed", async () => {
    const { app } = await start();
    await Promise.all([app.close(), app.close()]);
  });
});

describe("Listening addresses", () => {
  it("A server on * accepts IPv4 connections", async () => {
    const { url, lines } = await start({ ENGINE_GRAPHQL_SERVER_HOST: "*" });
    expect((await send(`${url}/healthz`)).status).toBe(200);
    expect(JSON.parse(lines[0] ?? "").detail.http_info.ip).toBe("127.0.0.1");
  });

  it("A server on localhost accepts connections at 127.0.0.1", async () => {
    const { url } = await start({ ENGINE_GRAPHQL_SERVER_HOST: "localhost" });
    expect((await send(`${url}/healthz`)).status).toBe(200);
  });

  it("A server on a port in use is refused", async () => {
    const { port } = await start();
    await expect(start({ ENGINE_GRAPHQL_SERVER_PORT: String(port) })).rejects.toMatchObject({ code: "EADDRINUSE" });
  });
});

describe("The HTTP log", () => {
  it("Each request has a log line without its query string", async () => {
    const { url, lines } = await start();
    await post(`${url}/v1/graphql?secret=hunter2`, query, {
      "x-request-id": "r1",
      "x-engine-role": "user",
      "x-forwarded-for": "10.1.2.3, 10.0.0.1",
      authorization: "hunter2",
    });
    await post(`${url}/v1/graphql`, query, { "x-engine-role": "nobody" });
    await send(`${url}/nowhere`);
    const details = lines.map((line) => JSON.parse(line));
    expect(details).toMatchObject([
      {
        type: "http-log",
        level: "info",
        detail: {
          request_id: "r1",
          operation: { user_vars: { "x-engine-role": "user" }, response_size: 18, error: null, request_mode: "single" },
          http_info: { status: 200, http_version: "HTTP/1.1", url: "/v1/graphql", ip: "10.1.2.3", method: "POST" },
        },
      },
      {
        level: "error",
        detail: { operation: { user_vars: null, error: { code: "access-denied" }, request_mode: "error" } },
      },
      { level: "error", detail: { operation: { error: { code: "not-found" } }, http_info: { status: 404 } } },
    ]);
    expect(lines.join()).not.toContain("hunter2");
  });
});

describe("The serve function", () => {
  async function serving(handler: Handler) {
    const lines: string[] = [];
    const { services, bugs } = stubServices();
    const { reportBug, responseMemory } = services;
    const connections = { begin: () => 0, end: () => {}, isClosing: false };
    const context = serveContext(parseOptions({}, {}), {
      log: logTo(lines),
      telemetry: noTelemetry,
      slowOperations: undefined,
      roleUsage: undefined,
      reportBug,
      connections,
      bodies: new BufferedBodies(1_000_000),
      responseMemory,
      eventStreams: new EventStreams({ websocketKeepaliveSeconds: 5, closeWebsocketsOnMetadataChange: true }),
    });
    const server = http.createServer((raw, reply) => void serve(context, handler, raw, reply));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    ends.push(() => new Promise((resolve) => server.close(resolve)));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    return { url: `http://127.0.0.1:${port}/`, bugs };
  }

  const record = { mode: "non-graphql", session: null, error: null } as const;

  it("A header with several values is sent once per value", async () => {
    const headers = { "set-cookie": ["a=1", "b=2"], "x-other": "1" };
    const { url } = await serving(async () => ({ status: 200, headers, body: "", record }));
    expect((await send(url)).headers).toMatchObject(headers);
  });

  it("A failing handler returns a generic error and is reported", async () => {
    const bug = new Error("detail");
    const { url, bugs } = await serving(() => Promise.reject(bug));
    expect(await send(url)).toMatchObject({
      status: 500,
      body: '{"error":"Internal Server Error","path":"$","code":"unexpected"}',
    });
    expect(bugs).toEqual([bug]);
  });

  it("The server survives a response that cannot be sent", async () => {
    const { url, bugs } = await serving(async () => ({ status: 200, headers: { a: "\n" }, body: "", record }));
    await expect(send(url)).rejects.toThrow();
    expect(bugs).toMatchObject([{ code: "ERR_INVALID_CHAR" }]);
  });
});
