/** Pages of other sites cannot act with the cookies of their visitors. */
import { createHmac } from "node:crypto";
import http from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { type Environment, parseOptions } from "../../../runtime/config/options.ts";
import { startAuthenticator } from "../../../runtime/http/auth/authenticate.ts";
import { decideAuthMode } from "../../../runtime/http/auth/mode.ts";
import { createLog } from "../../../runtime/observe/logs/log.ts";
import { type HttpAnswer, post, type StubApp, send, startStubApp } from "../../support/stub-app.ts";

const key = "0123456789abcdef0123456789abcdef";
const ends: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function start(more: Environment): Promise<StubApp> {
  const environment = { ENGINE_GRAPHQL_ADMIN_SECRET: "hunter2", ...more };
  const options = parseOptions({}, environment);
  const log = createLog(options, { write: () => {} });
  const authenticator = await startAuthenticator(decideAuthMode(options), {
    log,
    version: "1",
    origins: options.corsDomains,
  });
  ends.push(() => authenticator.close());
  const app = await startStubApp(environment, { authenticator });
  ends.push(() => app.app.close());
  return app;
}

function token(): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = {
    "https://engine.io/jwt/claims": { "x-engine-allowed-roles": ["user"], "x-engine-default-role": "user" },
  };
  const text = `${part({ alg: "HS256", typ: "JWT" })}.${part(claims)}`;
  return `${text}.${createHmac("sha256", key).update(text).digest("base64url")}`;
}

/** Starts a webhook that admits requests with the right cookie. */
async function startHook(): Promise<string> {
  const hook = http.createServer(({ headers }, reply) => {
    if (headers.cookie === "session=1" || headers.authorization === "Bearer 1") reply.end('{"x-engine-role":"user"}');
    else reply.writeHead(401).end();
  });
  await new Promise<void>((resolve) => hook.listen(0, "127.0.0.1", resolve));
  ends.push(() => new Promise((resolve) => hook.close(resolve)));
  const address = hook.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`;
}

const jwt = {
  ENGINE_GRAPHQL_JWT_SECRET: JSON.stringify({ type: "HS256", key, header: { type: "Cookie", name: "session" } }),
};
const json = { "content-type": "application/json" };
const mutation = '{"query":"mutation { a }"}';
const page = "https://evil.example";

describe.each<readonly [string, () => Promise<Environment>, string]>([
  ["a token in a cookie", async () => jwt, token()],
  ["a webhook that reads cookies", async () => ({ ENGINE_GRAPHQL_AUTH_HOOK: await startHook() }), "1"],
])("Cross-site requests with %s", (_name, settings, value) => {
  const cookie = { cookie: `session=${value}` };
  let any: StubApp;
  let named: StubApp;

  beforeAll(async () => {
    const mode = await settings();
    any = await start(mode);
    named = await start({ ...mode, ENGINE_GRAPHQL_CORS_DOMAIN: "https://app.example" });
  });

  /** Expects a refusal. */
  const denied = (answer: HttpAnswer, reason: RegExp = /the cookie is not accepted|caused the request/): void => {
    expect(answer.body).toContain('"code":"access-denied"');
    expect(answer.body).toMatch(reason);
  };
  const ask = ({ url }: StubApp, headers: http.OutgoingHttpHeaders): Promise<HttpAnswer> =>
    post(`${url}/v1/graphql`, mutation, { ...cookie, ...headers });

  const foreign: readonly (readonly [string, http.OutgoingHttpHeaders])[] = [
    ["an origin of another site", { ...json, origin: page }],
    ["a form of another site", { "content-type": "text/plain", origin: page, "sec-fetch-site": "cross-site" }],
    ["another site without origin", { ...json, "sec-fetch-site": "cross-site" }],
    ["a page without origin of its own", { ...json, origin: "null" }],
    ["an unknown site", { ...json, "sec-fetch-site": "cross-site, same-origin" }],
    ["a form that says nothing", { "content-type": "application/x-www-form-urlencoded" }],
    ["a multipart form that says nothing", { "content-type": "multipart/form-data; boundary=a" }],
    ["a text that says nothing", { "content-type": "Text/Plain;charset=utf-8" }],
    ["something without a type", {}],
    ["the same host in another scheme", { ...json, origin: "http://127.0.0.1", "sec-fetch-site": "cross-site" }],
  ];

  it.each(foreign)("A server with cookies refuses %s without running an operation", async (_what, headers) => {
    for (const app of [any, named]) {
      const before = app.executed.length;
      denied(await ask(app, headers), app === any ? /the cookie is not accepted/ : undefined);
      expect(app.executed).toHaveLength(before);
    }
  });

  it("A server with cookies refuses cross-site requests at every endpoint", async () => {
    const headers = { ...cookie, ...json, origin: page };
    for (const path of ["/v1/metadata", "/v1/query", "/v2/query", "/v1alpha1/graphql", "/api/rest/any"]) {
      const answer = await post(`${any.url}${path}`, mutation, headers);
      expect(answer.status).toBe(403);
      denied(answer);
    }
    for (const path of ["/api/rest/any", "/v1/graphql?query=%7Ba%7D", "/v1alpha1/config"]) {
      denied(await send(`${any.url}${path}`, { headers: { ...cookie, "sec-fetch-site": "cross-site" } }));
    }
    // The request of an image or a link of another site, if the browser does not label it.
    denied(await send(`${any.url}/v1/graphql?query=%7Ba%7D`, { headers: cookie }));
    expect(any.operations).toEqual([]);
  });

  it.each<readonly [string, http.OutgoingHttpHeaders]>([
    ["programs", json],
    ["pages of its own", { ...json, "sec-fetch-site": "same-origin" }],
    ["forms of its own", { "content-type": "text/plain", origin: "null", "sec-fetch-site": "same-origin" }],
    ["the address bar", { ...json, "sec-fetch-site": "none" }],
  ])("A server with cookies serves %s", async (_what, headers) => {
    for (const app of [any, named]) expect((await ask(app, headers)).body).toContain('"data"');
  });

  it("A server with cookies serves its own origin even if the browser sends no fetch metadata", async () => {
    for (const app of [any, named]) expect((await ask(app, { ...json, origin: app.url })).body).toContain('"data"');
  });

  it("A server with cookies serves named origins, or same-site origins if none is named", async () => {
    const app = { ...json, origin: "https://app.example" };
    expect((await ask(named, { ...app, "sec-fetch-site": "cross-site" })).body).toContain('"data"');
    denied(await ask(any, { ...app, "sec-fetch-site": "cross-site" }));
    const sibling = { ...json, origin: "https://sibling.example", "sec-fetch-site": "same-site" };
    expect((await ask(any, sibling)).body).toContain('"data"');
    denied(await ask(named, sibling));
  });

  it("The admin secret is served beside any cookie if no origins are named", async () => {
    const headers = { "x-engine-admin-secret": "hunter2", origin: page, "sec-fetch-site": "cross-site" };
    expect((await ask(any, headers)).body).toContain('"data"');
    expect(any.executed.at(-1)?.session.clientHeaders?.cookie).toBeUndefined();
  });

  it("The admin secret is refused from a page of an unnamed origin", async () => {
    const headers = { "x-engine-admin-secret": "hunter2", origin: page, "sec-fetch-site": "cross-site" };
    denied(await ask(named, headers), /add the origin of the page to --cors-domain/);
  });

  it("The cookie of a WebSocket is ignored if a page of another site opens it", async () => {
    const open = (origin: string | undefined): Promise<string> =>
      new Promise((resolve, reject) => {
        const address = `${any.url.replace("http", "ws")}/v1/graphql`;
        const headers = { ...cookie, ...(origin !== undefined && { origin }) };
        const socket = new WebSocket(address, "graphql-transport-ws", { headers });
        socket.on("open", () => socket.send('{"type":"connection_init"}')).on("error", reject);
        socket.on("message", (data: Buffer) => {
          if (!String(data).includes("connection_ack")) return;
          resolve("connection_ack");
          socket.terminate();
        });
        socket.on("close", (code) => resolve(String(code)));
      });
    expect(await open(undefined)).toBe("connection_ack");
    expect(await open(any.url)).toBe("connection_ack");
    expect(await open(page)).toBe("4403");
  });
});

describe("Cookies without authentication by cookie", () => {
  it("A request is served without its cookie if cookies do not authenticate", async () => {
    const app = await start({ ENGINE_GRAPHQL_UNAUTHORIZED_ROLE: "anonymous" });
    const headers = { cookie: "tracking=1", origin: page, "content-type": "text/plain" };
    expect((await post(`${app.url}/v1/graphql`, mutation, headers)).body).toContain('"data"');
    expect(app.executed.at(-1)?.session).toMatchObject({ role: "anonymous" });
    expect(app.executed.at(-1)?.session.clientHeaders?.cookie).toBeUndefined();
  });

  it("Another credential beside the cookie satisfies a webhook", async () => {
    const app = await start({ ENGINE_GRAPHQL_AUTH_HOOK: await startHook() });
    const headers = { cookie: "tracking=1", origin: page, authorization: "Bearer 1", ...json };
    expect((await post(`${app.url}/v1/graphql`, mutation, headers)).body).toContain('"data"');
  });
});
