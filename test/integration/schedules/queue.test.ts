/** The events of schedules in the metadata database: made ahead, taken once, with times that the test gives. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CallResult } from "../../../runtime/automation/queue.ts";
import { type MetadataStore, openMetadataStore } from "../../../runtime/control/store.ts";
import type { CronTriggerDefinition } from "../../../runtime/definitions/schedules/cron-trigger.ts";
import type { ScheduleDatabase } from "../../../runtime/schedules/database.ts";
import { generate, reconcile } from "../../../runtime/schedules/generator.ts";
import { ScheduleQueue, serverInstances } from "../../../runtime/schedules/queue.ts";
import { createDatabase, query, type TestDatabase } from "../../support/database.ts";

const [first, second] = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"] as const;

let database: TestDatabase;
let store: MetadataStore;
let now: string | null = null;
let schedules: ScheduleDatabase;

beforeAll(async () => {
  database = await createDatabase("schedules");
  store = await openMetadataStore(database.url, first, { retries: 0 });
  schedules = { query: (text, values) => store.query(text, values), time: () => now };
  for (const instance of [first, second]) await serverInstances(schedules).enter(instance);
});

afterAll(async () => {
  await store?.close();
  await database?.drop();
});

beforeEach(async () => {
  now = null;
  await query(
    database.url,
    "truncate engine_catalog.engine_cron_events cascade; truncate engine_catalog.engine_cron_schedules",
  );
});

function trigger(name: string, schedule: string, more: Partial<CronTriggerDefinition> = {}): CronTriggerDefinition {
  const retry = { retries: 0, intervalSeconds: 10, timeoutSeconds: 60 };
  return {
    name,
    schedule,
    timezone: "UTC",
    payload: "null",
    webhook: { url: { template: "http://127.0.0.1" }, headers: [], retry },
    toleranceSeconds: 21_600,
    missed: "tolerance",
    overlap: "allow",
    ...more,
  };
}

const all = (triggers: readonly CronTriggerDefinition[]) =>
  reconcile(
    schedules,
    triggers.map(({ name }) => name),
    triggers,
  );

async function times(name: string): Promise<readonly string[]> {
  const text = "select scheduled_time from engine_catalog.engine_cron_events where trigger_name = $1 order by 1";
  return (await query(database.url, text, [name])).map((row) => (row.scheduled_time as Date).toISOString());
}

const queueOf = (single: readonly string[] = []) =>
  new ScheduleQueue({ kind: "cron", database: schedules, instances: serverInstances(schedules), single: () => single });

describe("the generator", () => {
  it("makes the next hundred times, and more when fewer are left", async () => {
    now = "2026-05-01T10:00:30Z";
    const minutely = trigger("minutely", "* * * * *");
    await all([minutely]);
    expect(await times("minutely")).toHaveLength(100);
    expect((await times("minutely"))[0]).toBe("2026-05-01T10:01:00.000Z");
    await generate(schedules, [minutely]);
    expect(await times("minutely")).toHaveLength(100);
    await query(
      database.url,
      "update engine_catalog.engine_cron_events set status = 'delivered' where scheduled_time < '2026-05-01T10:05Z'",
    );
    await generate(schedules, [minutely]);
    const made = await times("minutely");
    expect([made.length, new Set(made).size]).toEqual([200, 200]);
  });

  it("makes each time once, although several instances make them and some are delivered meanwhile", async () => {
    now = "2026-05-01T10:00:30Z";
    const minutely = trigger("minutely", "* * * * *");
    await all([minutely]);
    const delivering = query(
      database.url,
      "update engine_catalog.engine_cron_events set status = 'delivered' where scheduled_time < '2026-05-01T11:00Z'",
    );
    await Promise.all([delivering, ...Array.from({ length: 8 }, () => generate(schedules, [minutely]))]);
    await Promise.all(Array.from({ length: 8 }, () => generate(schedules, [minutely])));
    const made = await times("minutely");
    expect(new Set(made).size).toBe(made.length);
  });

  it("follows a changed schedule and zone, forgets triggers that are gone, and leaves what is being delivered", async () => {
    now = "2026-05-01T10:00:30Z";
    await all([trigger("a", "* * * * *"), trigger("b", "0 * * * *")]);
    await query(
      database.url,
      "update engine_catalog.engine_cron_events set status = 'locked' where trigger_name = 'a' and scheduled_time = '2026-05-01T10:01Z'",
    );
    await all([trigger("a", "30 12 * * *", { timezone: "Asia/Tokyo" })]);
    expect((await times("a")).slice(0, 2)).toEqual(["2026-05-01T10:01:00.000Z", "2026-05-02T03:30:00.000Z"]);
    expect(await times("b")).toEqual([]);
  });

  it("makes nothing by a schedule that another instance has replaced", async () => {
    now = "2026-05-01T10:00:30Z";
    await all([trigger("a", "0 12 * * *")]);
    await query(database.url, "delete from engine_catalog.engine_cron_events");
    await generate(schedules, [trigger("a", "* * * * *")]);
    expect(await times("a")).toEqual([]);
  });

  it.each([
    ["tolerance", { toleranceSeconds: 1800 }, "2026-05-02T11:45:00.000Z"],
    ["run_latest", {}, "2026-05-02T12:00:00.000Z"],
    ["skip", {}, "2026-05-02T12:15:00.000Z"],
    ["run_all", {}, "2026-05-01T10:15:00.000Z"],
  ] as const)("goes on after an outage: %s", async (missed, more, next) => {
    now = "2026-05-01T09:50:00Z";
    const quarterly = trigger("a", "*/15 * * * *", { missed, ...more });
    await all([quarterly]);
    await query(
      database.url,
      "delete from engine_catalog.engine_cron_events where scheduled_time > '2026-05-01T10:00Z'",
    );
    now = "2026-05-02T12:10:00Z";
    await generate(schedules, [quarterly]);
    expect((await times("a"))[1]).toBe(next);
  });
});

describe("the queue", () => {
  it("gives each due event to one instance, with how late it is", async () => {
    now = "2026-05-01T10:00:30Z";
    await all([trigger("a", "* * * * *"), trigger("b", "* * * * *")]);
    now = "2026-05-01T10:02:15Z";
    const shares = [
      { lane: "a", count: 10 },
      { lane: "b", count: 1 },
    ];
    const taken = await Promise.all([first, second].map((instance) => queueOf().take(instance, shares, 100)));
    const calls = taken.flatMap((each) => each.calls);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length);
    expect(
      calls
        .filter(({ lane }) => lane === "a")
        .map(({ lateSeconds }) => lateSeconds)
        .sort(),
    ).toEqual([15, 75]);
    expect(calls.filter(({ isLatest }) => !isLatest).every(({ lateSeconds }) => lateSeconds === 75)).toBe(true);
    await queueOf().instances.leave([first, second]);
    for (const instance of [first, second]) await queueOf().instances.enter(instance);
    expect((await queueOf().take(first, shares, 100)).calls).toHaveLength(3);
  });

  it("gives nothing to an instance that others have removed", async () => {
    now = "2026-05-01T10:00:30Z";
    await all([trigger("a", "* * * * *")]);
    now = "2026-05-01T10:02:15Z";
    const stranger = "33333333-3333-4333-8333-333333333333";
    expect((await queueOf().take(stranger, [{ lane: "a", count: 10 }], 100)).calls).toEqual([]);
  });

  it("stores results of those that still hold an event, and waits before the next attempt", async () => {
    now = "2026-05-01T10:00:30Z";
    await all([trigger("a", "* * * * *")]);
    now = "2026-05-01T10:01:00Z";
    const queue = queueOf();
    const { calls } = await queue.take(first, [{ lane: "a", count: 1 }], 100);
    const [call] = calls;
    const log = { status: 503, request: "{}", response: "{}" };
    const result: CallResult = { id: call?.id ?? "", lane: "a", instance: first, state: "retry", waitSeconds: 20, log };
    await queue.finish([{ ...result, instance: second }]);
    await queue.finish([result]);
    await queue.finish([{ ...result, state: "delivered" }]);
    const rows = await query(
      database.url,
      "select status, tries, next_retry_at from engine_catalog.engine_cron_events where id = $1",
      [call?.id],
    );
    expect(rows).toEqual([{ status: "scheduled", tries: 1, next_retry_at: new Date("2026-05-01T10:01:20Z") }]);
    const logs = await query(database.url, "select status from engine_catalog.engine_cron_event_invocation_logs");
    expect(logs).toEqual([{ status: 503 }]);
    expect(await queue.wait(first, ["a"])).toBe(20);
    now = "2026-05-01T10:01:20Z";
    const again = await queueOf(["a"]).take(first, [{ lane: "a", count: 5 }], 100);
    expect(again.calls.map(({ tries, isBusy }) => [tries, isBusy])).toEqual([[1, false]]);
  });

  it("tells that an earlier one has not ended", async () => {
    now = "2026-05-01T10:00:30Z";
    await all([trigger("a", "* * * * *")]);
    now = "2026-05-01T10:01:00Z";
    await queueOf(["a"]).take(first, [{ lane: "a", count: 1 }], 100);
    now = "2026-05-01T10:02:00Z";
    const { calls } = await queueOf(["a"]).take(second, [{ lane: "a", count: 5 }], 100);
    expect(calls.map(({ isBusy }) => isBusy)).toEqual([true]);
  });

  it("frees what silent instances hold", async () => {
    now = "2026-05-01T10:00:30Z";
    await all([trigger("a", "* * * * *")]);
    now = "2026-05-01T10:01:00Z";
    await queueOf().take(second, [{ lane: "a", count: 1 }], 100);
    await query(
      database.url,
      "update engine_catalog.engine_server_instances set seen_at = now() - interval '10 s' where id = $1",
      [second],
    );
    const { instances } = queueOf();
    expect(await instances.expel(first, 5)).toBe(1);
    expect(await instances.renew(second)).toBe(false);
    expect((await queueOf().take(first, [{ lane: "a", count: 1 }], 100)).calls).toHaveLength(1);
    await instances.enter(second);
  });
});
