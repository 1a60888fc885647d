/** The events of schedules in the metadata database: created ahead, leased once, with times that the test sets. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type MetadataStore, openMetadataStore } from "../../../runtime/control/store.ts";
import type { AutomationDatabase } from "../../../runtime/jobs/delivery/database.ts";
import type { CallResult } from "../../../runtime/jobs/delivery/queue.ts";
import { serverInstances } from "../../../runtime/jobs/delivery/server-instances.ts";
import { generate, reconcile } from "../../../runtime/jobs/schedules/generator.ts";
import { ScheduleQueue } from "../../../runtime/jobs/schedules/queue.ts";
import { redeliverScheduledEvent, redeliverScheduledEvents } from "../../../runtime/jobs/schedules/redelivery.ts";
import type { CronTriggerDefinition } from "../../../runtime/model/definitions/schedules/cron-trigger.ts";
import { cleanUp, dueCleanUps } from "../../../runtime/server/parts/scheduling.ts";
import { createDatabase, query, type TestDatabase } from "../../support/database.ts";
import { naiveTimes } from "../../support/naive-cron.ts";

const [first, second] = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"] as const;

let database: TestDatabase;
let store: MetadataStore;
let now: string | null = null;
let schedules: AutomationDatabase;

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

/** Returns the ids of due events. */
async function due(count: number): Promise<readonly string[]> {
  const text = `insert into engine_catalog.engine_cron_events (trigger_name, scheduled_time, status)
    select 'due', now() - make_interval(secs => n), 'scheduled' from generate_series(1, ${count}) n returning id`;
  return (await query(database.url, text)).map(({ id }) => String(id));
}

it("Scheduled events of a lost fetch response are released and known ones are kept", async () => {
  await due(5);
  const take = (instance: string, count: number) => queueOf().take(instance, [{ lane: "due", count }], 100);
  const { calls: known } = await take(first, 2);
  await take(first, 2); // as if the result of this claim were lost
  await serverInstances(schedules).release(
    first,
    known.map(({ id }) => id),
  );
  const { calls } = await take(second, 10);
  expect(calls).toHaveLength(3);
  expect(new Set([...known, ...calls].map(({ id }) => id)).size).toBe(5);
});

describe("The cron event generator", () => {
  it("The generator creates the next hundred events and more when few are left", async () => {
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

  it("The generator creates each event once across concurrent instances", async () => {
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

  it("The generator follows changed schedules and zones, removes deleted triggers and keeps events in progress", async () => {
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

  it("The generator creates no events for a schedule that another instance has replaced", async () => {
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
  ] as const)("The generator continues after an outage: %s", async (missed, more, next) => {
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

describe("The scheduled event queue", () => {
  it("The queue returns each due event to one instance with its delay", async () => {
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

  it("The queue returns no events to a removed instance", async () => {
    now = "2026-05-01T10:00:30Z";
    await all([trigger("a", "* * * * *")]);
    now = "2026-05-01T10:02:15Z";
    const stranger = "33333333-3333-4333-8333-333333333333";
    expect((await queueOf().take(stranger, [{ lane: "a", count: 10 }], 100)).calls).toEqual([]);
  });

  it("The queue stores results only of the holder and waits before a retry", async () => {
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
    const retaken = await queueOf(["a"]).take(first, [{ lane: "a", count: 5 }], 100);
    expect(retaken.calls.map(({ tries, isBusy }) => [tries, isBusy])).toEqual([[1, false]]);
  });

  it("The queue reports that an earlier event is in progress", async () => {
    now = "2026-05-01T10:00:30Z";
    await all([trigger("a", "* * * * *")]);
    now = "2026-05-01T10:01:00Z";
    await queueOf(["a"]).take(first, [{ lane: "a", count: 1 }], 100);
    now = "2026-05-01T10:02:00Z";
    const { calls } = await queueOf(["a"]).take(second, [{ lane: "a", count: 5 }], 100);
    expect(calls.map(({ isBusy }) => isBusy)).toEqual([true]);
  });

  it("The queue releases events of silent instances", async () => {
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

describe("Redelivery of scheduled events", () => {
  const insert = (rows: string) =>
    query(
      database.url,
      `insert into engine_catalog.engine_cron_events (id, trigger_name, scheduled_time, status, tries) ${rows}`,
    );
  const states = async () =>
    Object.fromEntries(
      (await query(database.url, "select id, status from engine_catalog.engine_cron_events")).map((row) => [
        row.id,
        row.status,
      ]),
    );
  const failed = { kind: "cron", trigger: "a", statuses: ["error", "dead"] } as const;

  it("Concurrent redeliveries of all events reset each event once, and none twice during one operation", async () => {
    await insert(`select 'e' || n, 'a', '2026-05-01'::timestamptz + n * interval '1 minute',
      case n % 4 when 0 then 'error' when 1 then 'dead' when 2 then 'delivered' else 'locked' end, 3
      from generate_series(1, 4400) n`);
    // Events that end again at once, as they are reset.
    await query(
      database.url,
      `create function end_again() returns trigger language plpgsql as $$ begin new.status := 'dead'; return new; end $$;
       create trigger end_again before update on engine_catalog.engine_cron_events for each row
         when (new.redelivered_at is not null and new.id like '%00') execute function end_again()`,
    );
    const counts = await Promise.all(Array.from({ length: 4 }, () => redeliverScheduledEvents(schedules, failed)));
    await query(database.url, "drop function end_again cascade");
    const total = counts.reduce((sum, count) => sum + count, 0);
    // An operation that began after the first end of an event may reset it again.
    expect(total).toBeGreaterThanOrEqual(2200);
    expect(total).toBeLessThanOrEqual(2200 + 3 * 44);
    const text = `select status, tries, count(*)::int as count from engine_catalog.engine_cron_events group by 1, 2 order by 1`;
    expect(await query(database.url, text)).toEqual([
      { status: "dead", tries: 0, count: 44 },
      { status: "delivered", tries: 3, count: 1100 },
      { status: "locked", tries: 3, count: 1100 },
      { status: "scheduled", tries: 0, count: 2156 },
    ]);
  });

  it("Of several events of one time, only the last is redelivered, and none beside a scheduled one", async () => {
    const at = (id: string, time: string, status: string) =>
      `('${id}', 'a', '2026-05-01T${time}Z'::timestamptz, '${status}', 1)`;
    await insert(
      `values ${[
        at("1", "10:00", "error"),
        at("2", "10:00", "error"),
        at("3", "11:00", "scheduled"),
        at("4", "11:00", "dead"),
      ].join(", ")}`,
    );
    const one = (id: string) => redeliverScheduledEvent(schedules, "cron", id);
    expect([await one("1"), await one("4"), await one("3"), await one("9")]).toEqual([
      "superseded",
      "superseded",
      "scheduled",
      "not found",
    ]);
    expect(await redeliverScheduledEvents(schedules, failed)).toBe(1);
    expect(await states()).toEqual({ 1: "error", 2: "scheduled", 3: "scheduled", 4: "dead" });
    expect((await Promise.all([one("2"), one("2")])).sort()).toEqual(["scheduled", "scheduled"]);
  });

  it("Only one of several simultaneous redeliveries of an event succeeds", async () => {
    await insert("values ('1', 'a', '2026-05-01T10:00Z'::timestamptz, 'error', 4)");
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, () => redeliverScheduledEvent(schedules, "cron", "1")),
    );
    expect(outcomes.filter((outcome) => outcome === "done")).toHaveLength(1);
    expect(outcomes.every((outcome) => ["done", "busy", "scheduled"].includes(outcome))).toBe(true);
    const { calls } = await queueOf(["a"]).take(first, [{ lane: "a", count: 5 }], 100);
    expect(calls.map(({ tries, isRedelivered }) => [tries, isRedelivered])).toEqual([[0, true]]);
    expect(await redeliverScheduledEvent(schedules, "cron", "1")).toBe("busy");
  });
});

describe("Clean-up of scheduled events", () => {
  const cleanup = {
    schedule: "0 3 * * *",
    clearOlderThanHours: 24,
    batchSize: 2,
    timeoutSeconds: 60,
    cleanInvocationLogs: true,
    paused: false,
  };
  const due = (plans: readonly CronTriggerDefinition[], from: string, to: string) =>
    dueCleanUps(plans, { since: new Date(from), now: new Date(to) }).map(({ lane }) => lane);

  it("A clean-up is due once its time has passed, unless it is paused", () => {
    const plans = [
      trigger("a", "* * * * *", { cleanup }),
      trigger("b", "* * * * *", { cleanup: { ...cleanup, paused: true } }),
      trigger("c", "* * * * *"),
    ];
    expect(due(plans, "2026-05-02T02:59:30Z", "2026-05-02T03:00:30Z")).toEqual(["a"]);
    expect(due(plans, "2026-05-02T03:00:30Z", "2026-05-02T03:01:30Z")).toEqual([]);
  });

  it("A clean-up deletes old completed events of its trigger with their invocations in batches", async () => {
    now = "2026-05-01T10:00:30Z";
    await all([trigger("a", "0 * * * *"), trigger("b", "0 * * * *")]);
    now = "2026-05-03T10:30:00Z";
    const queue = queueOf();
    const { calls } = await queue.take(
      first,
      [
        { lane: "a", count: 40 },
        { lane: "b", count: 1 },
      ],
      100,
    );
    const log = { status: 200, request: "{}", response: "{}" };
    const states = ["delivered", "error", "dead"] as const;
    await queue.finish(
      calls.map(({ id, lane }, n) => ({ id, lane, instance: first, state: states[n % 3] ?? "dead", log })),
    );
    const ended = () =>
      query(
        database.url,
        "select trigger_name, count(*)::int as count from engine_catalog.engine_cron_events where status <> 'scheduled' group by 1 order by 1",
      );
    expect(await ended()).toEqual([
      { trigger_name: "a", count: 40 },
      { trigger_name: "b", count: 1 },
    ]);
    expect(await cleanUp(schedules, { kind: "cron", lane: "a", olderThanHours: 24, batchSize: 2 })).toBe(24);
    expect(await ended()).toEqual([
      { trigger_name: "a", count: 16 },
      { trigger_name: "b", count: 1 },
    ]);
    expect(
      await query(database.url, "select count(*)::int as count from engine_catalog.engine_cron_event_invocation_logs"),
    ).toEqual([{ count: 17 }]);
  });
});

describe("A year of schedules", () => {
  it("Each scheduled time runs once as a naive evaluator predicts, through clock changes, restarts and a changed schedule", async () => {
    const [start, change, end] = ["2026-01-01T00:00:00Z", "2026-07-19T06:00:00Z", "2027-01-01T00:00:00Z"] as const;
    const plans: readonly (readonly [cron: string, timezone: string])[] = [
      ["0 * * * *", "UTC"],
      ["30 2 * * *", "Europe/Berlin"],
      ["30 1 * * *", "America/New_York"],
      ["15 */4 * * *", "Australia/Lord_Howe"],
      ["0 0 1 * *", "Asia/Kolkata"],
      ["0 12 13 * 5", "UTC"],
      ["45 23 * * sun", "Europe/Berlin"],
      ["0 0 29 2 *", "UTC"],
      ["5/25 3 * 3,10 *", "Europe/Berlin"],
      ["0 0,12 */3 * *", "Africa/Cairo"],
    ];
    const made = plans.map(([cron, timezone], n) => trigger(`plan ${n}`, cron, { timezone }));
    const changed = made.map((each, n) =>
      n === 1 ? trigger(each.name, "15 */3 * * *", { timezone: "America/New_York" }) : each,
    );
    const ran = new Map(made.map(({ name }) => [name, [] as string[]]));
    const takeAll = async (): Promise<void> => {
      // Each restart creates a new queue.
      const queue = queueOf();
      const shares = made.map(({ name }) => ({ lane: name, count: 50 }));
      for (;;) {
        const { calls } = await queue.take(first, shares, 500);
        if (calls.length === 0) return;
        for (const { lane, scheduledTime } of calls) ran.get(lane)?.push(scheduledTime.toISOString());
        await queue.finish(calls.map(({ id, lane }) => ({ id, lane, instance: first, state: "delivered" })));
      }
    };
    now = start;
    await all(made);
    for (let time = Date.parse(start); time < Date.parse(end); time += 12 * 3_600_000) {
      now = new Date(time).toISOString();
      const current = time < Date.parse(change) ? made : changed;
      await takeAll();
      if (current === changed && time - 12 * 3_600_000 < Date.parse(change)) await all(changed);
      else await generate(schedules, current);
    }
    now = end;
    await takeAll();
    const turn = new Date(
      Math.ceil((Date.parse(change) - Date.parse(start)) / 43_200_000) * 43_200_000 + Date.parse(start),
    );
    const naive = (plan: CronTriggerDefinition, from: Date, to: Date): readonly string[] =>
      naiveTimes({ cron: plain(plan.schedule), timezone: plan.timezone }, from, to).map((time) => time.toISOString());
    for (const [n, before] of made.entries()) {
      const after = changed[n] ?? before;
      const times = [...naive(before, new Date(start), turn), ...naive(after, turn, new Date(end))];
      expect([before.name, ran.get(before.name)?.sort()]).toEqual([before.name, times]);
    }
  }, 120_000);

  /** Converts a schedule to the syntax of the reference implementation. */
  const plain = (schedule: string): string => schedule.replace("sun", "0").replace("5/25", "5,30,55");
});
