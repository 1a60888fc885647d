/** A server without an admin secret: neither foreign pages nor other machines can use it. */
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { type Environment, parseOptions } from "../../../runtime/config/options.ts";
import { unsafeHost } from "../../../runtime/config/server-host.ts";
import { createLog } from "../../../runtime/observe/logs/log.ts";
import { createSealedApp } from "../../../runtime/server/sealed/app.ts";
import { type StubApp, send, startStubApp } from "../../support/stub-app.ts";
import { stubServices } from "../../support/stub-services.ts";

const ends: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function start(environment: Environment = {}): Promise<StubApp> {
  const app = await startStubApp({ ENGINE_GRAPHQL_ENABLED_APIS: allApis, ...environment });
  ends.push(() => app.app.close());
  return app;
}

const allApis = "metadata,graphql,pgdump,config,developer,metrics";
const evil = "https://evil.example";
const form = "application/x-www-form-urlencoded";

const endpoints: readonly (readonly ["GET" | "POST", string])[] = [
  ["POST", "/v1/graphql"],
  ["GET", "/v1/graphql?query=%7Ba%7D"],
  ["POST", "/v1alpha1/graphql"],
  ["POST", "/v1/relay"],
  ["POST", "/v1beta1/relay"],
  ["POST", "/v1/query"],
  ["POST", "/v2/query"],
  ["POST", "/v1/metadata"],
  ["POST", "/v1/graphql/explain"],
  ["POST", "/v1alpha1/pg_dump"],
  ["POST", "/pro/cache/clear"],
  ["GET", "/v1alpha1/config"],
  ["GET", "/api/rest/any"],
  ["POST", "/api/rest/any"],
  ["GET", "/api/swagger/json"],
  ["GET", "/dev/plan_cache"],
  ["GET", "/v1/metrics"],
  ["GET", "/console"],
  ["GET", "/docs"],
  ["GET", "/docs/index.html"],
  ["GET", "/healthz"],
  ["GET", "/nowhere"],
];

const foreign: readonly (readonly [string, Record<string, string>])[] = [
  ["a foreign origin", { origin: evil }],
  ["the origin null", { origin: "null" }],
  ["another port of this machine", { origin: "http://localhost:3000", "sec-fetch-site": "same-site" }],
  ["another name of this machine", { origin: "http://127.0.0.1:1" }],
  ["another site without an origin", { "sec-fetch-site": "cross-site" }],
  ["another port without an origin", { "sec-fetch-site": "same-site" }],
  [
    "a link of another site",
    { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" },
  ],
  ["an event stream of another site", { origin: evil, accept: "text/event-stream" }],
  ["a multipart subscription of another site", { origin: evil, accept: "multipart/mixed;subscriptionSpec=1.0" }],
  ["a plain text of another site", { origin: evil, "content-type": "text/plain", "sec-fetch-site": "cross-site" }],
  ["a form of another site", { origin: evil, "content-type": form, "sec-fetch-site": "cross-site" }],
  ["a rebound host", { host: "evil.example" }],
  ["a rebound host with its own origin", { host: "evil.example:8080", origin: "http://evil.example:8080" }],
  ["a rebound host of the same origin", { host: "evil.example", "sec-fetch-site": "same-origin" }],
  ["a host that starts like this machine's", { host: "localhost.evil.example" }],
  ["a foreign address", { host: "127.0.0.1.evil.example" }],
  ["two hosts in one", { host: "localhost@evil.example" }],
];

describe("Servers without an admin secret", () => {
  let live: StubApp;
  let sealedUrl: string;
  const sealed = stubServices();

  beforeAll(async () => {
    live = await start();
    const options = parseOptions({}, { ENGINE_GRAPHQL_SERVER_PORT: "0", ENGINE_GRAPHQL_ENABLED_APIS: allApis });
    const log = createLog(options, { write: () => {} });
    const app = createSealedApp(sealed.services, { ...options, version: "1" }, log);
    const { port } = await app.listen();
    ends.push(() => app.close());
    sealedUrl = `http://127.0.0.1:${port}`;
  });

  it.each(foreign)(
    "Without an admin secret, every endpoint refuses %s without running an operation",
    async (_what, headers) => {
      for (const url of [live.url, sealedUrl]) {
        for (const [method, path] of endpoints) {
          const answer = await send(`${url}${path}`, { method, headers, ...(method === "POST" && { body: "{}" }) });
          expect([path, answer.status]).toEqual([path, 403]);
          expect(answer.body).toMatch(headers.host === undefined ? /--cors-domain/ : /accepts only the Host localhost/);
          expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
        }
      }
      expect([...live.operations, ...live.executed, ...sealed.executed]).toEqual([]);
    },
  );

  it.each(["graphql-ws", "graphql-transport-ws"])(
    "Without an admin secret, a WebSocket of %s does not open for foreign pages",
    async (protocol) => {
      for (const url of [live.url, sealedUrl]) {
        for (const headers of [{ origin: evil }, { origin: "null" }, { host: "evil.example" }]) {
          for (const path of ["/v1/graphql", "/v1alpha1/graphql", "/v1/relay"]) {
            const socket = new WebSocket(`${url.replace("http", "ws")}${path}`, protocol, { headers });
            const status = await new Promise((resolve) => {
              socket.on("unexpected-response", (_request, { statusCode }) => resolve(statusCode));
              socket.on("open", () => resolve("open")).on("error", () => undefined);
            });
            expect(status).toBe(403);
          }
        }
      }
    },
  );

  it.each<readonly [string, Record<string, string>]>([
    ["programs", {}],
    ["forms of programs", { "content-type": form }],
    ["its own pages", { "sec-fetch-site": "same-origin" }],
    ["the address bar", { "sec-fetch-site": "none" }],
    ["this machine by its name", { host: "LOCALHOST:1234" }],
    ["this machine by its address in IPv6", { host: "[::1]:1234" }],
    ["its own origin", { host: "localhost:1234", origin: "http://localhost:1234" }],
  ])("Without an admin secret, %s are served", async (_what, headers) => {
    for (const url of [live.url, sealedUrl]) {
      expect((await send(`${url}/v1/version`, { headers })).status).toBe(200);
    }
  });

  it("Without an admin secret, origins of --cors-domain are served and may read responses", async () => {
    const named = await start({ ENGINE_GRAPHQL_CORS_DOMAIN: "https://app.example" });
    const headers = { origin: "https://app.example", "sec-fetch-site": "cross-site" };
    const answer = await send(`${named.url}/v1/version`, { headers });
    expect([answer.status, answer.headers["access-control-allow-origin"]]).toEqual([200, "https://app.example"]);
    expect((await send(`${named.url}/v1/version`, { headers: { ...headers, host: "evil.example" } })).status).toBe(403);
    expect((await send(`${named.url}/v1/version`, { headers: { origin: evil } })).status).toBe(403);
  });

  it("Without an admin secret, the server listens only on local addresses", async () => {
    const app = await start({ ENGINE_GRAPHQL_SERVER_HOST: "auto" });
    const outcome = (host: string) =>
      new Promise((resolve) => {
        const socket = connect(app.port, host, () => {
          socket.destroy();
          resolve("connected");
        });
        socket.on("error", ({ message }) => resolve(message));
      });
    for (const host of ["127.0.0.1", "::1"]) expect(await outcome(host)).toBe("connected");
    const others = Object.values(networkInterfaces()).flatMap((addresses = []) =>
      addresses.filter(({ internal, family }) => !internal && family === "IPv4"),
    );
    for (const { address } of others) expect(await outcome(address)).toContain("ECONNREFUSED");
  });

  it.each(["*", "0.0.0.0", "::", "192.168.1.5", "db.example"])(
    "Without an admin secret, a start on %s is refused",
    (host) => {
      const variables = { ENGINE_GRAPHQL_SERVER_HOST: host };
      expect(unsafeHost(parseOptions({}, variables))).toContain("--insecure-no-secret");
      expect(unsafeHost(parseOptions({}, { ...variables, ENGINE_GRAPHQL_ADMIN_SECRET: "s" }))).toBeNull();
      expect(unsafeHost(parseOptions({}, { ...variables, ENGINE_GRAPHQL_INSECURE_NO_SECRET: "true" }))).toBeNull();
    },
  );

  it("--insecure-no-secret serves programs by any host name, and pages only by IP address", async () => {
    const { url } = await start({ ENGINE_GRAPHQL_INSECURE_NO_SECRET: "true", ENGINE_GRAPHQL_SERVER_HOST: "*" });
    const statusOf = async (headers: Record<string, string>) => (await send(`${url}/v1/version`, { headers })).status;
    expect(await statusOf({ host: "engine:8080" })).toBe(200);
    expect(await statusOf({ host: "10.0.0.7:8080", origin: "http://10.0.0.7:8080" })).toBe(200);
    expect(await statusOf({ host: "evil.example", origin: "http://evil.example" })).toBe(403);
    expect(await statusOf({ host: "engine:8080", origin: evil })).toBe(403);
  });
});

describe("Servers with an admin secret and --cors-domain", () => {
  const secret = { "x-engine-admin-secret": "hunter2" };
  const settings = { ENGINE_GRAPHQL_ADMIN_SECRET: "hunter2", ENGINE_GRAPHQL_CORS_DOMAIN: "https://app.example" };

  it("With --cors-domain, every endpoint refuses other origins without running an operation", async () => {
    const app = await start(settings);
    for (const [method, path] of endpoints) {
      const answer = await send(`${app.url}${path}`, {
        method,
        headers: { ...secret, origin: evil },
        ...(method === "POST" && { body: "{}" }),
      });
      expect([path, answer.status]).toEqual([path, 403]);
    }
    expect([...app.operations, ...app.executed]).toEqual([]);
  });

  it("With --cors-domain, links, own pages and programs are served by any host name", async () => {
    const app = await start(settings);
    const link = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
    for (const headers of [{}, link, { origin: "https://api.example", "sec-fetch-site": "same-origin" }]) {
      expect((await send(`${app.url}/v1/version`, { headers: { host: "api.example", ...headers } })).status).toBe(200);
    }
  });

  it("With the default *, every origin is served according to its credentials", async () => {
    const app = await start({ ENGINE_GRAPHQL_ADMIN_SECRET: "hunter2" });
    const answer = await send(`${app.url}/v1/version`, { headers: { host: "api.example", origin: evil } });
    expect([answer.status, answer.headers["access-control-allow-origin"]]).toEqual([200, evil]);
  });
});
