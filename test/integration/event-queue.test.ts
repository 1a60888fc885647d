/** The queue of events in PostgreSQL: who takes what, and what is left of it (`docs/event-triggers.md`). */
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
import { packFrom } from "../support/event-tables.ts";

useEventQueue();

describe("events that were written together", () => {
  it("are unpacked by the next look, with the time at which they were written", async () => {
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

  it("are unpacked once, whoever looks, and those of each trigger in turn", async () => {
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

  it("hold up nothing where they cannot be unpacked", async () => {
    await sql(packFrom(1, 2, "broken"));
    await sql("update engine_catalog.packed_events set column_names = '{}'");
    await sql(packFrom(1, 3, "t"));
    await take({ t: 10 });
    expect((await take({ t: 10 })).calls).toHaveLength(3);
    await take({ t: 10 });
    // They are tried again, but not at once.
    expect((await take({ t: 10 })).unfinished).toEqual(new Set());
    expect(await sql("select trigger_name as name from engine_catalog.packed_events")).toEqual([{ name: "broken" }]);
  });
});

describe("taking", () => {
  it("gives each its share, and nothing twice", async () => {
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

  it("takes no more than is wanted of all", async () => {
    await add(10);
    expect((await take({ t: 10 }, me, 4)).calls).toHaveLength(4);
  });

  it("gives nothing to an instance that was removed", async () => {
    await add(1);
    expect((await take({ t: 1 }, randomUUID())).calls).toEqual([]);
  });

  it("knows events as they were written", async () => {
    await sql(`insert into engine_catalog.event_log (id, schema_name, table_name, trigger_name, payload, created_at, tries)
      values ('e', 's', 'T"x', 't', '{"op":"INSERT","data":{"new":{"n":12345678901234567890.50}},"trace_context":{"trace_id":"1"}}',
        '2018-09-05 07:14:21.601701', 2)`);
    expect((await take({ t: 1 })).calls).toEqual([
      {
        id: "e",
        takenAt: expect.any(Number),
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

  it("leaves what is delivered, failed, archived, or not due", async () => {
    await add(6);
    await sql(`with n as (select id, row_number() over () as i from engine_catalog.event_log)
      update engine_catalog.event_log l set delivered = i = 1, error = i = 2, archived = i = 3,
        next_retry_at = case i when 4 then now() at time zone 'utc' + interval '1 hour' when 5 then '2000-01-01' end
      from n where n.id = l.id`);
    expect((await take({ t: 10 })).calls).toHaveLength(2);
  });
});

describe("results", () => {
  const rowsOf = () =>
    sql("select delivered, error, tries, locked, next_retry_at is not null as waits from engine_catalog.event_log");

  it("are written with their logs, digits and all", async () => {
    await add(1);
    const { calls } = await take({ t: 1 });
    await queue.finish(calls.map((call) => result(call)));
    expect(await rowsOf()).toEqual([{ delivered: true, error: false, tries: 1, locked: null, waits: false }]);
    const logs = await sql(
      "select trigger_name, status, request::text, response::text from engine_catalog.event_invocation_logs",
    );
    expect(logs).toEqual([{ trigger_name: "t", ...log }]);
  });

  it("may be written twice, and only by who holds the event", async () => {
    await add(1);
    const { calls } = await take({ t: 1 });
    await queue.finish(calls.map((call) => result({ ...call, instance: randomUUID() })));
    expect(await rowsOf()).toMatchObject([{ delivered: false, tries: 0 }]);
    for (const _ of [1, 2]) await queue.finish(calls.map((call) => result(call)));
    expect(await rowsOf()).toMatchObject([{ delivered: true, tries: 1 }]);
    expect(await sql("select from engine_catalog.event_invocation_logs")).toHaveLength(1);
  });

  it("may want another attempt, later, or none", async () => {
    await add(3);
    const [again, failed, free] = (await take({ t: 3 })).calls;
    if (!again || !failed || !free) throw new Error("three events");
    await queue.finish([
      result(again, { state: "retry", waitSeconds: 1.5 }),
      result(failed, { state: "error" }),
      { id: free.id, lane: "t", instance: me, state: "free" },
    ]);
    expect((await take({ t: 3 })).calls.map(({ id }) => id)).toEqual([free.id]);
    const due = await queue.wait(me, ["t", "other"]);
    expect(due).toBeGreaterThan(0.5);
    expect(due).toBeLessThanOrEqual(1.5);
    await expect
      .poll(async () => (await take({ t: 3 })).calls, { timeout: 5000 })
      .toMatchObject([{ id: again.id, tries: 1 }]);
  });
});

describe("instances", () => {
  it("that show no sign of life lose what they hold", async () => {
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

  it("that are removed while they take something lose that as well", async () => {
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

  it("give back what they hold when they leave, and what was forgotten is freed", async () => {
    await add(2);
    await take({ t: 1 });
    await queue.instances.leave([me]);
    const other = randomUUID();
    await queue.instances.enter(other);
    expect((await take({ t: 2 }, other)).calls).toHaveLength(2);
    await queue.instances.freeForgotten();
    expect((await take({ t: 2 }, other)).calls).toEqual([]);
    await sql("update engine_catalog.event_log set locked = locked - interval '31 minutes'");
    await queue.instances.freeForgotten();
    expect((await take({ t: 2 }, other)).calls).toHaveLength(2);
  });

  it("say when they wait", async () => {
    const waiting = () => sql("select waiting from engine_catalog.engine_instances");
    expect(await queue.wait(me, ["t"])).toBeUndefined();
    expect(await waiting()).toEqual([{ waiting: true }]);
    await queue.stopWaiting(me);
    expect(await waiting()).toEqual([{ waiting: false }]);
  });
});

describe("what an instance took without knowing", () => {
  it("is free again, and what it knows of is not", async () => {
    await add(5);
    const { calls: known } = await take({ t: 2 });
    await take({ t: 2 }); // the answer is lost
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

  it("is free once the look has ended that took it, which nobody waits for", async () => {
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
