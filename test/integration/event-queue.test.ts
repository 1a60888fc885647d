/** The queue of events in PostgreSQL: who takes what, and what is left of it (`docs/event-triggers.md`). */
import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CallResult } from "../../runtime/automation/queue.ts";
import { eventSource } from "../../runtime/events/event-source.ts";
import { redeliverEvent, redeliverEvents } from "../../runtime/events/logs.ts";
import { postgresLogs } from "../../runtime/events/postgres/logs.ts";
import { type EventOrder, EventQueue, type QueuedEvent } from "../../runtime/events/queue.ts";
import { openPostgres } from "../../runtime/sources/postgres/open-postgres.ts";
import { resolvePostgresSettings } from "../../runtime/sources/postgres/settings.ts";
import type { DatabaseSource } from "../../runtime/sources/source.ts";
import { query, type TestDatabase } from "../support/database.ts";
import { createEventDatabase, eventsFrom } from "../support/event-source.ts";
import { packFrom } from "../support/event-tables.ts";

let database: TestDatabase;
let source: DatabaseSource;
let queue: EventQueue;
let me: string;
let orders: Map<string, EventOrder>;

beforeAll(async () => {
  database = await createEventDatabase("event_queue");
  source = openPostgres(resolvePostgresSettings("default", { database_url: database.url }, { variables: {} }));
});
afterAll(async () => {
  await source.close();
  await database.drop();
});
beforeEach(async () => {
  orders = new Map();
  queue = newQueue();
  me = randomUUID();
  await queue.instances.enter(me);
});
afterEach(async () => {
  const tables = ["event_log", "packed_events", "event_invocation_logs", "engine_instances"];
  await query(database.url, `truncate ${tables.map((table) => `engine_catalog.${table}`).join(", ")}`);
});

const newQueue = () =>
  new EventQueue({
    kind: "postgres",
    database: source,
    orderOf: (trigger) => orders.get(trigger),
    onUnpackFailure: (error) => {
      throw error;
    },
  });

const sql = (text: string) => query(database.url, text);
const add = (count: number, trigger = "t") => sql(eventsFrom(`select n from generate_series(1, ${count}) n`, trigger));
const log = { status: 200, request: '{"payload":12345678901234567890}', response: "{}" };
const take = async (counts: Record<string, number>, instance = me, most = 1000) => {
  const shares = Object.entries(counts).map(([lane, count]) => ({ lane, count }));
  return await queue.take(instance, shares, most);
};
const numbers = (calls: readonly QueuedEvent[]) =>
  calls.map(({ payload }) => Number(JSON.parse(payload).data.new.n)).sort((a, b) => a - b);
const result = ({ id, lane, instance }: QueuedEvent, changed: Partial<CallResult> = {}): CallResult => ({
  id,
  lane,
  instance,
  state: "delivered",
  log,
  ...changed,
});

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

describe("ordered events", () => {
  const addOrdered = (from: number, to: number, key = "'k'") =>
    sql(eventsFrom(`select n from generate_series(${from}, ${to}) n order by n`, "t", key));
  /** What can be taken when whatever else runs on the server has ended: so many at least. */
  const takeSome = async (counts: Record<string, number>, least = 1): Promise<readonly QueuedEvent[]> => {
    const taken: QueuedEvent[] = [];
    await expect.poll(async () => taken.push(...(await take(counts)).calls)).toBeGreaterThanOrEqual(least);
    return taken;
  };
  beforeEach(() => orders.set("t", { onError: "continue" }));

  it("are taken one at a time per key", async () => {
    await addOrdered(1, 9, "(n % 3)::text");
    const calls = await takeSome({ t: 10 });
    expect(numbers(calls)).toEqual([1, 2, 3]);
    expect((await take({ t: 10 })).calls).toEqual([]);
    await queue.finish(calls.filter(({ payload }) => JSON.parse(payload).data.new.n === 2).map((call) => result(call)));
    expect(numbers(await takeSome({ t: 10 }))).toEqual([5]);
  });

  it("wait for the retries of the first, and go on after its error", async () => {
    await addOrdered(1, 2);
    const calls = await takeSome({ t: 10 });
    await queue.finish(calls.map((call) => result(call, { state: "retry", waitSeconds: 1000 })));
    expect((await take({ t: 10 })).calls).toEqual([]);
    await sql("update engine_catalog.event_log set next_retry_at = null");
    const again = await takeSome({ t: 10 });
    expect(numbers(again)).toEqual([1]);
    await queue.finish(again.map((call) => result(call, { state: "error" })));
    expect(numbers(await takeSome({ t: 10 }))).toEqual([2]);
  });

  it("stand still after an error that holds them, until it is redelivered", async () => {
    orders.set("t", { onError: "hold" });
    await addOrdered(1, 2);
    await addOrdered(10, 10, "'other'");
    const calls = await takeSome({ t: 10 }, 2);
    expect(numbers(calls)).toEqual([1, 10]);
    await queue.finish(calls.map((call) => result(call, { state: "error" })));
    expect((await take({ t: 10 })).calls).toEqual([]);
    await sql("update engine_catalog.event_log set error = false, tries = 0");
    const redelivered = await takeSome({ t: 10 }, 2);
    expect(numbers(redelivered)).toEqual([1, 10]);
    await queue.finish(redelivered.map((call) => result(call)));
    expect(numbers(await takeSome({ t: 10 }))).toEqual([2]);
  });

  it.each(["read committed", "repeatable read", "serializable"])("wait for an older %s transaction", async (level) => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      await client.query(`begin isolation level ${level}`);
      await client.query(eventsFrom("select 1 as n", "t", "'k'"));
      await addOrdered(2, 2);
      await addOrdered(3, 3, "'other'");
      const early = await take({ t: 10 });
      expect(early.calls).toEqual([]);
      expect([...early.held]).toEqual(["t"]);
      await client.query("commit");
      // Another one that is open now is younger than the events that were marked.
      await client.query("begin; select pg_current_xact_id()");
      expect(numbers(await takeSome({ t: 10 }))).toEqual([3]);
      await client.query("commit");
      expect(numbers(await takeSome({ t: 10 }))).toEqual([1]);
    } finally {
      await client.end();
    }
  });

  it("wait for a younger transaction that has the smaller number", async () => {
    const clients = [0, 1].map(() => new pg.Client({ connectionString: database.url }));
    const [early, late] = clients;
    if (!early || !late) throw new Error("two clients");
    try {
      for (const client of clients) await client.connect();
      await early.query("begin; select pg_current_xact_id()");
      await late.query("begin");
      await late.query(eventsFrom("select 1 as n", "t", "'k'"));
      await early.query(eventsFrom("select 2 as n", "t", "'k'"));
      await early.query("commit");
      expect((await take({ t: 10 })).calls).toEqual([]);
      await late.query("commit");
      expect(numbers(await takeSome({ t: 10 }))).toEqual([1]);
    } finally {
      for (const client of clients) await client.end();
    }
  });

  it("of every key have their turn, whatever others wait for", async () => {
    await addOrdered(1, 2000, "lpad(n::text, 5, '0')");
    const seen = new Set<number>();
    for (let round = 0; round < 100 && seen.size < 2000; round++) {
      const { calls } = await take({ t: 40 });
      for (const number of numbers(calls)) seen.add(number);
      await queue.finish(calls.map((call) => result(call, { state: "retry", waitSeconds: 1000 })));
    }
    expect(seen.size).toBe(2000);
    // A round over keys that all wait comes to an end.
    let looks = 0;
    while ((await take({ t: 40 })).unfinished.size > 0) looks++;
    expect(looks).toBeLessThan(10);
  });

  describe("that are delivered again", () => {
    const events = () => eventSource("postgres", source);
    const redeliver = (id: string) => redeliverEvent(events(), id, (trigger) => orders.has(trigger));
    /** Three events of a key: the first has been delivered, the second is under way. */
    const secondUnderWay = async () => {
      await addOrdered(1, 3);
      const [first] = await takeSome({ t: 10 });
      if (first === undefined) throw new Error("an event");
      await queue.finish([result(first)]);
      const second = await takeSome({ t: 10 });
      expect(numbers(second)).toEqual([2]);
      return { first, second };
    };

    it("come when what is under way of their key has ended, and before all others", async () => {
      const { first, second } = await secondUnderWay();
      expect(await redeliver(first.id)).toBe("done");
      expect((await take({ t: 10 })).calls).toEqual([]);
      await queue.finish(second.map((call) => result(call, { state: "retry" })));
      const again = await takeSome({ t: 10 });
      expect(numbers(again)).toEqual([1]);
      expect((await take({ t: 10 })).calls).toEqual([]);
      // The second one is the first again, and now the other is under way.
      await queue.finish(again.map((call) => result(call)));
      expect(numbers(await takeSome({ t: 10 }))).toEqual([2]);
      expect(await redeliver(first.id)).toBe("done");
      expect((await take({ t: 10 })).calls).toEqual([]);
    });

    it("come although what was under way is lost with its instance", async () => {
      const { first } = await secondUnderWay();
      await redeliver(first.id);
      await queue.instances.leave([me]);
      await queue.instances.enter(me);
      expect(numbers(await takeSome({ t: 10 }))).toEqual([1]);
    });

    it("come in batches, those of each key in their order", async () => {
      const { second } = await secondUnderWay();
      await addOrdered(11, 12, "'other'");
      for (let n = 0; n < 2; n++) {
        const calls = await takeSome({ t: 10 });
        await queue.finish(calls.map((call) => result(call, { state: "error" })));
      }
      const again = { trigger: "t", ordered: true, states: "both", batchSize: 2 } as const;
      expect(await redeliverEvents(events(), again)).toBe(3);
      const other = await takeSome({ t: 10 });
      expect(numbers(other)).toEqual([11]);
      await queue.finish([...second, ...other].map((call) => result(call)));
      expect(numbers(await takeSome({ t: 10 }, 2))).toEqual([1, 12]);
    });

    it("keep a look that began before from taking a later one", async () => {
      const { first, second } = await secondUnderWay();
      await queue.finish(second.map((call) => result(call)));
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      try {
        await client.query("begin");
        await client.query(postgresLogs.stopOrder ?? "");
        const looking = take({ t: 10 });
        const waits = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
        await expect.poll(() => sql(waits)).not.toEqual([]);
        await client.query(postgresLogs.resetEvent, [first.id, "true"]);
        await client.query("commit");
        const { calls } = await looking;
        expect(numbers(calls.length > 0 ? calls : await takeSome({ t: 10 }))).toEqual([1]);
      } finally {
        await client.end();
      }
    });

    it("wait for what a look takes that began before", async () => {
      const { first, second } = await secondUnderWay();
      await queue.finish(second.map((call) => result(call)));
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      try {
        // As a look does, but not as fast.
        await client.query("begin");
        await client.query("select from engine_catalog.engine_instances where id = $1 for key share", [me]);
        await client.query("update engine_catalog.event_log set locked = now(), locked_by = $1 where not delivered", [
          me,
        ]);
        const again = redeliver(first.id);
        const waits = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
        await expect.poll(() => sql(waits)).not.toEqual([]);
        await client.query("commit");
        expect(await again).toBe("done");
        expect((await take({ t: 10 })).calls).toEqual([]);
      } finally {
        await client.end();
      }
    });

    it("come in any order where their trigger has none any more", async () => {
      const { first } = await secondUnderWay();
      orders.clear();
      await redeliver(first.id);
      expect(numbers((await take({ t: 10 })).calls)).toEqual([1]);
    });
  });

  it("are taken like others when they end in a retry, once their trigger has no order", async () => {
    await addOrdered(1, 1);
    const calls = await takeSome({ t: 1 });
    orders.clear();
    await queue.forgetOrder(["t"]);
    await queue.finish(calls.map((call) => result(call, { state: "retry" })));
    expect((await take({ t: 1 })).calls).toHaveLength(1);
  });

  it("lose their order with their trigger, and events without a key have none", async () => {
    await addOrdered(1, 3);
    await add(2);
    expect(await takeSome({ t: 10 }, 3)).toHaveLength(3);
    orders.clear();
    await queue.forgetOrder(["t"]);
    expect((await take({ t: 10 })).calls).toHaveLength(2);
  });
});
