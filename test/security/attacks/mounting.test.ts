/** The engine mounted in another program: attempts to bypass admission, and misuse by the host. */
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Engine } from "../../../runtime/server/embedding/engine.d.mts";
import { openLiveEngine } from "../../../runtime/server/live/open-engine.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { exchange } from "../../support/stub-app.ts";

let server: TestServer;
let engine: Engine;
let other: Engine;
const servers: Server[] = [];
const rejections: unknown[] = [];
const note = (reason: unknown): void => void rejections.push(reason);

function open(secret: string): Promise<Engine> {
  const environment = {
    ENGINE_GRAPHQL_DATABASE_URL: server.databaseUrl,
    ENGINE_GRAPHQL_METADATA_DATABASE_URL: server.metadataUrl,
    ENGINE_GRAPHQL_ADMIN_SECRET: secret,
    ENGINE_GRAPHQL_BODY_TIMEOUT: "1",
    ENGINE_GRAPHQL_BODY_LEAST_RATE: "0",
  };
  return openLiveEngine({ environment, log: () => undefined }, "test");
}

beforeAll(async () => {
  server = await startTestServer({ sealed: false });
  [engine, other] = await Promise.all([open("secret-one"), open("secret-two")]);
  process.on("unhandledRejection", note).on("uncaughtException", note);
}, 60_000);

afterEach(async () => {
  for (const each of servers.splice(0)) {
    each.closeAllConnections();
    await new Promise((resolve) => each.close(resolve));
  }
  expect(rejections.splice(0)).toEqual([]);
});

afterAll(async () => {
  process.off("unhandledRejection", note).off("uncaughtException", note);
  await engine?.close();
  await other?.close();
  await server?.close();
});

async function serve(listener: RequestListener): Promise<number> {
  const own = createServer(listener);
  servers.push(own);
  own.listen(0, "127.0.0.1");
  await once(own, "listening");
  const address = own.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

const body = '{"type":"export_metadata","args":{}}';
const request = (path: string, headers = ""): string =>
  `POST ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n${headers}content-length: ${body.length}\r\n\r\n${body}`;
const statusOf = (answer: string): number => Number(/^HTTP\/1.1 (\d+)/.exec(answer)?.[1]);

const paths = [
  "/v1/metadata",
  "//v1/metadata",
  "/v1//metadata",
  "/./v1/metadata",
  "/x/../v1/metadata",
  "/v1/%6detadata",
  "/v1%2fmetadata",
  "/V1/METADATA",
  "/v1/metadata/",
  "/v1/metadata;x",
  "/v1/metadata%00",
  "/v1/metadata?x=/healthz",
  "/healthz/../v1/metadata",
  "/healthz/..%2fv1/metadata",
  "http://other.example/v1/metadata",
  "/api/rest/..%2f..%2fv1%2fmetadata",
  "\\v1\\metadata",
];

describe("Paths of mounted engines", () => {
  it.each(paths)("A path reaches the same endpoint in a mounted engine as on its own port: %s", async (path) => {
    const prefix = "/data";
    const hosts: readonly RequestListener[] = [
      engine.listener,
      (incoming, reply) => {
        incoming.url = incoming.url?.startsWith(prefix) ? incoming.url.slice(prefix.length) : incoming.url;
        engine.listener(incoming, reply);
      },
    ];
    const [plain = 0, below = 0] = await Promise.all(hosts.map(serve));
    const own = Number(new URL(server.url).port);
    const answers = await Promise.all([
      exchange(plain, request(path)),
      exchange(below, request(path.startsWith("/") ? prefix + path : path)),
      exchange(plain, request(path, "x-engine-role: admin\r\nx-forwarded-for: 127.0.0.1\r\n")),
    ]);
    for (const answer of answers) {
      expect([400, 401, 404]).toContain(statusOf(answer));
      expect(answer).not.toContain('"sources"');
    }
    // With the secret, the same paths reach the same endpoints.
    const secret = "x-engine-admin-secret: secret-one\r\n";
    const [mounted, listened] = [await exchange(plain, request(path, secret)), await exchange(own, request(path))];
    expect(statusOf(mounted)).toBe(statusOf(listened));
  });

  it.each(paths.filter((path) => path.startsWith("/")))(
    "A path reaches no protected endpoint through the Fetch handler: %s",
    async (path) => {
      for (const headers of [
        {},
        { "x-engine-role": "admin" },
        { connection: "x-engine-admin-secret", te: "trailers" },
      ]) {
        const init = { method: "POST", body, headers };
        const response = await engine.fetch(new Request(`https://app.example${path}`, init), { peer: "127.0.0.1" });
        expect([400, 401, 404]).toContain(response.status);
        expect(await response.text()).not.toContain('"sources"');
      }
    },
  );
});

describe("Two engines in one process", () => {
  it("An engine refuses the admin secret of another engine", async () => {
    const port = await serve((incoming, reply) =>
      (incoming.url?.includes("two") ? other : engine).listener(incoming, reply),
    );
    const secret = (name: string) => `x-engine-admin-secret: ${name}\r\n`;
    expect(statusOf(await exchange(port, request("/v1/metadata?one", secret("secret-one"))))).toBe(200);
    expect(statusOf(await exchange(port, request("/v1/metadata?two", secret("secret-two"))))).toBe(200);
    for (const [path, name] of [
      ["/v1/metadata?one", "secret-two"],
      ["/v1/metadata?two", "secret-one"],
    ] as const) {
      const answer = await exchange(port, request(path, secret(name)));
      expect(statusOf(answer)).toBe(401);
      expect(answer).not.toMatch(/secret-(?:one|two)/);
    }
  });
});

describe("Hosts of mounted engines", () => {
  const secret = "x-engine-admin-secret: secret-one\r\n";

  it.each<[string, RequestListener]>([
    [
      "that has already responded",
      (incoming, reply) => {
        reply.end("host");
        engine.listener(incoming, reply);
      },
    ],
    [
      "that has started to respond",
      (incoming, reply) => {
        reply.writeHead(202);
        reply.write("host");
        engine.listener(incoming, reply);
      },
    ],
    [
      "that passes a request on twice",
      (incoming, reply) => {
        engine.listener(incoming, reply);
        engine.listener(incoming, reply);
      },
    ],
    [
      "that passes a request to two engines",
      (incoming, reply) => {
        engine.listener(incoming, reply);
        other.listener(incoming, reply);
      },
    ],
    [
      "that closes the connection",
      (incoming, reply) => {
        engine.listener(incoming, reply);
        incoming.socket.destroy();
      },
    ],
    [
      "that removes the whole path",
      (incoming, reply) => {
        incoming.url = "";
        engine.listener(incoming, reply);
      },
    ],
    [
      "whose response throws at the head",
      (incoming, reply) => {
        reply.writeHead = () => {
          throw new Error("postgres://me:s3cret@db/");
        };
        engine.listener(incoming, reply);
      },
    ],
  ])("A host %s affects only its own response", async (_, listener) => {
    const port = await serve(listener);
    const answer = await Promise.race([
      exchange(port, request("/v1/metadata", secret)).catch(() => "reset"),
      new Promise<string>((resolve) => setTimeout(resolve, 3000, "open")),
    ]);
    expect(answer).not.toContain("s3cret");
    const after = await serve(engine.listener);
    expect(statusOf(await exchange(after, request("/v1/metadata", secret)))).toBe(200);
  });

  it("A mounted engine enforces the deadlines of bodies", async () => {
    const port = await serve(engine.listener);
    const head = `POST /v1/metadata HTTP/1.1\r\nhost: localhost\r\n${secret}content-length: 1000\r\n\r\n{`;
    expect(statusOf(await exchange(port, head))).toBe(408);
  });

  it("A closed engine returns 503 at once in both request forms and does not reopen", async () => {
    const own = await open("secret-three");
    const port = await serve(own.listener);
    await Promise.all([own.close(), own.close()]);
    expect(statusOf(await exchange(port, request("/v1/metadata", "x-engine-admin-secret: secret-three\r\n")))).toBe(
      503,
    );
    const response = await own.fetch(new Request("https://app.example/v1/version"));
    expect(response.status).toBe(503);
    await own.close();
  });
});
