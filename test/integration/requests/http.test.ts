/** The HTTP server on a real socket, with services that answer what the test says. */
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

describe("answers", () => {
  it("are the service's text, with the documented headers and no others", async () => {
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

  it("carry a request id of their own where the client sent none", async () => {
    const { url } = await start();
    const ids = await Promise.all(
      [{}, { "x-request-id": "" }].map(async (headers) => {
        return (await post(`${url}/v1/graphql`, query, headers)).headers["x-request-id"];
      }),
    );
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(ids[0]).not.toBe(ids[1]);
  });

  it("count bytes, not letters", async () => {
    const { url } = await start({}, { graphql: executing(async () => '"é漢🙂"') });
    const answer = await post(`${url}/v1/graphql`, query);
    expect(answer.body).toBe('{"data":"é漢🙂"}');
    expect(answer.headers["content-length"]).toBe(String(Buffer.byteLength(answer.body)));
  });

  it("come from every endpoint", async () => {
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

  it("to HEAD have no body", async () => {
    const { url } = await start();
    expect(await send(`${url}/healthz`, { method: "HEAD" })).toMatchObject({
      status: 200,
      body: "",
      headers: { "content-length": "2" },
    });
  });

  it("come to requests that name the whole address, as clients of a proxy do", async () => {
    const { port } = await start();
    const head = ["host: localhost", "connection: close", "content-length: 0"].join("\r\n");
    const answer = await exchange(port, `GET http://localhost/v1/version?a=1 HTTP/1.1\r\n${head}\r\n\r\n`);
    expect(answer).toContain('{"version":"v1.2.3"}');
  });

  it("leave the connection open for longer than load balancers do", async () => {
    const { url } = await start();
    const agent = new http.Agent({ keepAlive: true });
    ends.push(async () => agent.destroy());
    expect((await send(`${url}/v1/version`, { agent })).headers["keep-alive"]).toBe("timeout=72");
  });

  it("read the query string", async () => {
    const { url } = await start({}, { health: { ...healthy, check: async () => "inconsistent" } });
    expect((await send(`${url}/healthz`)).status).toBe(200);
    expect((await send(`${url}/healthz?a=1&strict=tr%75e`)).status).toBe(500);
  });
});

describe("bodies", () => {
  it.each([undefined, "application/json", "text/plain", "application/x-www-form-urlencoded", "no type at all;;;"])(
    "are read as JSON with the content type %s",
    async (type) => {
      const { url } = await start();
      const answer = await post(`${url}/v1/graphql`, query, type === undefined ? {} : { "content-type": type });
      expect(answer.body).toBe('{"data":{"a" : 1}}');
    },
  );

  it("may come in chunks that split a letter", async () => {
    const { url, executed } = await start();
    const bytes = Buffer.from('{"query":"{ a }","variables":{"name":"漢字"}}');
    const middle = bytes.indexOf("漢") + 1;
    await post(`${url}/v1/graphql`, [bytes.subarray(0, middle), bytes.subarray(middle)]);
    expect(executed[0]?.request.variables).toEqual({ name: "漢字" });
  });

  it("may be long", async () => {
    const { url, executed } = await start();
    const text = "x".repeat(5_000_000);
    await post(`${url}/v1/graphql`, JSON.stringify({ query: "{ a }", variables: { text } }));
    expect(executed[0]?.request.variables).toEqual({ text });
  });

  it("may be missing", async () => {
    const { url } = await start();
    const answer = await post(`${url}/v1/metadata`, "");
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({ code: "invalid-json", path: "$" });
  });

  it("that break off reach no service, and the server goes on", async () => {
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

describe("what has no route", () => {
  it.each([
    ["GET", "/"],
    ["GET", "/nowhere"],
    ["POST", "/nowhere?x=1"],
    ["DELETE", "/v1/graphql"],
    ["GET", "/v1/metadata"],
    ["PUT", "/v1/version"],
    ["OPTIONS", "/v1/graphql"],
    ["PROPFIND", "/v1/graphql"],
    ["GET", "/%zz"],
    ["GET", "/v1/graphql/"],
  ])("%s %s", async (method, path) => {
    // It would have one at /.
    const { url } = await start({ ENGINE_GRAPHQL_ENABLE_CONSOLE: "false" });
    expect(await send(`${url}${path}`, { method, headers: { "content-type": "odd;;" } })).toMatchObject({
      status: 404,
      body: notFound,
      headers: { "content-type": "application/json; charset=utf-8" },
    });
  });

  it.each([
    ["graphql", ["/v1/metadata", "/v1/query", "/v2/query"], ["/v1/graphql", "/v1alpha1/graphql"]],
    ["metadata", ["/v1/graphql", "/v1alpha1/graphql"], ["/v1/metadata", "/v1/query", "/v2/query"]],
  ])("is what groups other than %s have", async (group, missing, present) => {
    const { url } = await start({ ENGINE_GRAPHQL_ENABLED_APIS: group });
    for (const path of missing) {
      expect(await post(`${url}${path}`, query)).toMatchObject({ status: 404, body: notFound });
    }
    for (const path of present) expect((await post(`${url}${path}`, '{"query":"{a}","type":"t"}')).status).toBe(200);
  });
});

describe("CORS", () => {
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
    ["an origin that a wildcard covers", domains, "https://x.a.com", true],
    ["another origin", domains, "https://x.y.a.com", false],
    ["an empty list", { ENGINE_GRAPHQL_CORS_DOMAIN: "" }, "http://b.com", false],
    ["CORS switched off", { ENGINE_GRAPHQL_DISABLE_CORS: "true" }, "http://b.com", false],
  ])("%s", async (_, environment, origin, allowed) => {
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

  it("adds nothing to requests without an origin", async () => {
    const { url } = await start();
    expect(corsOf(await send(`${url}/v1/version`))).toEqual({});
  });

  it("answers preflight requests for any path", async () => {
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

  it("refuses those of other origins", async () => {
    for (const environment of [domains, { ...domains, ...secret }]) {
      const { url } = await start(environment);
      const answer = await send(`${url}/v1/graphql`, { method: "OPTIONS", headers: { origin: "http://c.com" } });
      expect(answer.status).toBe(403);
      expect(answer.body).toContain("name the origin of the page in --cors-domain");
      expect(corsOf(answer)).toEqual({});
    }
  });
});

describe("requests that are none", () => {
  it("are refused when their head is too long", async () => {
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

  it("may have a head of a megabyte by default", async () => {
    const { port } = await start();
    const head = `GET /v1/version HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nx-long: ${"x".repeat(1_000_000)}\r\n\r\n`;
    expect(await exchange(port, head)).toMatch(/^HTTP\/1.1 200 /);
  });

  it("are refused when they are not HTTP", async () => {
    const { port } = await start();
    const answer = await exchange(port, "hello\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer).toContain('{"error":"malformed HTTP request","path":"$","code":"bad-request"}');
  });

  it("are refused when their head does not come in time", async () => {
    const { port } = await start({ ENGINE_GRAPHQL_SERVER_TIMEOUT: "1" });
    const answer = await exchange(port, "GET /v1/version HTTP/1.1\r\n");
    expect(answer).toMatch(/^HTTP\/1.1 408 /);
    expect(answer).toContain('{"error":"the request did not arrive in time","path":"$","code":"bad-request"}');
  });
});

describe("closing", () => {
  it("finishes the request in progress, ends its connection and takes no other", async () => {
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

  it("may be asked for twice", async () => {
    const { app } = await start();
    await Promise.all([app.close(), app.close()]);
  });
});

describe("listening", () => {
  it("on * answers on IPv4", async () => {
    const { url, lines } = await start({ ENGINE_GRAPHQL_SERVER_HOST: "*" });
    expect((await send(`${url}/healthz`)).status).toBe(200);
    expect(JSON.parse(lines[0] ?? "").detail.http_info.ip).toBe("127.0.0.1");
  });

  it("on localhost answers at 127.0.0.1", async () => {
    const { url } = await start({ ENGINE_GRAPHQL_SERVER_HOST: "localhost" });
    expect((await send(`${url}/healthz`)).status).toBe(200);
  });

  it("on a taken port is refused", async () => {
    const { port } = await start();
    await expect(start({ ENGINE_GRAPHQL_SERVER_PORT: String(port) })).rejects.toMatchObject({ code: "EADDRINUSE" });
  });
});

describe("the log", () => {
  it("has a line for each request", async () => {
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

describe("serve", () => {
  async function serving(handler: Handler) {
    const lines: string[] = [];
    const { services, bugs } = stubServices();
    const { reportBug, answerMemory } = services;
    const connections = { begin: () => 0, end: () => {}, isClosing: false };
    const context = serveContext(parseOptions({}, {}), {
      log: logTo(lines),
      telemetry: noTelemetry,
      slowOperations: undefined,
      reportBug,
      connections,
      bodies: new BufferedBodies(1_000_000),
      answerMemory,
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

  it("sends a header as often as it has values", async () => {
    const headers = { "set-cookie": ["a=1", "b=2"], "x-other": "1" };
    const { url } = await serving(async () => ({ status: 200, headers, body: "", record }));
    expect((await send(url)).headers).toMatchObject(headers);
  });

  it("answers for handlers that fail", async () => {
    const bug = new Error("detail");
    const { url, bugs } = await serving(() => Promise.reject(bug));
    expect(await send(url)).toMatchObject({
      status: 500,
      body: '{"error":"Internal Server Error","path":"$","code":"unexpected"}',
    });
    expect(bugs).toEqual([bug]);
  });

  it("survives answers that cannot be sent", async () => {
    const { url, bugs } = await serving(async () => ({ status: 200, headers: { a: "\n" }, body: "", record }));
    await expect(send(url)).rejects.toThrow();
    expect(bugs).toMatchObject([{ code: "ERR_INVALID_CHAR" }]);
  });
});
