/** Authentication by token and by webhook on a complete server, over real sockets and with real HTTP services. */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Environment, parseOptions } from "../../runtime/config/options.ts";
import { startAuthenticator } from "../../runtime/http/auth/authenticate.ts";
import { decideAuthMode } from "../../runtime/http/auth/mode.ts";
import { createLog } from "../../runtime/observe/logs/log.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { WebsocketClient } from "../support/websocket.ts";
import { namespace, otherRsa, payload, rsa, seconds, token, userClaims } from "../unit/http/auth/jwt/tokens.ts";

interface Received {
  readonly method: string | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

type Reply = (response: ServerResponse, received: Received) => void;

/** A service whose responses the test defines. */
class Service {
  readonly received: Received[] = [];
  reply: Reply = (response) => response.end("{}");
  readonly #server = createServer(async (incoming, response) => {
    let body = "";
    for await (const chunk of incoming.setEncoding("utf8")) body += chunk;
    const received = { method: incoming.method, headers: incoming.headers, body };
    this.received.push(received);
    this.reply(response, received);
  });

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

const secret = { "x-engine-admin-secret": "top-secret" };
const ask = { query: "{ note { text } }" };
const ends: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Starts a server with notes. The role `user` sees only its own notes. */
async function start(environment: Environment): Promise<TestServer> {
  const server = await startTestServer({
    environment: { ENGINE_GRAPHQL_ADMIN_SECRET: "top-secret", ENGINE_GRAPHQL_LOG_LEVEL: "debug", ...environment },
  });
  ends.push(() => server.close());
  const admin = async (path: string, type: string, args: unknown): Promise<void> => {
    const answer = await server.post(path, { type, args }, secret);
    expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  };
  const sql = "create table note (owner text, text text); insert into note values ('1', 'mine'), ('2', 'theirs')";
  await admin("/v2/query", "run_sql", { sql });
  await admin("/v1/metadata", "pg_track_table", { table: "note" });
  const filter = { owner: "X-Engine-User-Id" };
  const permission = { columns: ["text"], filter };
  await admin("/v1/metadata", "pg_create_select_permission", { table: "note", role: "user", permission });
  return server;
}

function logged(server: TestServer, type: string): readonly { level: string; detail: Record<string, unknown> }[] {
  return server.log.filter((line) => line.includes(`"type":"${type}"`)).map((line) => JSON.parse(line));
}

const mine = { data: { note: [{ text: "mine" }] } };
const graphqlFailure = (code: string, message: string) => ({ errors: [{ message, extensions: { path: "$", code } }] });
const failure = (code: string, message: string) => ({ error: message, path: "$", code });

describe("JSON Web Tokens", () => {
  const keys = new Service();
  let server: TestServer;

  beforeAll(async () => {
    keys.reply = (response) => response.end(JSON.stringify({ keys: [{ ...rsa.jwk, kid: "one" }] }));
    const jwk_url = `${await keys.open()}/keys?code=hidden`;
    ends.push(() => keys.close());
    server = await start({ ENGINE_GRAPHQL_JWT_SECRET: JSON.stringify({ jwk_url, allowed_skew: 1 }) });
  }, 60_000);

  const bearer = (text: string) => ({ authorization: `Bearer ${text}` });
  const good = () => token(rsa, "RS256", payload(), { kid: "one" });

  it("A token grants access to the rows of its user", async () => {
    for (const path of ["/v1/graphql", "/v1alpha1/graphql"]) {
      const answer = await server.post(path, ask, bearer(good()));
      expect([answer.status, answer.json]).toEqual([200, mine]);
    }
    expect(keys.received).toHaveLength(1);
  });

  it("An invalid token is refused in the form of each endpoint", async () => {
    const headers = bearer(token(otherRsa, "RS256", payload(), { kid: "one" }));
    const message = "Could not verify JWT: JWSError JWSInvalidSignature";
    const answers = await Promise.all(
      ["/v1/graphql", "/v1alpha1/graphql", "/v1/metadata"].map((path) => server.post(path, ask, headers)),
    );
    expect(answers.map(({ status, json }) => [status, json])).toEqual([
      [200, graphqlFailure("invalid-jwt", message)],
      [400, graphqlFailure("invalid-jwt", message)],
      [400, failure("invalid-jwt", message)],
    ]);
    const none = await server.post("/v1/graphql", ask);
    const missing = "Missing 'Authorization' or 'Cookie' header in JWT authentication mode";
    expect(none.json).toEqual(graphqlFailure("invalid-headers", missing));
  });

  it("A token does not give access to admin operations", async () => {
    const operation = { type: "export_metadata", args: {} };
    const answer = await server.post("/v1/metadata", operation, bearer(good()));
    expect([answer.status, answer.json]).toMatchObject([400, { code: "access-denied" }]);
    const elevated = await server.post("/v1/metadata", operation, { ...bearer(good()), "x-engine-role": "admin" });
    expect(elevated.json).toEqual(failure("access-denied", "Your requested role is not in allowed roles"));
  });

  it("Two tokens in one request are refused", async () => {
    const { hostname, port } = new URL(server.url);
    const raw = await new Promise<string>((resolve, reject) => {
      const body = JSON.stringify(ask);
      const headers = ["host", hostname, "content-length", String(body.length)];
      const twice = ["authorization", `Bearer ${good()}`, "authorization", "Bearer other"];
      const options = { hostname, port, method: "POST", path: "/v1/graphql", headers: [...headers, ...twice] };
      const sending = request(options, async (response) => {
        let text = "";
        for await (const chunk of response.setEncoding("utf8")) text += chunk;
        resolve(text);
      });
      sending.on("error", reject);
      sending.end(body);
    });
    expect(JSON.parse(raw)).toEqual(graphqlFailure("invalid-headers", "Malformed Authorization header"));
  });

  it.each([
    ["graphql-ws", [{ type: "ka" }, { type: "connection_ack" }, { type: "ka" }]],
    ["graphql-transport-ws", [{ type: "ping" }, { type: "connection_ack" }, { type: "ping" }]],
  ])("A token opens a %s connection, which ends with the token", async (protocol, messages) => {
    const client = await WebsocketClient.open(server.url, { protocol });
    const exp = seconds(1);
    const headers = bearer(token(rsa, "RS256", payload(userClaims, { exp }), { kid: "one" }));
    client.send({ type: "connection_init", payload: { headers } });
    expect(await client.take(3)).toMatchObject(messages);
    client.send({ type: "start", id: "1", payload: ask });
    expect(await client.next()).toMatchObject({ id: "1", payload: mine });
    expect(await client.closed).toEqual({ code: 4403, reason: '{"server_error_msg":"4403: Session expired"}' });
    // The connection stays open during the tolerance of one second.
    expect(Date.now()).toBeGreaterThanOrEqual((exp + 1) * 1000);
    expect(logged(server, "websocket-log").at(-1)?.detail).toMatchObject({
      connection_info: { token_expiry: new Date((exp + 1) * 1000).toISOString() },
    });
  });

  it("An invalid token opens no connection", async () => {
    const client = await WebsocketClient.open(server.url, { protocol: "graphql-ws", headers: bearer(good()) });
    client.send({ type: "connection_init", payload: { headers: bearer("x") } });
    expect(await client.take(2)).toEqual([
      { type: "ka" },
      { type: "connection_error", payload: expect.stringContaining("Could not verify JWT: JWSError") },
    ]);
    expect(await client.closed).toMatchObject({ code: 4400 });
  });

  it("Tokens and keys never appear in the log", async () => {
    const text = good();
    await server.post("/v1/graphql", ask, bearer(text));
    await server.post("/v1/graphql", ask, { ...bearer(`${text}x`), cookie: `session=${text}` });
    await server.post("/v1/graphql", ask, { "x-engine-admin-secret": "top-secrets" });
    const [, body = "", signature = ""] = text.split(".");
    const log = server.log.join("");
    const secrets = [body, signature, "top-secret", "code=hidden", String(rsa.jwk?.n)];
    expect(secrets.filter((part) => log.includes(part))).toEqual([]);
  });
});

describe("Key sets at a URL", () => {
  const start = (jwk_url: string) => {
    const options = parseOptions(
      {},
      { ENGINE_GRAPHQL_ADMIN_SECRET: "s", ENGINE_GRAPHQL_JWT_SECRET: JSON.stringify({ jwk_url }) },
    );
    const log = createLog(options, { write: () => {} });
    return startAuthenticator(decideAuthMode(options), { log, version: "1", origins: options.corsDomains });
  };

  it.concurrent.each<[string, Reply | null, (url: string) => string | RegExp]>([
    ["that is dead", null, () => /^Error fetching JWK: .*ECONNREFUSED/],
    [
      "that fails",
      (response) => response.writeHead(503).end("{}"),
      (url) => `Non-2xx response on fetching JWK from: ${url}`,
    ],
    [
      "that redirects",
      (response) => response.writeHead(302, { location: "/x" }).end(),
      (url) => `Non-2xx response on fetching JWK from: ${url}`,
    ],
    ["that returns no JSON", (response) => response.end("<html>"), (url) => `Error parsing JWK from url: ${url}`],
    ["that returns no keys", (response) => response.end("{}"), (url) => `Error parsing JWK from url: ${url}`],
    [
      "that never ends its response",
      (response) => {
        const more = (): void =>
          void (response.destroyed || response.write("x".repeat(65_536), () => setImmediate(more)));
        more();
      },
      () => /^Error fetching JWK: .*size/i,
    ],
  ])("A key set URL %s prevents the server from starting", { timeout: 30_000 }, async (_, reply, message) => {
    const service = new Service();
    const url = `${await service.open()}/keys`;
    if (reply === null) await service.close();
    else service.reply = reply;
    await expect(start(url)).rejects.toThrow(message(url));
    expect(service.received).toHaveLength(reply === null ? 0 : 6);
    if (reply !== null) await service.close();
  });

  it("A server with an empty key set starts and refuses all tokens", async () => {
    const service = new Service();
    service.reply = (response) => response.end('{"keys":[]}');
    const authenticator = await start(await service.open());
    const headers = { authorization: `Bearer ${token(rsa, "RS256")}` };
    await expect(authenticator.authenticate(headers)).rejects.toMatchObject({
      code: "invalid-jwt",
      message: "Could not verify JWT: JWSError NoUsableKeys",
    });
    expect(service.received).toMatchObject([{ method: "GET", headers: { accept: "application/json" } }]);
    await authenticator.close();
    await service.close();
  });
});

describe.each(["GET", "POST"])("Authentication webhooks with %s", (method) => {
  const hook = new Service();
  let server: TestServer;
  const user = JSON.stringify({ "X-Engine-Role": "user", "X-Engine-User-Id": "1" });
  const received = () => hook.received.at(-1);

  beforeAll(async () => {
    const url = `${await hook.open()}/auth?code=hidden`;
    ends.push(() => hook.close());
    server = await start({ ENGINE_GRAPHQL_AUTH_HOOK: url, ENGINE_GRAPHQL_AUTH_HOOK_MODE: method });
  }, 60_000);

  afterEach(() => {
    hook.received.length = 0;
  });

  it("The webhook is called for each request and determines its session", async () => {
    hook.reply = (response) => response.end(user);
    const headers = {
      authorization: "Bearer opaque",
      cookie: "a=b",
      "x-engine-role": "admin",
      "x-engine-user-id": "2",
    };
    for (let count = 1; count <= 2; count++) {
      expect((await server.post("/v1/graphql", ask, headers)).json).toEqual(mine);
      expect(hook.received).toHaveLength(count);
    }
    const forwarded = method === "GET" ? received()?.headers : JSON.parse(received()?.body ?? "").headers;
    expect(received()?.method).toBe(method);
    expect(forwarded).toMatchObject({ authorization: "Bearer opaque", cookie: "a=b", "x-engine-role": "admin" });
    expect(received()?.headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": expect.stringMatching(/^engine-graphql-engine\/v\d/),
    });
  });

  it("The webhook is not called for requests with the admin secret", async () => {
    hook.reply = (response) => response.writeHead(401).end();
    expect((await server.post("/v1/graphql", { query: "{ note { owner } }" }, secret)).status).toBe(200);
    await server.post("/v1/graphql", ask, { "x-engine-admin-secret": "wrong" });
    expect(hook.received).toEqual([]);
  });

  it("The webhook sets cookies if the request succeeds", async () => {
    hook.reply = (response) => response.writeHead(200, { "set-cookie": ["a=b; Secure", "c=d"] }).end(user);
    const answer = await server.post("/v1/graphql", ask);
    expect(answer.headers.getSetCookie()).toEqual(["a=b; Secure", "c=d"]);
    const failed = await server.post("/v1/graphql", { query: "{ nothing }" });
    expect([failed.status, failed.headers.getSetCookie()]).toEqual([200, ["a=b; Secure", "c=d"]]);
    const refused = await server.post("/v1/metadata", { type: "export_metadata", args: {} });
    expect([refused.status, refused.headers.getSetCookie()]).toEqual([400, []]);
  });

  it("The webhook refuses a request, and the log redacts the credentials", async () => {
    hook.reply = (response) => response.writeHead(401).end("who is Bearer opaque-token?");
    const message = "Authentication hook unauthorized this request";
    const answer = await server.post("/v1/metadata", ask, { authorization: "Bearer opaque-token" });
    expect([answer.status, answer.json]).toEqual([401, failure("access-denied", message)]);
    expect((await server.post("/v1/graphql", ask)).json).toEqual(graphqlFailure("access-denied", message));
    const [first] = logged(server, "webhook-log").slice(-2);
    expect(first).toMatchObject({
      level: "error",
      detail: {
        status_code: 401,
        url: expect.stringMatching(/\/auth\?<redacted>$/),
        method,
        http_error: null,
        response: "who is <redacted>?",
        message,
      },
    });
  });

  it.each<[string, Reply, string]>([
    ["fails", (response) => response.writeHead(500).end(), "Invalid response from authorization hook"],
    [
      "redirects",
      (response) => response.writeHead(302, { location: "/" }).end(user),
      "Invalid response from authorization hook",
    ],
    ["ends the connection", (response) => response.destroy(), "webhook authentication request failed"],
    [
      "stops in the middle of its response",
      (response) => {
        response.writeHead(200, { "content-length": "1000" });
        response.write(user, () => response.destroy());
      },
      "webhook authentication request failed",
    ],
    ["sends too much", (response) => response.end(user.padEnd(300_000)), "webhook authentication request failed"],
  ])("The webhook admits no request when it %s", async (_, reply, message) => {
    hook.reply = reply;
    const answer = await server.post("/v1/metadata", ask);
    expect([answer.status, answer.json]).toEqual([500, failure("unexpected", message)]);
    expect(logged(server, "webhook-log").at(-1)?.level).toBe("error");
  });

  it("The webhook ends a connection after the lifetime in its reply", async () => {
    const reply = { ...JSON.parse(user), "Cache-Control": "max-age=1" };
    hook.reply = (response) => response.writeHead(200, { "set-cookie": "a=b" }).end(JSON.stringify(reply));
    const client = await WebsocketClient.open(server.url, { protocol: "graphql-ws", headers: { cookie: "c=d" } });
    const began = Date.now();
    client.send({
      type: "connection_init",
      payload: { headers: { authorization: "Bearer opaque", "x-bad": "a\r\nb" } },
    });
    expect(await client.take(3)).toMatchObject([{}, { type: "connection_ack" }, {}]);
    expect(await client.closed).toMatchObject({ code: 4403 });
    expect(Date.now() - began).toBeGreaterThanOrEqual(1000);
    const forwarded = method === "GET" ? received()?.headers : JSON.parse(received()?.body ?? "").headers;
    expect(forwarded).toMatchObject({ authorization: "Bearer opaque", cookie: "c=d" });
  });

  it("The webhook receives the operation in POST calls", async () => {
    hook.reply = (response) => response.end(user);
    const sent = async (path: string, body: unknown) => {
      await server.post(path, body);
      return received()?.body === "" ? "no body" : JSON.parse(received()?.body ?? "").request;
    };
    const operation = { query: "query Q($n: numeric) { note { text } }", operationName: "Q", variables: { n: 1 } };
    const expected = (request: unknown) => (method === "POST" ? request : "no body");
    expect(await sent("/v1/graphql", { ...operation, extensions: { a: 1 } })).toEqual(expected(operation));
    const batch = [ask, { query: "", extensions: { persistedQuery: {} } }];
    expect(await sent("/v1/graphql", batch)).toEqual(expected([ask, null]));
    expect(await sent("/v1/graphql", "{")).toEqual(expected(null));
    expect(await sent("/v1/metadata", { type: "export_metadata", args: {} })).toEqual(expected(null));
  });

  it("A malformed body is not sent to the webhook and is reported only after authentication", async () => {
    hook.reply = (response) => response.end(user);
    expect((await server.post("/v1/graphql", "{")).json).toMatchObject({
      errors: [{ extensions: { code: "invalid-json" } }],
    });
    hook.reply = (response) => response.writeHead(401).end();
    expect((await server.post("/v1/graphql", "{")).json).toMatchObject({
      errors: [{ extensions: { code: "access-denied" } }],
    });
  });

  it("The log contains the first 1,000 characters of a failed webhook's reply", async () => {
    hook.reply = (response) => response.writeHead(400).end(`${"a".repeat(999)}bc`);
    await server.post("/v1/graphql", ask);
    expect(logged(server, "webhook-log").at(-1)).toMatchObject({ detail: { response: `${"a".repeat(999)}b` } });
  });

  it("The webhook's reply is omitted from the log if the request has too many words to redact", async () => {
    hook.reply = (response) => response.writeHead(400).end("word-00001".padEnd(20_000, "."));
    const words = Array.from({ length: 1000 }, (_, i) => `word-${String(i).padStart(5, "0")}`).join(" ");
    await server.post("/v1/graphql", ask, { "x-words": words });
    expect(logged(server, "webhook-log").at(-1)).toMatchObject({
      level: "error",
      detail: { status_code: 400, response: null },
    });
  });

  it("The log contains no credentials that the webhook echoes", async () => {
    hook.reply = (response, { headers, body }) => response.writeHead(400).end(JSON.stringify(headers) + body);
    await server.post("/v1/graphql", ask, {
      authorization: "Bearer opaque-credential",
      cookie: "sid=cookie-value",
      "x-key": "some-key",
      "x-long-key": "some-key-and-more",
      "x-longest-key": "some-key-and-more-yet",
    });
    const log = server.log.join("");
    const secrets = [
      "opaque-credential",
      "cookie-value",
      "some-key",
      "and-more",
      "more-yet",
      "top-secret",
      "code=hidden",
    ];
    expect(secrets.filter((part) => log.includes(part))).toEqual([]);
  });
});

describe("Unresponsive authentication webhooks", () => {
  it("An unresponsive webhook delays no other request and times out", { timeout: 60_000 }, async () => {
    const hook = new Service();
    const server = await start({ ENGINE_GRAPHQL_AUTH_HOOK: await hook.open() });
    let waiting = 0;
    const all = new Promise<void>((resolve) => {
      hook.reply = () => void (++waiting === 100 && resolve());
    });
    // More requests than the server opens connections to the webhook.
    const stuck = Array.from({ length: 150 }, () => server.post("/v1alpha1/graphql", ask));
    await all;
    expect((await server.post("/v1/graphql", { query: "{ note { owner } }" }, secret)).json).toHaveProperty("data");
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect(hook.received).toHaveLength(100);
    for (const answer of await Promise.all(stuck)) {
      expect([answer.status, answer.json]).toEqual([
        500,
        graphqlFailure("unexpected", "webhook authentication request failed"),
      ]);
    }
    expect(logged(server, "webhook-log").at(-1)?.detail).toMatchObject({ http_error: "no reply in time" });
    hook.reply = (response) => response.end('{"x-engine-role": "user", "x-engine-user-id": "1"}');
    expect((await server.post("/v1/graphql", ask)).json).toEqual(mine);
    await hook.close();
  });
});

describe("Preserved status 401", () => {
  it("Status 401 is preserved on /v1/graphql if the option is set", async () => {
    const hook = new Service();
    hook.reply = (response) => response.writeHead(401).end();
    const server = await start({
      ENGINE_GRAPHQL_AUTH_HOOK: await hook.open(),
      ENGINE_GRAPHQL_PRESERVE_401_ERRORS: "true",
    });
    expect((await server.post("/v1/graphql", ask)).status).toBe(401);
    hook.reply = (response) => response.writeHead(500).end();
    expect((await server.post("/v1/graphql", ask)).status).toBe(200);
    await hook.close();
  });
});

describe("The unauthorized role with tokens", () => {
  it("A request without a token runs as the unauthorized role", async () => {
    const key = { type: "RS256", key: rsa.key };
    const server = await start({
      ENGINE_GRAPHQL_JWT_SECRET: JSON.stringify(key),
      ENGINE_GRAPHQL_UNAUTHORIZED_ROLE: "user",
    });
    const headers = { "x-engine-role": "admin", "x-engine-user-id": "2" };
    expect(await server.graphql(ask.query, headers)).toEqual({ data: { note: [{ text: "theirs" }] } });
    const claims = { [namespace]: { ...userClaims, "x-engine-user-id": "1" } };
    const authorization = `Bearer ${token(rsa, "RS256", claims)}`;
    expect(await server.graphql(ask.query, { "x-engine-user-id": "2", authorization })).toEqual(mine);
  });
});
