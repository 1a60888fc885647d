/** The queue of events in PostgreSQL: leases and clean-up (`docs/how-to/event-triggers.md`). */
import { randomUUID } from "node:crypto";
import pg from "pg";
import { describe, expect, it } from "vitest";
import type { QueuedEvent } from "../../runtime/jobs/events/queue.ts";
import {
  add,
  database,
  log,
  me,
  newQueue,
  numbers,
  queue,
  result,
  sql,
  take,
  useEventQueue,
} from "../support/event-queue.ts";
import { eventsFrom } from "../support/event-source.ts";
import { packFrom } from "../support/event-tables.ts";

useEventQueue();

describe("Packed events in the queue", () => {
  it("Packed events are unpacked by the next fetch with their original time", async () => {
    await sql(packFrom(1, 5, "t"));
    const [{ at } = {}] = await sql("select to_json(created_at) #>> '{}' as at from engine_catalog.packed_events");
    await add(2);
    expect(await queue.backlog(["t", "other"], 100)).toMatchObject([
      { trigger: "t", waiting: 7 },
      { trigger: "other", waiting: 0 },
    ]);
    await sql("truncate engine_catalog.event_log");
    const first = await take({ t: 10, other: 1 });
    expect(first.calls).toEqual([]);
    expect(first.unfinished).toEqual(new Set(["t", "other"]));
    const { calls, unfinished } = await take({ t: 10 });
    expect(numbers(calls)).toEqual([1, 2, 3, 4, 5]);
    expect(new Set(calls.map(({ createdAt }) => createdAt))).toEqual(new Set([at]));
    expect(calls[0]?.table).toEqual({ schema: "public", name: "item" });
    expect(JSON.parse(calls[0]?.payload ?? "").data.old).toBe(null);
    expect(unfinished).toEqual(new Set());
  });

  it("Packed events are unpacked once across instances, in turn for each trigger", async () => {
    for (let pack = 0; pack < 30; pack++) await sql(packFrom(pack * 10 + 1, pack * 10 + 10, "many"));
    await sql(packFrom(1, 1, "few"));
    await take({ few: 1 });
    expect((await take({ few: 1 })).calls).toHaveLength(1);
    const seen: QueuedEvent[] = [];
    await Promise.all(
      [1, 2, 3].map(async () => {
        const [instance, another] = [randomUUID(), newQueue()];
        await another.instances.enter(instance);
        for (const end = Date.now() + 20_000; seen.length < 300 && Date.now() < end; ) {
          seen.push(...(await another.take(instance, [{ lane: "many", count: 50 }], 1000)).calls);
        }
      }),
    );
    expect(numbers(seen)).toEqual(Array.from({ length: 300 }, (_, n) => n + 1));
  });

  it("A pack that cannot be unpacked delays no other events", async () => {
    await sql(packFrom(1, 2, "broken"));
    await sql("update engine_catalog.packed_events set column_names = '{}'");
    await sql(packFrom(1, 3, "t"));
    await take({ t: 10 });
    expect((await take({ t: 10 })).calls).toHaveLength(3);
    await take({ t: 10 });
    // The events of the broken pack are retried, but not immediately.
    expect((await take({ t: 10 })).unfinished).toEqual(new Set());
    expect(await sql("select trigger_name as name from engine_catalog.packed_events")).toEqual([{ name: "broken" }]);
  });
});

describe("Fetching events", () => {
  it("A fetch returns each trigger's share and no event twice", async () => {
    await add(10, "a");
    await add(10, "b");
    const first = await take({ a: 3, b: 20, unknown: 5 });
    expect(first.calls.filter(({ lane }) => lane === "a")).toHaveLength(3);
    expect(first.calls.filter(({ lane }) => lane === "b")).toHaveLength(10);
    const other = randomUUID();
    await queue.instances.enter(other);
    const second = await take({ a: 20, b: 20 }, other);
    expect(second.calls).toHaveLength(7);
    const ids = [...first.calls, ...second.calls].map(({ id }) => id);
    expect(new Set(ids).size).toBe(20);
  });

  it("A fetch returns at most the total number of requested events", async () => {
    await add(10);
    expect((await take({ t: 10 }, me, 4)).calls).toHaveLength(4);
  });

  it("A fetch returns no events to a removed instance", async () => {
    await add(1);
    expect((await take({ t: 1 }, randomUUID())).calls).toEqual([]);
  });

  it("A fetch returns events with their stored values", async () => {
    await sql(`insert into engine_catalog.event_log (id, schema_name, table_name, trigger_name, payload, created_at, tries)
      values ('e', 's', 'T"x', 't', '{"op":"INSERT","data":{"new":{"n":12345678901234567890.50}},"trace_context":{"trace_id":"1"}}',
        '2018-09-05 07:14:21.601701', 2)`);
    expect((await take({ t: 1 })).calls).toEqual([
      {
        id: "e",
        takenAt: expect.any(Number),
        ageSeconds: expect.any(Number),
        lane: "t",
        instance: me,
        tries: 2,
        table: { schema: "s", name: 'T"x' },
        payload:
          '{"op": "INSERT", "data": {"new": {"n": 12345678901234567890.50}}, "trace_context": {"trace_id": "1"}}',
        createdAt: "2018-09-05T07:14:21.601701",
        traceContext: '{"trace_id": "1"}',
      },
    ]);
  });

  it("A fetch skips delivered, failed, archived and future events", async () => {
    await add(6);
    await sql(`with n as (select id, row_number() over () as i from engine_catalog.event_log)
      update engine_catalog.event_log l set delivered = i = 1, error = i = 2, archived = i = 3,
        next_retry_at = case i when 4 then now() at time zone 'utc' + interval '1 hour' when 5 then '2000-01-01' end
      from n where n.id = l.id`);
    expect((await take({ t: 10 })).calls).toHaveLength(2);
  });
});

describe("Event results", () => {
  const rowsOf = () =>
    sql("select delivered, error, tries, locked, next_retry_at is not null as waits from engine_catalog.event_log");

  it("Event results are stored with their logs and all digits", async () => {
    await add(1);
    const { calls } = await take({ t: 1 });
    await queue.finish(calls.map((call) => result(call)));
    expect(await rowsOf()).toEqual([{ delivered: true, error: false, tries: 1, locked: null, waits: false }]);
    const logs = await sql(
      "select trigger_name, status, request::text, response::text from engine_catalog.event_invocation_logs",
    );
    expect(logs).toEqual([{ trigger_name: "t", ...log }]);
  });

  it("Event results may be written twice, and only by the holder of the event", async () => {
    await add(1);
    const { calls } = await take({ t: 1 });
    await queue.finish(calls.map((call) => result({ ...call, instance: randomUUID() })));
    expect(await rowsOf()).toMatchObject([{ delivered: false, tries: 0 }]);
    for (const _ of [1, 2]) await queue.finish(calls.map((call) => result(call)));
    expect(await rowsOf()).toMatchObject([{ delivered: true, tries: 1 }]);
    expect(await sql("select from engine_catalog.event_invocation_logs")).toHaveLength(1);
  });

  it("Event results may schedule a retry or end the event", async () => {
    await add(3);
    const [retried, failed, free] = (await take({ t: 3 })).calls;
    if (!retried || !failed || !free) throw new Error("three events");
    await queue.finish([
      result(retried, { state: "retry", waitSeconds: 1.5 }),
      result(failed, { state: "error" }),
      { id: free.id, lane: "t", instance: me, state: "free" },
    ]);
    expect((await take({ t: 3 })).calls.map(({ id }) => id)).toEqual([free.id]);
    const due = await queue.wait(me, ["t", "other"]);
    expect(due).toBeGreaterThan(0.5);
    expect(due).toBeLessThanOrEqual(1.5);
    await expect
      .poll(async () => (await take({ t: 3 })).calls, { timeout: 5000 })
      .toMatchObject([{ id: retried.id, tries: 1 }]);
  });
});

describe("Instances of the event queue", () => {
  it("An unresponsive instance loses its events", async () => {
    await add(2);
    const { calls } = await take({ t: 2 });
    const other = randomUUID();
    await queue.instances.enter(other);
    expect(await queue.instances.expel(other, 5)).toBe(0);
    await sql(`update engine_catalog.engine_instances set seen_at = seen_at - interval '6 s' where id = '${me}'`);
    expect(await queue.instances.expel(other, 5)).toBe(1);
    expect(await queue.instances.renew(me)).toBe(false);
    expect((await take({ t: 2 }, other)).calls).toHaveLength(2);
    await queue.finish(calls.map((call) => result(call)));
    expect(await sql("select from engine_catalog.event_log where delivered")).toEqual([]);
  });

  it("An instance removed during a fetch loses those events as well", async () => {
    await add(1);
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      await client.query("begin");
      await client.query("select from engine_catalog.engine_instances where id = $1 for key share", [me]);
      await client.query("update engine_catalog.event_log set locked = now(), locked_by = $1", [me]);
      const other = randomUUID();
      await queue.instances.enter(other);
      await sql(`update engine_catalog.engine_instances set seen_at = seen_at - interval '6 s' where id = '${me}'`);
      const expelling = queue.instances.expel(other, 5);
      await expect
        .poll(() => sql(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`))
        .toHaveLength(1);
      await client.query("commit");
      await expelling;
      expect((await take({ t: 1 }, other)).calls).toHaveLength(1);
    } finally {
      await client.end();
    }
  });

  it("A leaving instance returns its events, and forgotten events are released", async () => {
    await add(2);
    await take({ t: 1 });
    await queue.instances.leave([me]);
    const other = randomUUID();
    await queue.instances.enter(other);
    expect((await take({ t: 2 }, other)).calls).toHaveLength(2);
    await queue.instances.freeStale();
    expect((await take({ t: 2 }, other)).calls).toEqual([]);
    await sql("update engine_catalog.event_log set locked = locked - interval '31 minutes'");
    await queue.instances.freeStale();
    expect((await take({ t: 2 }, other)).calls).toHaveLength(2);
  });

  it("An instance registers while it waits", async () => {
    const waiting = () => sql("select waiting from engine_catalog.engine_instances");
    expect(await queue.wait(me, ["t"])).toBeUndefined();
    expect(await waiting()).toEqual([{ waiting: true }]);
    await queue.stopWaiting(me);
    expect(await waiting()).toEqual([{ waiting: false }]);
  });
});

describe("Fetches of a backlog", () => {
  it("A fetch continues at the last one, and finds older events when it has found no more newer ones", async () => {
    await add(20);
    const numbered = "created_at + (payload #>> '{data,new,n}')::int * interval '1 s' - interval '1 minute'";
    await sql(`update engine_catalog.event_log set created_at = ${numbered}`);
    expect(numbers((await take({ t: 10 })).calls)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    // The transaction of this event took longer.
    await sql(eventsFrom("select 0 as n", "t"));
    await sql(`update engine_catalog.event_log set created_at = ${numbered} where payload #>> '{data,new,n}' = '0'`);
    expect(numbers((await take({ t: 5 })).calls)).toEqual([11, 12, 13, 14, 15]);
    const rest = await take({ t: 10 });
    expect(numbers(rest.calls)).toEqual([16, 17, 18, 19, 20]);
    expect(rest.unfinished).toEqual(new Set(["t"]));
    const last = await take({ t: 10 });
    expect(numbers(last.calls)).toEqual([0]);
    expect(last.unfinished).toEqual(new Set());
  });
});

describe("Events fetched without the instance's knowledge", () => {
  it("Events of a lost fetch response are released and known events are kept", async () => {
    await add(5);
    const { calls: known } = await take({ t: 2 });
    await take({ t: 2 }); // as if the result of this claim were lost
    await queue.instances.release(
      me,
      known.map(({ id }) => id),
    );
    const other = randomUUID();
    await queue.instances.enter(other);
    const { calls } = await take({ t: 10 }, other);
    expect(numbers([...known, ...calls])).toEqual([1, 2, 3, 4, 5]);
    await queue.finish(known.map((event) => result(event)));
    expect(await sql("select count(*)::int as done from engine_catalog.event_log where delivered")).toEqual([
      { done: 2 },
    ]);
  });

  it("Events of an abandoned fetch are released once it ends", async () => {
    await add(3);
    const look = new pg.Client({ connectionString: database.url });
    await look.connect();
    try {
      await look.query("begin");
      await look.query("select from engine_catalog.engine_instances where id = $1 for key share", [me]);
      await look.query("update engine_catalog.event_log set locked = now(), locked_by = $1", [me]);
      expect(await queue.instances.release(me, [])).toBe(false);
      expect(await queue.instances.renew(me)).toBe(true);
      await look.query("commit");
    } finally {
      await look.end();
    }
    expect((await take({ t: 10 })).calls).toEqual([]);
    expect(await queue.instances.release(me, [])).toBe(true);
    expect((await take({ t: 10 })).calls).toHaveLength(3);
  });
});
