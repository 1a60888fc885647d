/** Dead letters of all queues, and the commands of docs/how-to/dead-letters.md. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { query } from "../support/database.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { root } from "../support/shared-checks.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../support/webhook-receiver.ts";

let page: string;
let webhook: WebhookReceiver;
let server: TestServer;
let status: number;

const retry_conf = { num_retries: 0, interval_sec: 1, timeout_sec: 5 };

beforeAll(async () => {
  page = await readFile(join(root, "docs/how-to/dead-letters.md"), "utf8");
  webhook = await startWebhookReceiver((response) => response.writeHead(status).end(status < 300 ? "1" : "broken"));
  server = await startTestServer({
    environment: { HOOK: webhook.url, ENGINE_GRAPHQL_ENABLED_APIS: "graphql,metadata,metrics" },
  });
  await query(server.databaseUrl, "create table item (id int primary key, name text)");
  await server.metadata("pg_track_table", { table: "item" });
  await server.metadata("pg_create_event_trigger", {
    name: "changed",
    table: "item",
    webhook: "{{HOOK}}/event",
    insert: { columns: "*" },
    retry_conf,
  });
  await server.metadata("create_cron_trigger", {
    name: "nightly",
    webhook: "{{HOOK}}/cron",
    schedule: "0 3 * * *",
    payload: { night: true },
    include_in_metadata: true,
  });
  await server.metadata("create_action", {
    name: "print_order",
    definition: {
      handler: "{{HOOK}}/action",
      kind: "asynchronous",
      output_type: "Int",
      arguments: [{ name: "id", type: "Int" }],
    },
  });
}, 60_000);

afterAll(async () => {
  await server?.close();
  await webhook?.close();
});

const block = (name: string): { type: string; args: Record<string, unknown> } => {
  const text = new RegExp(`<!-- ${name} -->\n\`\`\`\\w+\n(.*?)\`\`\``, "s").exec(page)?.[1];
  return JSON.parse(text ?? "");
};

interface Letter {
  readonly kind: string;
  readonly id: string;
  readonly source: string | null;
}

const post = async (type: string, args: object) => (await server.post("/v1/metadata", { type, args })).json;
const letters = async (args: object = {}): Promise<readonly Letter[]> =>
  (await post("get_dead_letters", args)).dead_letters;
const kinds = async () => (await letters()).map(({ kind }) => kind).sort();

beforeEach(async () => {
  status = 503;
  for (const { kind, id, source } of await letters()) {
    if (kind === "event") await query(server.databaseUrl, "delete from engine_catalog.event_log where id = $1", [id]);
    else if (kind === "action") {
      await query(server.metadataUrl, "delete from engine_catalog.engine_action_log where id = $1::uuid", [id]);
    } else await post("delete_scheduled_event", { type: kind, event_id: id });
    expect(source).toBe(kind === "event" ? "default" : null);
  }
});

let row = 0;

/** Makes a letter of each kind. */
async function failEverything(): Promise<void> {
  await query(server.databaseUrl, "insert into item values ($1, 'a')", [++row]);
  await query(
    server.metadataUrl,
    `insert into engine_catalog.engine_cron_events (trigger_name, scheduled_time)
     values ('nightly', now() - make_interval(secs => ${row}))`,
  );
  await post("create_scheduled_event", {
    webhook: "{{HOOK}}/once",
    schedule_at: new Date().toISOString(),
    payload: { once: 1 },
  });
  await server.post("/v1/graphql", { query: "mutation { print_order(id: 7) }" });
  await vi.waitFor(async () => expect(await kinds()).toEqual(["action", "cron", "event", "one_off"]), {
    timeout: 20_000,
    interval: 100,
  });
}

it("One list has the failed deliveries of all queues with reason and payload, newest first", async () => {
  await failEverything();
  const { dead_letters: all, count } = await post("get_dead_letters", { get_rows_count: true });
  expect(count).toBe(4);
  const times = all.map(({ created_at }: { readonly created_at: string }) => created_at);
  expect(times).toEqual([...times].sort().reverse());
  const common = { id: expect.any(String), status: "error", created_at: expect.any(String), tries: 1 };
  const shown = new Map(all.map((each: Letter) => [each.kind, each]));
  const reason = { status: 503, message: "broken" };
  const failed_at = expect.stringMatching(/Z$/);
  expect(shown.get("event")).toEqual({
    ...common,
    kind: "event",
    source: "default",
    name: "changed",
    failed_at,
    reason,
    payload: expect.objectContaining({ op: "INSERT", data: { old: null, new: { id: row, name: "a" } } }),
  });
  expect(shown.get("cron")).toMatchObject({ ...common, name: "nightly", failed_at, reason, payload: { night: true } });
  expect(shown.get("one_off")).toMatchObject({ ...common, name: null, failed_at, reason, payload: { once: 1 } });
  expect(shown.get("action")).toMatchObject({
    ...common,
    name: "print_order",
    failed_at,
    reason: { message: "not a valid json response from webhook" },
    payload: { id: 7 },
  });
});

it("The reason of a call without a response is the message of the failed connection", async () => {
  await post("create_scheduled_event", {
    webhook: "http://127.0.0.1:9/closed",
    schedule_at: new Date().toISOString(),
  });
  await vi.waitFor(async () => expect(await kinds()).toEqual(["one_off"]), { timeout: 20_000, interval: 100 });
  const reason = { status: null, message: "connect ECONNREFUSED 127.0.0.1:9" };
  expect(await letters()).toMatchObject([{ reason }]);
});

it("Letters are selected by kind, source, name and time, and paged", async () => {
  await failEverything();
  const of = async (args: object) => (await letters(args)).map(({ kind }) => kind).sort();
  expect(await of({ kind: "cron" })).toEqual(["cron"]);
  expect(await of({ kind: ["event", "action"] })).toEqual(["action", "event"]);
  expect(await of({ source: "default" })).toEqual(["event"]);
  expect(await of({ name: "print_order" })).toEqual(["action"]);
  expect(await of({ to: "2020-01-01T00:00:00Z" })).toEqual([]);
  expect(await of({ from: "2020-01-01T00:00:00Z" })).toHaveLength(4);
  const pages = [...(await letters({ limit: 3 })), ...(await letters({ limit: 3, offset: 3 }))];
  expect(pages).toEqual(await letters());
  expect(await post("get_dead_letters", { name: "print_orders" })).toMatchObject({
    code: "not-exists",
    path: "$.args.name",
  });
  expect(await post("get_dead_letters", { source: "other" })).toMatchObject({
    code: "not-exists",
    path: "$.args.source",
  });
});

it("The examples of the page list and replay letters", async () => {
  await failEverything();
  const list = block("list");
  const listed = await post(list.type, list.args);
  expect(listed).toMatchObject({ count: 2, dead_letters: [expect.anything(), expect.anything()] });
  status = 200;
  const replay = block("replay");
  expect(await post(replay.type, replay.args)).toEqual({ replayed: 1 });
  await vi.waitFor(async () => {
    const { calls } = await post("get_action_logs", { action_name: "print_order", limit: 1 });
    expect(calls).toMatchObject([{ status: "completed", output: 1, errors: null }]);
  });
  expect(await kinds()).toEqual(["cron", "event", "one_off"]);
});

it("Replayed letters of a list are delivered with their ids, and letters that are not dead are skipped", async () => {
  await failEverything();
  const dead = await letters();
  status = 200;
  const before = webhook.received.length;
  const named = dead.map(({ kind, id, source }) => ({ kind, id, ...(source !== null && { source }) }));
  const unknown = [
    { kind: "action", id: "00000000-0000-0000-0000-000000000000" },
    { kind: "action", id: "no uuid" },
    { kind: "cron", id: "none" },
    { kind: "event", source: "default", id: "none" },
  ];
  expect(await post("replay_dead_letters", { letters: [...named, ...unknown] })).toEqual({ replayed: 4, skipped: 4 });
  await vi.waitFor(() => expect(webhook.received).toHaveLength(before + 4), { timeout: 20_000, interval: 50 });
  const bodies = webhook.received.slice(before).map(({ body }) => body);
  for (const { kind, id } of dead.filter((each) => each.kind !== "action")) {
    expect(
      bodies.some((body) => JSON.parse(body).id === id),
      kind,
    ).toBe(true);
  }
  await vi.waitFor(async () => expect(await letters()).toEqual([]), { timeout: 10_000 });
  expect(await post("replay_dead_letters", { letters: named })).toEqual({ replayed: 0, skipped: 4 });
});

it("A filter without kinds replays the letters of all queues in its time span", async () => {
  await failEverything();
  expect(await post("replay_dead_letters", { to: "2020-01-01T00:00:00Z" })).toEqual({ replayed: 0 });
  status = 200;
  expect(await post("replay_dead_letters", { from: "2020-01-01T00:00:00Z" })).toEqual({ replayed: 4 });
  await vi.waitFor(async () => expect(await letters()).toEqual([]), { timeout: 10_000 });
});

it("Metrics count dead letters by trigger", async () => {
  await failEverything();
  await vi.waitFor(
    async () => {
      const text = await (await fetch(`${server.url}/v1/metrics`)).text();
      expect(text).toMatch(/^engine_event_dead_letters\{.*trigger_name="changed".*\} 1$/m);
      expect(text).toMatch(/^engine_automation_dead_letters\{kind="action",trigger_name="print_order"\} 1$/m);
      expect(text).toMatch(/^engine_automation_dead_letters\{kind="cron",trigger_name="nightly"\} 1$/m);
    },
    { timeout: 40_000, interval: 1000 },
  );
}, 60_000);

it("Letters of other queues are listed while a source is unreachable", async () => {
  await failEverything();
  await post("pg_add_source", {
    name: "gone",
    configuration: { connection_info: { database_url: "postgres://127.0.0.1:1/none" } },
  });
  expect((await letters()).length).toBe(4);
});
