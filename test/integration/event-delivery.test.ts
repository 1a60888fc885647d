/** Delivery of events from a PostgreSQL source to webhooks (`docs/how-to/event-triggers.md`). */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openPostgres } from "../../runtime/databases/sources/postgres/open-postgres.ts";
import { resolvePostgresSettings } from "../../runtime/databases/sources/postgres/settings.ts";
import type { DatabaseSource } from "../../runtime/databases/sources/source.ts";
import { EventDelivery, type EventDeliverySettings } from "../../runtime/jobs/events/event-delivery.ts";
import type { EventTriggerDefinition } from "../../runtime/model/definitions/events/event-trigger.ts";
import { createLog } from "../../runtime/observe/logs/log.ts";
import { defaultOutboundRules } from "../../runtime/values/outbound-rules.ts";
import { query, type TestDatabase } from "../support/database.ts";
import { type DatabaseProxy, startProxy } from "../support/database-proxy.ts";
import { createEventDatabase, eventsFrom } from "../support/event-source.ts";
import { type Behaviour, startWebhookReceiver, type WebhookReceiver } from "../support/webhook-receiver.ts";

let database: TestDatabase;
const closers: (() => Promise<unknown>)[] = [];
let lines: string[];

beforeEach(async () => {
  database = await createEventDatabase("event_delivery");
  lines = [];
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await database.drop();
});

const options: EventDeliverySettings["options"] = {
  outboundAllow: defaultOutboundRules,
  eventsHttpPoolSize: 20,
  eventsFetchIntervalMilliseconds: 1000,
  eventsFetchBatchSize: 100,
  eventsStoredResponseBytes: 1000,
  redactEventTriggerLogs: false,
  enableTriggersErrorLogLevel: false,
  gracefulShutdownTimeoutSeconds: 10,
};

function openDatabase(url = database.url): DatabaseSource {
  const source = openPostgres(resolvePostgresSettings("default", { database_url: url }, { variables: {} }));
  closers.push(() => source.close());
  return source;
}

interface Instance {
  set(triggers: readonly EventTriggerDefinition[]): void;
  stop(milliseconds?: number): Promise<void>;
}

interface Changed {
  readonly options?: Partial<EventDeliverySettings["options"]>;
  readonly lease?: EventDeliverySettings["lease"];
  readonly url?: string;
}

/** Starts a second deliverer, as another process would. */
function start(triggers: readonly EventTriggerDefinition[], changed: Changed = {}): Instance {
  const source = openDatabase(changed.url);
  const delivery = new EventDelivery({
    options: { ...options, ...changed.options },
    environment: { SECRET: "do not tell" },
    version: "1",
    log: createLog({ logLevel: "debug", enabledLogTypes: new Set() }, { write: (line) => void lines.push(line) }),
    uncheckedHosts: () => [],
    ...(changed.lease && { lease: changed.lease }),
  });
  let isStopped = false;
  const stop = async (milliseconds = 5000): Promise<void> => {
    if (!isStopped) await delivery.stop(milliseconds);
    isStopped = true;
  };
  closers.push(() => stop(0));
  const set: Instance["set"] = (defined) =>
    delivery.setSources([{ kind: "postgres", database: source, triggers: defined }]);
  set(triggers);
  return { set, stop };
}

async function receiver(behave?: Behaviour): Promise<WebhookReceiver> {
  const opened = await startWebhookReceiver(behave);
  closers.push(() => opened.close());
  return opened;
}

function trigger(
  name: string,
  url: string,
  changed: Partial<EventTriggerDefinition> & { retries?: number; timeout?: number } = {},
): EventTriggerDefinition {
  const { retries = 0, timeout = 10, ...rest } = changed;
  return {
    source: "default",
    name,
    table: { schema: "public", name: "item" },
    manual: false,
    webhook: { url: { template: url }, headers: [], retry: { retries, intervalSeconds: 1, timeoutSeconds: timeout } },
    recorders: [],
    ...rest,
  };
}

const sql = (text: string) => query(database.url, text);
const add = (from: number, to: number, name = "t", key?: string) =>
  sql(eventsFrom(`select n from generate_series(${from}, ${to}) n order by n`, name, key));
const states = async () => {
  const [row] = await sql(`select count(*) filter (where delivered)::integer as delivered,
    count(*) filter (where error)::integer as error, count(*) filter (where locked is not null)::integer as locked,
    count(*)::integer as all from engine_catalog.event_log`);
  return row;
};
const deadline = { timeout: 15_000, interval: 20 };
const numbers = (hook: WebhookReceiver) => hook.received.map(({ body }): number => JSON.parse(body).event.data.new.n);

describe("Event delivery", () => {
  it("An event is delivered as documented and its response is stored", async () => {
    const hook = await receiver((response) => response.end("thanks"));
    await add(1, 1);
    await sql(`update engine_catalog.event_log set id = 'e1', created_at = '2018-09-05 07:14:21.601701', payload = payload ||
      '{"session_variables": {"x-engine-role": "admin"}, "trace_context": {"trace_id": "0123456789abcdef", "span_id": "0123456789abcdef"}}'`);
    start([trigger("t", hook.url, { retries: 3 })]);
    await expect.poll(states, deadline).toEqual({ delivered: 1, error: 0, locked: 0, all: 1 });
    const [delivery] = hook.received;
    expect(JSON.parse(delivery?.body ?? "")).toEqual({
      id: "e1",
      created_at: "2018-09-05T07:14:21.601701",
      trigger: { name: "t" },
      table: { schema: "public", name: "item" },
      event: {
        op: "INSERT",
        data: { old: null, new: { n: 1 } },
        session_variables: { "x-engine-role": "admin" },
        trace_context: { trace_id: "0123456789abcdef", span_id: "0123456789abcdef" },
      },
      delivery_info: { current_retry: 0, max_retries: 3 },
    });
    expect(delivery?.headers).toMatchObject({
      "x-b3-traceid": "0123456789abcdef",
      "user-agent": "engine-graphql-engine/v1",
    });
    const [log] = await sql(
      "select event_id, trigger_name, status, response from engine_catalog.event_invocation_logs",
    );
    expect(log).toMatchObject({
      event_id: "e1",
      trigger_name: "t",
      status: 200,
      response: { data: { body: "thanks" } },
    });
  });

  it("An event is delivered soon after its commit, and an idle instance unregisters when it stops", async () => {
    const hook = await receiver();
    const instance = start([trigger("t", hook.url)], { options: { eventsFetchIntervalMilliseconds: 20_000 } });
    await expect.poll(() => sql("select from engine_catalog.engine_instances where waiting"), deadline).toHaveLength(1);
    await sql(`${eventsFrom("select 1 as n", "t")}; select pg_notify('engine_events', '')`);
    await expect.poll(() => hook.received.length, { timeout: 2000, interval: 5 }).toBe(1);
    await instance.stop();
    expect(await sql("select from engine_catalog.engine_instances")).toEqual([]);
  });

  it("A failed event is retried according to its trigger and Retry-After and ends as an error", async () => {
    const answers = [503, 500, 500, 500];
    const hook = await receiver((response) => {
      const status = answers.shift() ?? 200;
      response.writeHead(status, status === 503 ? { "retry-after": "2" } : {}).end("no");
    });
    await add(1, 1);
    start([trigger("t", hook.url, { retries: 2 })]);
    await expect.poll(states, deadline).toMatchObject({ delivered: 0, error: 1 });
    const times = hook.received.map(({ at }) => at);
    expect(times).toHaveLength(3);
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(1990);
    expect(hook.received.map(({ body }) => JSON.parse(body).delivery_info.current_retry)).toEqual([0, 1, 2]);
    const logs = await sql("select status from engine_catalog.event_invocation_logs order by created_at");
    expect(logs).toEqual([{ status: 503 }, { status: 500 }, { status: 500 }]);
    expect(await sql("select tries from engine_catalog.event_log")).toEqual([{ tries: 3 }]);
  });

  it("An event that its transform cannot process is an error without an invocation log", async () => {
    const hook = await receiver();
    const { webhook, ...rest } = trigger("t", hook.url, { retries: 5 });
    const requestTransform = { version: 2, body: { action: "transform", template: "{{$body.none}}" } };
    await add(1, 1);
    start([{ ...rest, webhook: { ...webhook, requestTransform } }]);
    await expect.poll(states, deadline).toMatchObject({ error: 1, locked: 0 });
    expect(await sql("select from engine_catalog.event_invocation_logs")).toEqual([]);
    expect(hook.received).toEqual([]);
    expect(lines.join("")).toContain("transform_error");
  });

  it("An event of an unknown trigger stays in the queue", async () => {
    const hook = await receiver();
    await add(1, 1, "unknown");
    await add(1, 1);
    start([trigger("t", hook.url)]);
    await expect.poll(states, deadline).toEqual({ delivered: 1, error: 0, locked: 0, all: 2 });
  });

  it("Thousands of events are delivered, with log lines when the queue falls behind and recovers", async () => {
    const hook = await receiver();
    await add(1, 3000);
    start([trigger("t", hook.url)]);
    await expect.poll(states, { timeout: 30_000 }).toMatchObject({ delivered: 3000, locked: 0 });
    expect(new Set(numbers(hook)).size).toBe(3000);
    expect(hook.received).toHaveLength(3000);
    expect(lines.join("")).toContain("Events processor may not be keeping up");
    await expect.poll(() => lines.join(""), deadline).toContain("keeping up again");
  });
});

describe("Webhooks of events", () => {
  it("A dead webhook does not delay events of other webhooks", async () => {
    const dead = await receiver(() => undefined);
    const hook = await receiver();
    await add(1, 50, "dead");
    start([trigger("dead", dead.url, { timeout: 60 }), trigger("t", hook.url)]);
    await expect.poll(() => dead.received.length, deadline).toBe(16);
    for (let n = 1; n <= 20; n++) {
      const before = performance.now();
      await add(n, n);
      await sql("select pg_notify('engine_events', '')");
      await expect.poll(() => hook.received.length, { timeout: 5000, interval: 5 }).toBe(n);
      expect(performance.now() - before).toBeLessThan(1000);
    }
    expect(dead.received).toHaveLength(16);
  });

  it("A webhook can be changed without losing events in progress", async () => {
    const held: (() => void)[] = [];
    const old = await receiver((response) => void held.push(() => response.end()));
    const hook = await receiver();
    await add(1, 40);
    const instance = start([trigger("t", old.url)]);
    await expect.poll(() => old.received.length, deadline).toBe(16);
    instance.set([trigger("t", hook.url)]);
    for (const release of held) release();
    await expect.poll(states, deadline).toEqual({ delivered: 40, error: 0, locked: 0, all: 40 });
    expect([...numbers(old), ...numbers(hook)].sort((a, b) => a - b)).toEqual(
      Array.from({ length: 40 }, (_, i) => i + 1),
    );
  });
});

describe("Shutdown of event delivery", () => {
  it("A shutdown waits for events in progress and releases the others", async () => {
    const held: (() => void)[] = [];
    const hook = await receiver((response) => void held.push(() => response.end()));
    await add(1, 100);
    const instance = start([trigger("t", hook.url)]);
    await expect.poll(() => hook.received.length, deadline).toBe(16);
    const stopping = instance.stop(10_000);
    for (const release of held) release();
    await stopping;
    expect(await states()).toEqual({ delivered: 16, error: 0, locked: 0, all: 100 });
    expect(await sql("select from engine_catalog.engine_instances")).toEqual([]);
  });

  it("A shutdown does not wait longer than its timeout", async () => {
    const hook = await receiver(() => undefined);
    await add(1, 10);
    const instance = start([trigger("t", hook.url)]);
    await expect.poll(() => hook.received.length, deadline).toBe(10);
    const before = performance.now();
    await instance.stop(200);
    expect(performance.now() - before).toBeLessThan(3000);
    expect(await states()).toEqual({ delivered: 0, error: 0, locked: 0, all: 10 });
  });
});

describe("Several delivering instances", () => {
  it("Several instances deliver each event once", async () => {
    const hook = await receiver();
    await add(1, 1000);
    const triggers = [trigger("t", hook.url)];
    for (const _ of [1, 2, 3]) start(triggers);
    await expect.poll(states, { timeout: 30_000 }).toMatchObject({ delivered: 1000, locked: 0 });
    expect(hook.received).toHaveLength(1000);
  });

  it("Another instance acquires the lease of one that lost its database, which sends no further events", async () => {
    const proxy: DatabaseProxy = await startProxy(database.url);
    closers.push(() => proxy.close());
    const times = { renewal: 200, lease: 1000, staleCheck: 60_000 };
    const lost = await receiver(() => undefined);
    const hook = await receiver();
    await add(1, 60);
    start([trigger("t", lost.url, { timeout: 60 })], { url: proxy.url, lease: { times } });
    await expect.poll(() => lost.received.length, deadline).toBe(16);
    proxy.freeze();
    start([trigger("t", hook.url)], { lease: { times } });
    await expect.poll(states, { timeout: 10_000 }).toMatchObject({ delivered: 60, locked: 0 });
    expect(lost.received).toHaveLength(16);
    // The claims that the first instance receives now have expired, so it sends none of these events.
    proxy.thaw();
    await expect.poll(() => sql("select from engine_catalog.engine_instances"), deadline).toHaveLength(2);
    expect(lost.received).toHaveLength(16);
  });

  it("Delivery survives a database that closes all connections", async () => {
    const hook = await receiver();
    await add(1, 500);
    start([trigger("t", hook.url)]);
    await expect.poll(() => hook.received.length, deadline).toBeGreaterThan(50);
    await sql(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
    await expect.poll(states, { timeout: 20_000 }).toMatchObject({ delivered: 500, locked: 0 });
    expect(new Set(numbers(hook)).size).toBe(500);
  });
});

describe("The event trigger log", () => {
  it("The log contains each delivery attempt and no secrets", async () => {
    const hook = await receiver((response) => response.writeHead(400).end("bad"));
    const { webhook, ...rest } = trigger("t", `${hook.url}/{{SECRET}}`);
    const headers = [
      { name: "Authorization", value: "Bearer literal" },
      { name: "X-Env", valueFromEnv: "SECRET" },
    ];
    await add(1, 1);
    start([{ ...rest, webhook: { ...webhook, headers } }], { options: { enableTriggersErrorLogLevel: true } });
    await expect.poll(states, deadline).toMatchObject({ error: 1 });
    const line = lines.map((each) => JSON.parse(each)).find(({ type }) => type === "event-trigger");
    expect(line).toMatchObject({
      level: "error",
      detail: {
        event_name: "t",
        request: {
          url: `${hook.url}/{{SECRET}}`,
          headers: [
            { name: "Authorization", value: "<REDACTED>" },
            { name: "X-Env", value: "<from_env: SECRET>" },
          ],
          payload: { event: { op: "INSERT" } },
        },
        response: { type: "client_error", data: { message: "bad" } },
      },
    });
    expect(lines.join("")).not.toContain("do not tell");
  });

  it("The log omits payloads and responses if they are redacted", async () => {
    const hook = await receiver((response) => response.end("an answer"));
    // The value is longer than a port number, because the log contains port numbers.
    await add(47_110_815, 47_110_815);
    start([trigger("t", hook.url)], { options: { redactEventTriggerLogs: true } });
    await expect.poll(states, deadline).toMatchObject({ delivered: 1 });
    const text = lines.filter((line) => line.includes('"event-trigger"')).join("");
    expect(text).toContain('"status":200');
    expect(text).not.toContain("47110815");
    expect(text).not.toContain("an answer");
  });
});
