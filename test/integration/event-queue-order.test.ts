/** Events with an ordering key: what stands behind what, also when it is delivered again (`docs/event-triggers.md`). */
import pg from "pg";
import { beforeEach, describe, expect, it } from "vitest";
import { eventSource } from "../../runtime/jobs/events/event-source.ts";
import { redeliverEvent, redeliverEvents } from "../../runtime/jobs/events/logs.ts";
import { postgresLogs } from "../../runtime/jobs/events/postgres/logs.ts";
import type { QueuedEvent } from "../../runtime/jobs/events/queue.ts";
import {
  add,
  database,
  me,
  numbers,
  orders,
  queue,
  result,
  source,
  sql,
  take,
  useEventQueue,
} from "../support/event-queue.ts";
import { eventsFrom } from "../support/event-source.ts";

useEventQueue();

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
