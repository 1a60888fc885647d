/** Long bodies do not exhaust the memory that other requests need. */
import http from "node:http";
import net from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type Environment, parseOptions } from "../../../runtime/config/options.ts";
import { Secret } from "../../../runtime/config/secret.ts";
import { createAuthenticator } from "../../../runtime/http/auth/authenticate.ts";
import type { Services } from "../../../runtime/ports/services.ts";
import { collectGarbage } from "../../support/collect-garbage.ts";
import { exchange, post, type StubApp, startStubApp } from "../../support/stub-app.ts";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

const admin = { "x-engine-admin-secret": "first" };
const user = { ...admin, "x-engine-role": "user" };

async function start(environment: Environment = {}, overrides: Partial<Services> = {}): Promise<StubApp> {
  const unauthorizedRole = environment.ENGINE_GRAPHQL_UNAUTHORIZED_ROLE ?? null;
  const { corsDomains } = parseOptions({}, {});
  const authenticator = createAuthenticator(
    { kind: "admin-secret", secrets: [new Secret("first")], unauthorizedRole },
    corsDomains,
  );
  const started = await startStubApp(environment, { authenticator, ...overrides });
  ends.push(() => started.app.close());
  return started;
}

const padded = (bytes: number): string => `{"query":"{ a }"}`.padEnd(bytes);

/** Begins a request whose body is sent in pieces. */
async function beginPost(url: string, length: number, headers: http.OutgoingHttpHeaders = {}) {
  const request = http.request(url, {
    agent: false,
    method: "POST",
    headers: { "content-length": length, ...headers },
  });
  const answer = new Promise<http.IncomingMessage>((resolve, reject) => {
    request.on("response", resolve).on("error", reject);
  });
  // For clients that do not wait for the response, the end of the connection is irrelevant.
  answer.catch(() => {});
  request.flushHeaders();
  const [socket] = await new Promise<[net.Socket]>((resolve) => request.once("socket", (...of) => resolve(of)));
  if (socket.connecting) await new Promise((resolve) => socket.once("connect", resolve));
  ends.push(async () => void request.destroy());
  return { request, answer };
}

const write = (request: http.ClientRequest, text: string): Promise<void> =>
  new Promise((resolve, reject) => request.write(text, (error) => (error ? reject(error) : resolve())));

describe("Unauthenticated bodies", () => {
  const announced = (path: string): string =>
    `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 536000000\r\n\r\n`;

  it("The server responds to an unauthenticated request without waiting for its body", async () => {
    const { port } = await start();
    const ask = async ([path, status]: readonly [string, number]): Promise<void> => {
      const answer = await exchange(port, announced(path));
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(answer).toMatch(/^connection: close\r$/im);
      if (status !== 404) expect(answer).toContain("x-engine-admin-secret/x-engine-access-key required, but not found");
    };
    const endpoints: readonly (readonly [string, number])[] = [
      ["/v1/metadata", 401],
      ["/v1/query", 401],
      ["/v1alpha1/pg_dump", 401],
      ["/v1/graphql/explain", 401],
      ["/v1/graphql", 200],
      ["/v1alpha1/graphql", 401],
      ["/v1beta1/relay", 200],
      ["/api/rest/any", 401],
      ["/nowhere", 404],
    ];
    await Promise.all(endpoints.map(ask));
  });

  it("Unauthenticated bodies take no memory", async () => {
    const { port } = await start();
    // Released buffers are collected later, so only memory that is still referenced counts.
    const held = (): number => {
      collectGarbage();
      return process.memoryUsage().arrayBuffers;
    };
    const before = held();
    let most = before;
    const part = Buffer.alloc(1024 * 1024);
    const flood = (): Promise<number> =>
      new Promise((resolve) => {
        const socket = net.connect(port, "127.0.0.1", () => socket.write(announced("/v1/metadata")));
        const more = (): void => {
          most = Math.max(most, held());
          if (socket.writable && socket.bytesWritten < 536_000_000) socket.write(part, more);
        };
        socket.on("connect", more);
        socket.on("error", () => {}).on("close", () => resolve(socket.bytesWritten));
        socket.resume();
      });
    const sent = await Promise.all([flood(), flood(), flood()]);
    expect(most - before).toBeLessThan(10_000_000);
    for (const bytes of sent) expect(bytes).toBeLessThan(100_000_000);
  });

  it("A short unauthenticated body leaves its connection usable", async () => {
    const { port } = await start();
    const socket = net.connect(port, "127.0.0.1");
    ends.push(async () => void socket.destroy());
    let text = "";
    socket.setEncoding("latin1").on("data", (chunk) => {
      text += chunk;
    });
    socket.write("POST /v1/metadata HTTP/1.1\r\nhost: localhost\r\ncontent-length: 30\r\n\r\nGET /healthz");
    await expect.poll(() => text).toContain("required, but not found");
    // The rest of the body must not be parsed as a request.
    socket.write(" HTTP/1.1\r\n\r\n     GET /v1/version HTTP/1.1\r\nhost: localhost\r\n\r\n");
    await expect.poll(() => text).toContain("v1.2.3");
    expect(text.match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 401", "HTTP/1.1 200"]);
  });

  it("The server sends 100 Continue only to authenticated clients", async () => {
    const { port } = await start();
    const head = (secret: string): string =>
      `POST /v1/metadata HTTP/1.1\r\nhost: localhost\r\n${secret}expect: 100-continue\r\nconnection: close\r\ncontent-length: 12\r\n\r\n`;
    const refused = await exchange(port, head(""));
    expect(refused).toMatch(/^HTTP\/1.1 401 /);
    const accepted = await new Promise<string>((resolve) => {
      let text = "";
      const socket = net.connect(port, "127.0.0.1", () => socket.write(head("x-engine-admin-secret: first\r\n")));
      socket.setEncoding("latin1").on("data", (chunk) => {
        if (text === "") socket.write('{"type":"t"}');
        text += chunk;
      });
      socket.on("close", () => resolve(text));
    });
    expect(accepted).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 /);
  });
});

describe("Long bodies", () => {
  const limits = {
    ENGINE_GRAPHQL_MAX_BODY_BYTES: "200000",
    ENGINE_GRAPHQL_UNAUTHORIZED_MAX_BODY_BYTES: "100000",
    ENGINE_GRAPHQL_UNAUTHORIZED_ROLE: "anonymous",
  };

  it("A body above the limit of its role is refused", async () => {
    const { url } = await start(limits);
    const send = (bytes: number, headers: http.OutgoingHttpHeaders) =>
      post(`${url}/v1/graphql`, padded(bytes), headers);
    const refused = (bytes: number, option: string) => ({
      status: 413,
      headers: { connection: "close" },
      body: `{"errors":[{"message":"the body is longer than the ${bytes} bytes that ${option} allows","extensions":{"path":"$","code":"bad-request"}}]}`,
    });
    expect(await send(100_000, {})).toMatchObject({ status: 200, body: '{"data":{"a" : 1}}' });
    expect(await send(100_001, {})).toMatchObject(refused(100_000, "--unauthorized-max-body-bytes"));
    expect(await send(200_000, user)).toMatchObject({ status: 200, body: '{"data":{"a" : 1}}' });
    expect(await send(200_001, user)).toMatchObject(refused(200_000, "--max-body-bytes"));
    expect(await send(10_000_000, admin)).toMatchObject({ status: 200, body: '{"data":{"a" : 1}}' });
  });

  it.each(["/v1/metadata", "/v1/query", "/v2/query"])(
    "A long body is refused in the error format of %s",
    async (path) => {
      const { url } = await start(limits);
      expect(await post(`${url}${path}`, padded(300_000), user)).toMatchObject({
        status: 413,
        body: '{"error":"the body is longer than the 200000 bytes that --max-body-bytes allows","path":"$","code":"bad-request"}',
      });
    },
  );

  it("A long chunked body is refused and the client receives the response", async () => {
    const { url } = await start(limits);
    const parts = Array.from({ length: 50 }, () => Buffer.alloc(100_000, " "));
    expect(await post(`${url}/v1/graphql`, parts, user)).toMatchObject({ status: 413 });
  });

  it("Bodies sent to the authentication webhook have a separate limit", async () => {
    const received: unknown[] = [];
    const { url } = await start(
      { ENGINE_GRAPHQL_AUTH_HOOK_MAX_BODY_BYTES: "1000" },
      {
        authenticator: {
          async authenticate(_headers, context) {
            received.push(await context?.graphql?.());
            return { role: "user", variables: new Map(), backendOnly: false };
          },
        },
      },
    );
    expect(await post(`${url}/v1/graphql`, padded(1000))).toMatchObject({ status: 200 });
    expect(await post(`${url}/v1/graphql`, padded(1001))).toMatchObject({
      status: 413,
      body: expect.stringContaining("--auth-hook-max-body-bytes"),
    });
    expect(received).toMatchObject([{ query: "{ a }" }]);
  });
});

describe("The total of buffered bodies", () => {
  const short = { ENGINE_GRAPHQL_MAX_BUFFERED_BODY_BYTES: "1000000" };

  it("Buffered bodies have a total limit, beyond which short ones are still served", async () => {
    const { url } = await start(short);
    const first = await beginPost(`${url}/v1/graphql`, 900_000, user);
    await write(first.request, padded(800_000));
    await expect
      .poll(async () => (await post(`${url}/v1/graphql`, padded(300_000), user)).status, { timeout: 5000 })
      .toBe(503);
    expect(await post(`${url}/v1/graphql`, padded(300_000), user)).toMatchObject({
      status: 503,
      headers: { "retry-after": "1" },
      body: expect.stringContaining("--max-buffered-body-bytes"),
    });
    expect(await post(`${url}/v1/graphql`, padded(60_000), user)).toMatchObject({ status: 200 });
    first.request.end(" ".repeat(100_000));
    expect((await first.answer).statusCode).toBe(200);
    expect(await post(`${url}/v1/graphql`, padded(300_000), user)).toMatchObject({ status: 200 });
  });

  it("Disconnected clients release the memory of their bodies", async () => {
    const { url } = await start(short);
    for (let i = 0; i < 5; i++) {
      const { request } = await beginPost(`${url}/v1/graphql`, 900_000, user);
      await write(request, padded(800_000));
      request.destroy();
    }
    await expect.poll(async () => (await post(`${url}/v1/graphql`, padded(900_000), user)).status).toBe(200);
  });

  it("One admin body at a time may exceed the total limit", async () => {
    const { url } = await start(short);
    const one = await beginPost(`${url}/v1/graphql`, 2_000_000, admin);
    await write(one.request, padded(1_500_000));
    await expect
      .poll(async () => (await post(`${url}/v1/graphql`, padded(1_500_000), admin)).status, { timeout: 5000 })
      .toBe(503);
    one.request.end(" ".repeat(500_000));
    expect((await one.answer).statusCode).toBe(200);
    expect((await post(`${url}/v1/graphql`, padded(1_500_000), admin)).status).toBe(200);
  });
});

describe("Slow bodies", () => {
  const paced = { ENGINE_GRAPHQL_BODY_TIMEOUT: "1", ENGINE_GRAPHQL_BODY_LEAST_RATE: "0" };

  const secret = "host: localhost\r\nx-engine-admin-secret: first";
  it.each([
    ["with a length", "/v1/metadata", 'content-length: 1000\r\n\r\n{"type":'],
    ["in chunks", "/v1/metadata", 'transfer-encoding: chunked\r\n\r\n8\r\n{"type":\r\n'],
    ["in parts", "/v1/graphql", "content-type: multipart/form-data; boundary=x\r\ncontent-length: 1000\r\n\r\n--x\r\n"],
  ])("A slow body is refused with status 408 and its connection ends: %s", async (_, path, rest) => {
    const { port } = await start(paced);
    const answer = await exchange(port, `POST ${path} HTTP/1.1\r\n${secret}\r\n${rest}`);
    expect(answer).toMatch(path === "/v1/metadata" ? /^HTTP\/1.1 408 / : /^HTTP\/1.1 /);
    expect(answer).toMatch(/^connection: close\r$/im);
    expect(answer).toContain("the body arrived too slowly: the limit is 1 s (--body-timeout)");
  });

  it("The time limit of a slow body grows in proportion to its received bytes", async () => {
    const { url } = await start({ ENGINE_GRAPHQL_BODY_TIMEOUT: "1", ENGINE_GRAPHQL_BODY_LEAST_RATE: "1000" });
    const text = padded(20_000);
    const { request, answer } = await beginPost(`${url}/v1/graphql`, text.length, admin);
    const began = performance.now();
    await write(request, text.slice(0, 10_000));
    // The timeout has passed; the received bytes extend it by ten seconds.
    await expect.poll(() => performance.now() - began, { timeout: 5000 }).toBeGreaterThan(1500);
    request.end(text.slice(10_000));
    expect((await answer).statusCode).toBe(200);
  });

  it("The connection ends if a request is refused before its whole body arrived", async () => {
    const { port } = await start(paced);
    const head = "POST /v1/metadata HTTP/1.1\r\nhost: localhost\r\ncontent-length: 30\r\n\r\n{";
    expect(await exchange(port, head)).toMatch(/^HTTP\/1.1 401 /);
  });
});
