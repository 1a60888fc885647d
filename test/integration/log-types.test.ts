/** Every type of log line as servers write it: its members, and the absence of secrets. */
import type { ServerResponse } from "node:http";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { internalLogTypes } from "../../runtime/config/log-types.ts";
import { parseOptions } from "../../runtime/config/options.ts";
import { createLog } from "../../runtime/observe/logs/log.ts";
import { logServerConfiguration } from "../../runtime/observe/logs/startup-log.ts";
import { warnOfSettings } from "../../runtime/server/parts/startup-warnings.ts";
import { createDatabase, query, type TestDatabase } from "../support/database.ts";
import { details, logLine, startupKinds } from "../support/log-lines.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../support/webhook-receiver.ts";
import { WebsocketClient } from "../support/websocket.ts";
import { rsa } from "../unit/http/auth/jwt/tokens.ts";

const adminSecret = "admin-hunter2";
const secrets = {
  adminSecret,
  password: "password-hunter2",
  ofEnvironment: "environment-hunter2",
  ofClient: "client-hunter2",
  literal: "literal-hunter2",
  masked: "masked-hunter2",
  keys: "keys-hunter2",
};
const admin = { "x-engine-admin-secret": adminSecret };
const asUser = { authorization: `Bearer ${secrets.ofClient}`, cookie: `session=${secrets.ofClient}` };
const types =
  "startup,http-log,webhook-log,websocket-log,mcp-log,query-log,execution-log,livequery-poller-log,action-handler-log,jwk-refresh-log,validate-input-log";

let webhook: WebhookReceiver;
let letters: TestDatabase;
let server: TestServer;
let follower: TestServer;
let slow: readonly string[];
const ofSettings: string[] = [];
const all = (): readonly string[] => [...server.log, ...follower.log, ...slow, ...ofSettings];
let role: string;

let keySetAnswers = 0;
/** Responds for all services that the servers call: authentication webhook, handlers, webhooks, key set, collector. */
function answer(response: ServerResponse, path: string): void {
  if (path.startsWith("/auth")) response.end(JSON.stringify({ "x-engine-role": "user", "x-engine-user-id": "7" }));
  else if (path.startsWith("/action")) response.end(JSON.stringify({ text: "said" }));
  else if (path.startsWith("/collector")) response.writeHead(400).end();
  else if (!path.startsWith("/keys")) response.end(JSON.stringify({ ok: true }));
  else if (++keySetAnswers === 1) response.writeHead(503).end();
  else response.end(JSON.stringify({ keys: [{ ...rsa.jwk, kid: "one" }] }));
}

async function change(type: string, args: unknown, path = "/v1/metadata"): Promise<void> {
  const { status, text } = await server.post(path, { type, args }, admin);
  if (status !== 200) throw new Error(`${type}: ${text}`);
}

const lines = (on: readonly string[]) => on.map((line) => JSON.parse(line));
const ofType = (on: readonly string[], type: string) => lines(on).filter((line) => line.type === type);
const written = (on: TestServer, type: string, is: (detail: string) => boolean = () => true) =>
  vi.waitFor(
    () => {
      const found = ofType(on.log, type).some(({ detail }) => is(JSON.stringify(detail)));
      if (!found) throw new Error(`no line of type ${type}`);
    },
    { timeout: 20_000 },
  );

beforeAll(async () => {
  webhook = await startWebhookReceiver((response, { path }) => answer(response, path));
  letters = await createDatabase("letters");
  const environment = {
    ENGINE_GRAPHQL_ADMIN_SECRET: adminSecret,
    ENGINE_GRAPHQL_ENABLED_LOG_TYPES: types,
    ENGINE_GRAPHQL_ENABLED_APIS: "metadata,graphql,pgdump,config,mcp",
    ENGINE_GRAPHQL_LOG_LEVEL: "debug",
    ENGINE_GRAPHQL_LOG_MASKED_VARIABLES: "word",
    ENGINE_GRAPHQL_LIVE_QUERIES_MULTIPLEXED_REFETCH_INTERVAL: "50",
    ENGINE_GRAPHQL_SCHEMA_SYNC_POLL_INTERVAL: "100",
    HOOK: `${webhook.url}/hook/${secrets.ofEnvironment}`,
    KEY: secrets.ofEnvironment,
  };
  server = await startTestServer({
    sealed: false,
    environment: {
      ...environment,
      ENGINE_GRAPHQL_AUTH_HOOK: `${webhook.url}/auth`,
      // No server listens there.
      ENGINE_GRAPHQL_FALLBACK: "http://127.0.0.1:9",
    },
  });
  follower = await startTestServer({
    sealed: false,
    on: server,
    environment: {
      ...environment,
      ENGINE_GRAPHQL_JWT_SECRET: JSON.stringify({ jwk_url: `${webhook.url}/keys?code=${secrets.keys}` }),
      ENGINE_GRAPHQL_UNAUTHORIZED_ROLE: "anonymous",
      ENGINE_GRAPHQL_DISABLE_EVENTING: "true",
      // No server listens there.
      ENGINE_GRAPHQL_REDIS_URL: `redis://reader:${secrets.ofEnvironment}@127.0.0.1:9`,
    },
  });
  await configure();
  await run();
  slow = await tenMinutes();
  logSettings();
}, 120_000);

afterAll(async () => {
  await follower?.stop();
  await server?.close();
  await query(letters.url, `drop owned by "${role}"; drop role "${role}"`);
  await letters?.drop();
  await webhook?.close();
});

/** Creates metadata that causes every type of log line. */
async function configure(): Promise<void> {
  await change("run_sql", { sql: "create table note (id int primary key, word text)" }, "/v2/query");
  await change("pg_track_table", { table: "note" });
  const permission = { columns: "*", filter: {} };
  await change("pg_create_select_permission", { table: "note", role: "user", permission });
  const headers = [
    { name: "x-key", value_from_env: "KEY" },
    { name: "authorization", value: secrets.literal },
    { name: "X-Api-Key", value: secrets.literal },
  ];
  const validate_input = { type: "http", definition: { url: "{{HOOK}}", headers, forward_client_headers: true } };
  const insert = { columns: "*", check: {}, validate_input };
  await change("pg_create_insert_permission", { table: "note", role: "user", permission: insert });
  await change("pg_create_event_trigger", {
    name: "noted",
    table: "note",
    webhook: "{{HOOK}}",
    insert: { columns: "*" },
    headers,
  });
  await change("set_custom_types", { objects: [{ name: "Said", fields: [{ name: "text", type: "String" }] }] });
  const definition = {
    handler: `${webhook.url}/action`,
    type: "query",
    output_type: "Said",
    arguments: [{ name: "id", type: "Int" }],
    headers,
    forward_client_headers: true,
    request_transform: { version: 2, body: { action: "transform", template: '{"id": {{$body.input.id}}}' } },
  };
  await change("create_action", { name: "say", definition });
  await change("create_action_permission", { action: "say", role: "user" });
  role = `${letters.name}_few`;
  await query(letters.url, "create table letter (id int primary key)");
  const grant = `grant select on letter to "${role}"`;
  await query(letters.url, `create role "${role}" login password '${secrets.password}' connection limit 2; ${grant}`);
  const url = new URL(letters.url);
  url.username = role;
  url.password = secrets.password;
  const configuration = { connection_info: { database_url: url.href, pool_settings: { max_connections: 8 } } };
  await change("pg_add_source", { name: "letters", configuration });
  await change("pg_track_table", { source: "letters", table: "letter" });
}

/** Causes the servers to write log lines. */
async function run(): Promise<void> {
  const ask = (text: string, variables: unknown = {}) => server.post("/v1/graphql", { query: text, variables }, asUser);
  const find = "query Find($word: String) { note(where: {word: {_eq: $word}}) { id } }";
  await ask(find, { word: secrets.masked });
  await server.post("/v1/graphql", [{ query: find }, { query: "{ nothing }" }], asUser);
  await ask("{ say(id: 1) { text } }");
  const call = { name: "describe", arguments: { search: secrets.masked } };
  await server.post("/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params: call }, asUser);
  const added = await ask('mutation { insert_note_one(object: {id: 1, word: "w"}) { id } }');
  expect(added.json).toEqual({ data: { insert_note_one: { id: 1 } } });
  const headers = [{ name: "x-key", value_from_env: "KEY" }];
  const event = { webhook: "{{HOOK}}", schedule_at: new Date().toISOString(), payload: { a: 1 }, headers };
  await change("create_scheduled_event", event);
  await written(server, "event-trigger", (detail) => detail.includes("event_id"));
  await written(server, "scheduled-trigger");
  await overWebsocket(find);
  await tooManyConnections();
  await failures();
}

/** Exhausts the role's two connections with statements that wait for a table. */
async function tooManyConnections(): Promise<void> {
  const blocker = new pg.Client({ connectionString: letters.url });
  await blocker.connect();
  try {
    await blocker.query("begin; lock table letter in access exclusive mode");
    const requests = Array.from({ length: 40 }, (_, i) => server.post("/v1/graphql", many(i), admin));
    await written(server, "pg-client");
    await blocker.query("rollback");
    await Promise.all(requests);
  } finally {
    await blocker.end();
  }
}

const many = (i: number) => ({ query: `{ ${"abcdefgh".replace(/./g, (name) => `${name}${i}: letter { id } `)} }` });

async function overWebsocket(find: string): Promise<void> {
  const client = await WebsocketClient.open(server.url, { protocol: "graphql-transport-ws" });
  client.send({ type: "connection_init", payload: { headers: asUser } });
  await client.next();
  const subscription = find.replace("query", "subscription");
  client.send({ id: "1", type: "subscribe", payload: { query: subscription, variables: { word: secrets.masked } } });
  await client.next();
  await written(server, "livequery-poller-log");
  client.send({ id: "2", type: "subscribe", payload: { query: "{ nothing }" } });
  await client.next();
  client.send({ id: "3", type: "subscribe", payload: { query: find, variables: { word: secrets.masked } } });
  await written(server, "websocket-log", (detail) => detail.includes("completed"));
  client.ws.close();
  await client.closed;
  const refused = WebsocketClient.open(server.url, { path: "/v1/nowhere", protocol: "graphql-ws" });
  await expect(refused).rejects.toThrow();
  await written(server, "websocket-log", (detail) => detail.includes("closed"));
}

/** Causes failures: an unavailable database, inconsistent metadata, a collector that refuses everything. */
async function failures(): Promise<void> {
  await query(server.databaseUrl, `alter database "${letters.name}" allow_connections false`);
  const ending = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${letters.name}'`;
  await query(server.databaseUrl, ending);
  await change("reload_metadata", {});
  await written(server, "stored-introspection");
  await written(server, "metadata");
  await query(server.databaseUrl, `alter database "${letters.name}" allow_connections true`);
  await change("set_opentelemetry_config", {
    status: "enabled",
    data_types: ["traces"],
    exporter_otlp: {
      otlp_traces_endpoint: `${webhook.url}/collector`,
      headers: [{ name: "x-key", value: secrets.literal }],
    },
    batch_span_processor: { max_export_batch_size: 1 },
  });
  await server.post("/v1/graphql", { query: "{ note { id } }" }, asUser);
  await written(server, "telemetry-log");
  await written(follower, "schema-sync");
}

/** Returns the lines that a server without requests and events logs in ten minutes. */
async function tenMinutes(): Promise<readonly string[]> {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const on = await startTestServer({
    sealed: false,
    on: server,
    environment: { KEY: secrets.ofEnvironment, HOOK: webhook.url, ENGINE_GRAPHQL_LOG_LEVEL: "debug" },
  });
  try {
    const trigger = { name: "yearly", webhook: "{{HOOK}}", schedule: "0 0 1 1 *", include_in_metadata: true };
    await on.metadata("create_cron_trigger", trigger);
    await vi.advanceTimersByTimeAsync(600_000);
    await written(on, "cron-event-generator-process");
    await written(on, "event-trigger-process");
    await written(on, "scheduled-trigger-process");
  } finally {
    vi.useRealTimers();
    await on.stop();
  }
  return on.log;
}

/** Logs the lines of commands before a server starts. */
function logSettings(): void {
  const environment = {
    ENGINE_GRAPHQL_ADMIN_SECRT: secrets.adminSecret,
    ENGINE_GRAPHQL_DATABASE_URL: `postgres://a:${secrets.password}@b/c`,
    ENGINE_GRAPHQL_UNAUTHORIZED_ROLE: "anonymous",
    ENGINE_GRAPHQL_INSECURE_NO_SECRET: "true",
  };
  const options = parseOptions({}, environment);
  const log = createLog(options, { write: (line) => void ofSettings.push(line) });
  logServerConfiguration(log, options);
  warnOfSettings(log, { ...options, unauthorizedRole: null }, environment);
}

describe("Lines of each log type", () => {
  it.each(Object.entries(details))("Lines of type %s have exactly their documented members", (type, detail) => {
    const found = lines(all());
    const own = found.filter((line) => line.type === type);
    expect(own.length).toBeGreaterThan(0);
    for (const line of own) {
      expect(logLine.parse(line)).toBeDefined();
      const parsed = detail.safeParse(line.detail);
      expect([JSON.stringify(line.detail), parsed.error?.issues]).toEqual([expect.anything(), undefined]);
    }
  });

  it("Every log type is covered except those of internal errors and absent features", () => {
    const known = new Set(Object.keys(details));
    const rest = internalLogTypes.filter((type) => !known.has(type));
    expect(rest).toEqual(["unstructured", "unhandled-internal-error", "async-action-process", "model-info"]);
    const strange = lines(all()).map(({ type }) => type);
    expect(strange.filter((type) => !known.has(type) && !rest.includes(type))).toEqual([]);
  });
});

it.each(Object.keys(startupKinds))("A start logs %s", (kind) => {
  const kinds = lines(all()).map(({ detail }) => detail.kind);
  expect(kinds).toContain(kind);
});

it("A start logs the option that prevents event delivery", () => {
  const info = ofType(follower.log, "startup").find(({ detail }) => detail.kind === "event_triggers").detail.info;
  expect(info).toEqual({ message: "events are not delivered because of --disable-eventing", enabled: false });
});

it("Loops of a server without events log only at debug level", () => {
  const idle = lines(slow).filter(({ type }) => type.endsWith("-process"));
  expect(new Set(idle.map(({ type, level }) => `${type} ${level}`))).toEqual(
    new Set(["cron-event-generator-process debug", "event-trigger-process debug", "scheduled-trigger-process debug"]),
  );
});

it("A following instance logs the metadata version that it applies", () => {
  const texts = ofType(follower.log, "schema-sync").map(({ detail }) => detail.info);
  const received =
    /^Received metadata resource version: \d+, different from the current engine resource version: \d+\./;
  expect(texts.some((text) => received.test(text))).toBe(true);
});

it.each(Object.entries(secrets))("No log line contains the secret %s", (_, secret) => {
  expect(all().filter((line) => line.includes(secret))).toEqual([]);
});
