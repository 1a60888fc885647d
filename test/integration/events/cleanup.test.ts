/** The clean-up of events by schedule, on a real source. Times are set, not waited for. */
import pg from "pg";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type CleanedSource,
  type DueCleanup,
  runDueCleanups,
  scheduleCleanups,
  startCleanups,
} from "../../../runtime/jobs/events/cleanup-loop.ts";
import { eventSource } from "../../../runtime/jobs/events/event-source.ts";
import type { EngineError } from "../../../runtime/values/errors.ts";
import { query } from "../../support/database.ts";
import { addEvent, makeEventTables } from "../../support/event-tables.ts";
import { database, open, useDatabase } from "../../support/postgres-source.ts";

useDatabase();

beforeAll(() => makeEventTables(database.url));

beforeEach(async () => {
  const tables = ["event_log", "event_invocation_logs", "engine_event_log_cleanups"];
  await query(database.url, `truncate ${tables.map((table) => `engine_catalog.${table}`).join(", ")}`);
});

const source = () => eventSource("postgres", open());
const runs = (columns = "status, deleted_event_logs, deleted_event_invocation_logs") =>
  query(database.url, `select ${columns} from engine_catalog.engine_event_log_cleanups order by scheduled_at`);
const events = async () => (await query(database.url, "select 1 from engine_catalog.event_log")).length;

async function addRun(at: string, trigger = "changed"): Promise<void> {
  const insert = "insert into engine_catalog.engine_event_log_cleanups (trigger_name, scheduled_at, status)";
  await query(database.url, `${insert} values ($1, (now() at time zone 'utc') + $2::interval, 'scheduled')`, [
    trigger,
    at,
  ]);
}

async function addOldEvents(count: number, set = "delivered"): Promise<void> {
  await query(
    database.url,
    `insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload, ${set}, created_at)
     select 'public', 'item', 'changed', '{}', true, (now() at time zone 'utc') - interval '25 hours'
     from generate_series(1, $1)`,
    [count],
  );
}

const cleanup: DueCleanup = {
  trigger: "changed",
  olderThanHours: 24,
  batchSize: 10,
  timeoutSeconds: 60,
  withInvocations: false,
  paused: false,
};

async function run(due: Partial<DueCleanup> = {}, isStopped = () => false): Promise<readonly string[]> {
  const failures: string[] = [];
  const failed = (trigger: string, error: EngineError) => void failures.push(`${trigger}: ${error.message}`);
  await runDueCleanups(source(), [{ ...cleanup, ...due }], { failed, isStopped });
  return failures;
}

describe("Scheduled clean-ups", () => {
  const future = async () => {
    const rows = await query(
      database.url,
      `select to_char(scheduled_at, 'HH24:MI:SS') as at, scheduled_at > (now() at time zone 'utc') as ahead
       from engine_catalog.engine_event_log_cleanups where status = 'scheduled' order by scheduled_at`,
    );
    return rows;
  };

  it("Fifty runs are scheduled if fewer than five are left", async () => {
    await scheduleCleanups(source(), [{ trigger: "changed", schedule: "0 * * * *" }]);
    const rows = await future();
    expect(rows).toHaveLength(50);
    expect(rows.every(({ at, ahead }) => String(at).endsWith(":00:00") && ahead === true)).toBe(true);
    await query(
      database.url,
      `delete from engine_catalog.engine_event_log_cleanups where scheduled_at not in
         (select scheduled_at from engine_catalog.engine_event_log_cleanups order by scheduled_at limit 5)`,
    );
    await scheduleCleanups(source(), [{ trigger: "changed", schedule: "0 * * * *" }]);
    expect(await future()).toHaveLength(5);
    await query(
      database.url,
      `delete from engine_catalog.engine_event_log_cleanups where scheduled_at =
         (select max(scheduled_at) from engine_catalog.engine_event_log_cleanups)`,
    );
    await scheduleCleanups(source(), [{ trigger: "changed", schedule: "0 * * * *" }]);
    expect(await future()).toHaveLength(54);
  });

  it("A changed schedule replaces the scheduled runs", async () => {
    await scheduleCleanups(source(), [{ trigger: "changed", schedule: "0 * * * *" }]);
    await scheduleCleanups(source(), [{ trigger: "changed", schedule: "30 * * * *" }]);
    const rows = await future();
    expect(rows).toHaveLength(50);
    expect(rows.every(({ at }) => String(at).endsWith(":30:00"))).toBe(true);
  });

  it("Concurrent instances schedule the runs once", async () => {
    const cleanups = [{ trigger: "changed", schedule: "*/5 * * * *" }];
    await Promise.all(Array.from({ length: 5 }, () => scheduleCleanups(source(), cleanups)));
    expect(await future()).toHaveLength(50);
  });

  it("Scheduled runs of other triggers are kept", async () => {
    await scheduleCleanups(source(), [{ trigger: "other", schedule: "0 * * * *" }]);
    await scheduleCleanups(source(), [{ trigger: "changed", schedule: "0 * * * *" }]);
    expect(await future()).toHaveLength(100);
  });
});

describe("Due clean-ups", () => {
  it("A clean-up deletes old completed events in batches and counts them", async () => {
    await addOldEvents(25);
    await addOldEvents(8, "error");
    await addOldEvents(3, "archived");
    await addEvent(database.url);
    await addEvent(database.url, { set: "delivered = true" });
    await addRun("-1 minute");
    await addRun("1 minute");
    expect(await run()).toEqual([]);
    expect(await runs()).toEqual([
      { status: "completed", deleted_event_logs: 33, deleted_event_invocation_logs: 0 },
      { status: "scheduled", deleted_event_logs: null, deleted_event_invocation_logs: null },
    ]);
    expect(await events()).toBe(5);
  });

  it("A clean-up deletes invocation logs if it is configured to", async () => {
    const id = await addEvent(database.url, { set: "delivered = true, created_at = '2020-01-01'" });
    const log = "insert into engine_catalog.event_invocation_logs (trigger_name, event_id) values ('changed', $1)";
    await query(database.url, log, [id]);
    await query(database.url, log, [id]);
    await addRun("-1 minute");
    await run({ withInvocations: true });
    expect(await runs()).toEqual([{ status: "completed", deleted_event_logs: 1, deleted_event_invocation_logs: 2 }]);
  });

  it("A clean-up runs only the latest due run and marks older ones dead", async () => {
    await addRun("-3 hours");
    await addRun("-2 hours");
    await addRun("-1 hour");
    await addRun("-2 hours", "other");
    await run();
    expect((await runs("trigger_name, status")).map(({ trigger_name, status }) => `${trigger_name} ${status}`)).toEqual(
      expect.arrayContaining(["changed dead", "changed dead", "changed completed", "other scheduled"]),
    );
  });

  it("A paused clean-up deletes no events", async () => {
    await addOldEvents(3);
    await addRun("-2 hours");
    await addRun("-1 hour");
    await run({ paused: true });
    expect(await runs("status")).toEqual([{ status: "dead" }, { status: "paused" }]);
    expect(await events()).toBe(3);
    await run();
    expect(await events()).toBe(3);
  });

  it("A failing clean-up is marked dead and keeps its earlier deletions", async () => {
    await addOldEvents(15);
    await query(
      database.url,
      `create function refuse() returns trigger language plpgsql as $$ begin
         if (select count(*) from engine_catalog.event_log) <= 5 then raise exception 'no more'; end if;
         return null; end $$;
       create trigger refuse before delete on engine_catalog.event_log execute function refuse()`,
    );
    try {
      await addRun("-1 minute");
      const failures = await run();
      expect(failures).toHaveLength(1);
      expect(failures[0]).toMatch(/^changed: /);
      expect(await runs("status, deleted_event_logs")).toEqual([{ status: "dead", deleted_event_logs: 10 }]);
      expect(await events()).toBe(5);
    } finally {
      await query(database.url, "drop function refuse cascade");
    }
  });

  it("A clean-up whose statement times out is marked dead", async () => {
    await addOldEvents(1);
    await query(
      database.url,
      `create function dawdle() returns trigger language plpgsql as $$ begin perform pg_sleep(60); return null; end $$;
       create trigger dawdle before delete on engine_catalog.event_log execute function dawdle()`,
    );
    try {
      await addRun("-1 minute");
      expect(await run({ timeoutSeconds: 1 })).toHaveLength(1);
      expect(await runs("status")).toEqual([{ status: "dead" }]);
      expect(await events()).toBe(1);
    } finally {
      await query(database.url, "drop function dawdle cascade");
    }
  });

  it("Instances share a clean-up and delete and count each event once", async () => {
    await addOldEvents(500);
    await addRun("-1 minute");
    await Promise.all(Array.from({ length: 4 }, () => run()));
    expect(await runs("status, deleted_event_logs")).toEqual([{ status: "completed", deleted_event_logs: 500 }]);
    expect(await events()).toBe(0);
  });

  it("A stopping instance leaves its clean-up to other instances", async () => {
    await addOldEvents(25);
    await addRun("-1 minute");
    let checks = 0;
    // The check runs once before the clean-up, then before each batch.
    await run({}, () => ++checks > 2);
    expect(await runs("status, deleted_event_logs")).toEqual([{ status: "scheduled", deleted_event_logs: 10 }]);
    await run();
    expect(await runs("status, deleted_event_logs")).toEqual([{ status: "completed", deleted_event_logs: 25 }]);
  });

  it("A batch continues from the time of the last deleted event", async () => {
    await addOldEvents(15);
    const oldest = "(now() at time zone 'utc') - interval '30 hours'";
    await query(
      database.url,
      `update engine_catalog.event_log set created_at = ${oldest} where id in
      (select id from engine_catalog.event_log limit 10)`,
    );
    const { deleteEvents } = source().cleanup;
    const [first] = await source().database.executeAlone({}, { text: deleteEvents }, ["changed", "24", "10", null]);
    expect(first).toEqual(["10", "0", expect.any(String)]);
    await query(
      database.url,
      `update engine_catalog.event_log set created_at = ${oldest} - interval '1 hour' where id in
      (select id from engine_catalog.event_log limit 2)`,
    );
    const values = ["changed", "24", "10", first?.[2] ?? null];
    const [second] = await source().database.executeAlone({}, { text: deleteEvents }, values);
    expect(second).toEqual(["3", "0", expect.any(String)]);
  });

  it("A clean-up neither waits for locked rows nor blocks the fetching of events", async () => {
    await addOldEvents(5);
    const pending = await addEvent(database.url);
    await addRun("-1 minute");
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    try {
      await holder.query("begin");
      const held = "select id from engine_catalog.event_log where delivered limit 2 for update";
      expect((await holder.query(held)).rows).toHaveLength(2);
      await run();
      expect(await runs("status, deleted_event_logs")).toEqual([{ status: "completed", deleted_event_logs: 3 }]);
      // An uncommitted batch does not lock the pending event.
      await holder.query(source().cleanup.deleteEvents, ["changed", "0", "10", null]);
      await query(
        database.url,
        "set lock_timeout = '2s'; update engine_catalog.event_log set locked = now() where not delivered",
      );
      await holder.query("rollback");
    } finally {
      await holder.end();
    }
    const [row] = await query(
      database.url,
      "select locked is not null as taken from engine_catalog.event_log where id = $1",
      [pending],
    );
    expect(row).toEqual({ taken: true });
  });
});

describe("The clean-up loop", () => {
  it("The clean-up loop schedules and runs clean-ups and follows metadata changes", async () => {
    await addOldEvents(15);
    await addRun("-1 minute");
    const definition = (schedule: string, paused: boolean): CleanedSource["triggers"][number] => ({
      source: "default",
      name: "changed",
      table: { schema: "public", name: "item" },
      manual: true,
      webhook: {
        url: { template: "http://127.0.0.1:9/" },
        headers: [],
        retry: { retries: 0, intervalSeconds: 10, timeoutSeconds: 60 },
      },
      cleanup: {
        schedule,
        clearOlderThanHours: 24,
        batchSize: 10,
        timeoutSeconds: 60,
        cleanInvocationLogs: false,
        paused,
      },
      recorders: [],
    });
    let triggers = [definition("0 * * * *", false)];
    const lines: unknown[] = [];
    const record = (detail: unknown) => void lines.push(detail);
    const log = { warn: (_type: string, detail: unknown) => record(detail) };
    const events = source();
    const loop = startCleanups({
      sources: () => [{ name: "default", events, triggers }],
      log,
      reportBug: record,
      intervalMilliseconds: 20,
    });
    const until = (found: () => Promise<boolean>) => expect.poll(found, { timeout: 10_000, interval: 50 }).toBe(true);
    const has = async (condition: string) =>
      (await query(database.url, `select 1 from engine_catalog.engine_event_log_cleanups where ${condition}`)).length;
    try {
      await until(async () => (await has("status = 'completed' and deleted_event_logs = 15")) === 1);
      await until(async () => (await has("status = 'scheduled' and extract(minute from scheduled_at) = 0")) === 50);
      triggers = [definition("30 * * * *", true)];
      await until(async () => (await has("status = 'scheduled' and extract(minute from scheduled_at) = 30")) === 50);
      expect(await has("status = 'scheduled' and extract(minute from scheduled_at) = 0")).toBe(0);
      await addRun("-1 second");
      await until(async () => (await has("status = 'paused'")) === 1);
    } finally {
      await loop.stop();
    }
    expect(lines).toEqual([]);
  });
});
