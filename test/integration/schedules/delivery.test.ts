/** Delivery of cron triggers and one-off events to webhooks and operations, from an administrator's perspective. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { query } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { type Behaviour, startWebhookReceiver, type WebhookReceiver } from "../../support/webhook-receiver.ts";

let engine: TestServer;
const closers: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  engine = await startTestServer({ sealed: false, environment: { SECRET: "do not tell" } });
  await query(engine.databaseUrl, "create table note (id serial primary key, text text not null, author text)");
  await engine.metadata("pg_track_table", { table: "note" });
  const permission = { columns: ["text"], check: {}, set: { author: "x-engine-user-id" } };
  await engine.metadata("pg_create_insert_permission", { table: "note", role: "clerk", permission });
});
afterAll(() => engine?.close());
afterEach(async () => {
  await engine.metadata("bulk", [
    ...((await cronTriggers()).map((name) => ({ type: "delete_cron_trigger", args: { name } })) as object[]),
  ]);
  for (const close of closers.splice(0).reverse()) await close();
});

async function cronTriggers(): Promise<readonly string[]> {
  const { cron_triggers } = (await engine.metadata("get_cron_triggers", {})) as { cron_triggers: { name: string }[] };
  return cron_triggers.map(({ name }) => name);
}

async function receiver(behave?: Behaviour): Promise<WebhookReceiver> {
  const opened = await startWebhookReceiver(behave);
  closers.push(() => opened.close());
  return opened;
}

interface Event {
  readonly id: string;
  readonly status: string;
  readonly tries: number;
}

const eventsOf = async (args: object): Promise<readonly Event[]> =>
  ((await engine.metadata("get_scheduled_events", args)) as { events: Event[] }).events;

const invocationsOf = async (args: object) =>
  (
    (await engine.metadata("get_scheduled_event_invocations", args)) as {
      invocations: { status: number | null; request: unknown; response: unknown }[];
    }
  ).invocations;

async function eventually<T>(look: () => Promise<T>, isIt: (found: T) => boolean): Promise<T> {
  const end = performance.now() + 15_000;
  for (;;) {
    const found = await look();
    if (isIt(found) || performance.now() > end) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Moves the first event of a trigger to this moment. */
const dueNow = (name: string, seconds = 0) =>
  query(
    engine.metadataUrl,
    `update engine_catalog.engine_cron_events set scheduled_time = now() - make_interval(secs => $2)
     where id = (select id from engine_catalog.engine_cron_events where trigger_name = $1 and status = 'scheduled' order by scheduled_time limit 1)`,
    [name, seconds],
  );

const ended = (event: Event | undefined): boolean => ["delivered", "error", "dead"].includes(event?.status ?? "");

describe("Delivery of one-off events", () => {
  it("A one-off event is delivered within a second of its time with its data", async () => {
    const { url, received } = await receiver();
    const at = new Date(Date.now() + 1500);
    const { event_id } = (await engine.metadata("create_scheduled_event", {
      webhook: url,
      schedule_at: at.toISOString(),
      payload: { n: 1 },
      comment: "once",
      headers: [{ name: "x-key", value_from_env: "SECRET" }],
    })) as { event_id: string };
    await eventually(
      async () => received.length,
      (count) => count > 0,
    );
    expect(Date.now() - at.getTime()).toBeLessThan(3000);
    expect(received[0]?.headers["x-key"]).toBe("do not tell");
    expect(JSON.parse(received[0]?.body ?? "")).toMatchObject({ id: event_id, payload: { n: 1 }, comment: "once" });
    const [event] = await eventually(
      () => eventsOf({ type: "one_off" }),
      ([found]) => ended(found),
    );
    expect(event).toMatchObject({ id: event_id, status: "delivered", tries: 1 });
    const [invocation] = await invocationsOf({ type: "one_off", event_id });
    expect(invocation).toMatchObject({ status: 200, response: { type: "webhook_response", version: "1" } });
    expect(JSON.stringify(invocation)).not.toContain("do not tell");
  });

  it("Creating a one-off event that is too late returns a warning", async () => {
    const past = { webhook: "http://127.0.0.1:9", schedule_at: "2020-01-01T00:00:00Z" };
    const made = await engine.metadata("create_scheduled_event", past);
    expect(made).toMatchObject({
      warnings: [{ message: expect.stringMatching(/tolerance_seconds \(21600\); the event will be marked as dead/) }],
    });
    const soon = { ...past, schedule_at: new Date(Date.now() + 3_600_000).toISOString() };
    expect(await engine.metadata("create_scheduled_event", soon)).not.toHaveProperty("warnings");
  });

  it("A one-off event is retried and ends as an error, also for a missing variable", async () => {
    const { event_id } = (await engine.metadata("create_scheduled_event", {
      webhook: "{{NOT_SET}}/hook",
      schedule_at: new Date().toISOString(),
      retry_conf: { num_retries: 1, retry_interval_seconds: 0 },
    })) as { event_id: string };
    const look = async () => (await eventsOf({ type: "one_off" })).find(({ id }) => id === event_id);
    expect(await eventually(look, ended)).toMatchObject({ status: "error", tries: 2 });
    const invocations = await invocationsOf({ type: "one_off", event_id });
    expect(invocations).toHaveLength(2);
    expect(JSON.stringify(invocations)).toContain("The value for environment variables not found: NOT_SET");
  });
});

describe("Delivery of cron triggers", () => {
  it("A cron trigger has its next hundred events after creation and none after deletion", async () => {
    const { url } = await receiver();
    await engine.metadata("create_cron_trigger", {
      name: "daily",
      webhook: url,
      schedule: "0 3 * * *",
      include_in_metadata: true,
    });
    expect(await eventsOf({ type: "cron", trigger_name: "daily" })).toHaveLength(100);
    await engine.metadata("create_cron_trigger", {
      name: "daily",
      webhook: url,
      schedule: "0 4 * * *",
      include_in_metadata: true,
      replace: true,
    });
    const rows = await query(
      engine.metadataUrl,
      "select distinct extract(hour from scheduled_time at time zone 'utc')::int as hour from engine_catalog.engine_cron_events",
    );
    expect(rows).toEqual([{ hour: 4 }]);
    await engine.metadata("delete_cron_trigger", { name: "daily" });
    expect(await query(engine.metadataUrl, "select from engine_catalog.engine_cron_events")).toEqual([]);
  });

  it("A cron event is delivered on time with a signature, and its response is logged", async () => {
    const { url, received } = await receiver();
    await engine.metadata("create_cron_trigger", {
      name: "due",
      webhook: url,
      schedule: "0 0 1 1 *",
      include_in_metadata: false,
      payload: { a: [1] },
      comment: "yearly",
    });
    await dueNow("due");
    await eventually(
      async () => received.length,
      (count) => count > 0,
    );
    expect(JSON.parse(received[0]?.body ?? "")).toMatchObject({ name: "due", payload: { a: [1] }, comment: "yearly" });
    expect(JSON.stringify(await engine.metadata("export_metadata", {}))).not.toContain("yearly");
    const look = async () => (await eventsOf({ type: "cron", trigger_name: "due", status: ["delivered"] })).length;
    expect(await eventually(look, (count) => count === 1)).toBe(1);
  });

  it("A cron event later than its tolerance is dead", async () => {
    const { url, received } = await receiver();
    await engine.metadata("create_cron_trigger", {
      name: "late",
      webhook: url,
      schedule: "0 0 1 1 *",
      include_in_metadata: true,
      retry_conf: { tolerance_seconds: 60 },
    });
    await dueNow("late", 120);
    const look = async () => (await eventsOf({ type: "cron", trigger_name: "late", status: ["dead"] })).length;
    expect(await eventually(look, (count) => count === 1)).toBe(1);
    expect(received).toEqual([]);
  });

  it("A cron event is skipped while the previous one is in progress", async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { url, received } = await receiver((response) => void held.then(() => response.end()));
    await engine.metadata("create_cron_trigger", {
      name: "slow",
      webhook: url,
      schedule: "0 0 1 1 *",
      include_in_metadata: true,
      overlap: "skip",
    });
    await dueNow("slow");
    await eventually(
      async () => received.length,
      (count) => count > 0,
    );
    await dueNow("slow");
    const dead = () => eventsOf({ type: "cron", trigger_name: "slow", status: ["dead"] });
    const [skipped] = await eventually(dead, (found) => found.length > 0);
    expect(JSON.stringify(await invocationsOf({ type: "cron", event_id: skipped?.id }))).toContain("has not ended");
    release();
    const done = () => eventsOf({ type: "cron", trigger_name: "slow", status: ["delivered"] });
    expect(await eventually(done, (found) => found.length === 1)).toHaveLength(1);
    expect(received).toHaveLength(1);
  });

  it("An ended event is redelivered however old it is, and an event that has not ended is refused", async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { url, received } = await receiver((response) => void held.then(() => response.end()));
    const { event_id } = (await engine.metadata("create_scheduled_event", {
      webhook: url,
      schedule_at: "2020-01-01T00:00:00Z",
      retry_conf: { tolerance_seconds: 60 },
    })) as { event_id: string };
    const trigger = { webhook: url, schedule: "0 0 1 1 *", include_in_metadata: true, missed: "skip" };
    await engine.metadata("create_cron_trigger", { ...trigger, name: "again" });
    await dueNow("again", 7200);
    const one = async () => (await eventsOf({ type: "one_off" })).find(({ id }) => id === event_id);
    const cron = async () => (await eventsOf({ type: "cron", trigger_name: "again" }))[0];
    expect(await eventually(one, ended)).toMatchObject({ status: "dead", tries: 0 });
    expect(await eventually(cron, ended)).toMatchObject({ status: "dead", tries: 1 });
    expect(received).toEqual([]);

    const redeliver = (args: object) => engine.post("/v1/metadata", { type: "redeliver_scheduled_event", args });
    expect((await redeliver({ type: "one_off", event_id })).json).toEqual({ message: "success" });
    const all = { type: "cron", trigger_name: "again", status: ["error", "dead"] };
    const count = (args: object) => engine.metadata("redeliver_scheduled_events", { ...all, ...args });
    expect(await count({ from: new Date().toISOString() })).toEqual({ redelivered_events: 0 });
    expect(await count({ status: "delivered" })).toEqual({ redelivered_events: 0 });
    expect(await count({ to: new Date().toISOString() })).toEqual({ redelivered_events: 1 });
    await eventually(
      async () => received.length,
      (calls) => calls === 2,
    );
    const refused = async (args: object) => {
      const { status, json } = await redeliver(args);
      return [status, json.code, json.error];
    };
    expect(await refused({ type: "one_off", event_id })).toEqual([400, "busy", "event is already being processed"]);
    const next = (await eventsOf({ type: "cron", trigger_name: "again", status: ["scheduled"] }))[0];
    expect(await refused({ type: "cron", event_id: next?.id })).toEqual([
      400,
      "not-supported",
      "event is scheduled and will be delivered: only ended events can be redelivered",
    ]);
    expect(await refused({ type: "cron", event_id })).toEqual([
      400,
      "not-exists",
      `event id ${event_id} does not exist`,
    ]);
    release();
    expect(await eventually(one, ended)).toMatchObject({ status: "delivered", tries: 1 });
    expect(await eventually(cron, ended)).toMatchObject({ status: "delivered", tries: 1 });
    expect(received).toHaveLength(2);
    // The invocation log keeps the reason of the first end.
    const logged = await invocationsOf({ type: "cron", trigger_name: "again" });
    expect(logged.map(({ status }) => status)).toEqual([200, null]);
    expect(
      (
        await engine.post("/v1/metadata", {
          type: "redeliver_scheduled_events",
          args: { ...all, trigger_name: "agin" },
        })
      ).json,
    ).toMatchObject({
      code: "not-exists",
      error: "cron trigger with name: agin does not exist",
    });
  });

  it("A cron trigger runs a saved operation as its role with the payload as variables", async () => {
    await engine.metadata("create_query_collection", {
      name: "upkeep",
      definition: {
        queries: [
          {
            name: "note",
            query: "mutation ($text: String!) { insert_note(objects: [{text: $text}]) { affected_rows } }",
          },
        ],
      },
    });
    const trigger = {
      name: "upkeep",
      schedule: "0 0 1 1 *",
      include_in_metadata: true,
      payload: { text: "by schedule" },
      operation: { collection: "upkeep", query: "note", role: "clerk", session_variables: { "X-Engine-User-Id": "7" } },
    };
    await engine.metadata("create_cron_trigger", trigger);
    await dueNow("upkeep");
    const rows = () => query(engine.databaseUrl, "select text, author from note");
    expect(await eventually(rows, (found) => found.length > 0)).toEqual([{ text: "by schedule", author: "7" }]);
    const [event] = await eventually(
      () => eventsOf({ type: "cron", trigger_name: "upkeep", status: ["delivered"] }),
      (found) => found.length > 0,
    );
    expect(JSON.stringify(await invocationsOf({ type: "cron", event_id: event?.id }))).toContain("affected_rows");
    await engine.metadata("create_cron_trigger", { ...trigger, payload: { text: null }, replace: true });
    await dueNow("upkeep");
    const failed = await eventually(
      () => eventsOf({ type: "cron", trigger_name: "upkeep", status: ["error"] }),
      (found) => found.length > 0,
    );
    expect(JSON.stringify(await invocationsOf({ type: "cron", event_id: failed[0]?.id }))).toContain("client_error");
  });

  it.each([
    [{ timezone: "Europe/Berln" }, 'unknown time zone "Europe/Berln"', "Europe/Berlin"],
    [{ schedule: "61 * * * *" }, "invalid cron schedule", ""],
    [{ overlaps: "skip" }, 'unexpected key "overlaps"', "overlap"],
    [{ operation: { collection: "a", query: "b", role: "c" } }, "only one of webhook or operation", ""],
    [{ webhook: undefined }, 'key "webhook" not found', ""],
    [
      { webhook: undefined, operation: { collection: "upkep", query: "note", role: "c" } },
      "collection with name upkep does not exist",
      "",
    ],
    [{ retry_conf: { backoff: { factor: 0 } } }, "factor must be at least 1", ""],
  ])("A cron trigger with %j is refused", async (change, message, hint) => {
    const args = {
      name: "bad",
      webhook: "http://127.0.0.1",
      schedule: "* * * * *",
      include_in_metadata: true,
      ...change,
    };
    const { status, text } = await engine.post("/v1/metadata", { type: "create_cron_trigger", args });
    expect([status, text]).toEqual([400, expect.stringContaining(JSON.stringify(message).slice(1, -1))]);
    expect(text).toContain(hint);
  });
});
