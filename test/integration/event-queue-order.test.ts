/** Events with an ordering key: their order in the queue, also when they are redelivered (`docs/how-to/event-triggers.md`). */
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

describe("Ordered events", () => {
  const addOrdered = (from: number, to: number, key = "'k'") =>
    sql(eventsFrom(`select n from generate_series(${from}, ${to}) n order by n`, "t", key));
  /** Claims events repeatedly until there are at least `least`, because open transactions hold events back. */
  const takeSome = async (counts: Record<string, number>, least = 1): Promise<readonly QueuedEvent[]> => {
    const taken: QueuedEvent[] = [];
    await expect.poll(async () => taken.push(...(await take(counts)).calls)).toBeGreaterThanOrEqual(least);
    return taken;
  };
  beforeEach(() => orders.set("t", { onError: "continue" }));

  it("Ordered events are fetched one at a time per key", async () => {
    await addOrdered(1, 9, "(n % 3)::text");
    const calls = await takeSome({ t: 10 });
    expect(numbers(calls)).toEqual([1, 2, 3]);
    expect((await take({ t: 10 })).calls).toEqual([]);
    await queue.finish(calls.filter(({ payload }) => JSON.parse(payload).data.new.n === 2).map((call) => result(call)));
    expect(numbers(await takeSome({ t: 10 }))).toEqual([5]);
  });

  it("Ordered events wait for retries of the first and continue after its error", async () => {
    await addOrdered(1, 2);
    const calls = await takeSome({ t: 10 });
    await queue.finish(calls.map((call) => result(call, { state: "retry", waitSeconds: 1000 })));
    expect((await take({ t: 10 })).calls).toEqual([]);
    await sql("update engine_catalog.event_log set next_retry_at = null");
    const redelivered = await takeSome({ t: 10 });
    expect(numbers(redelivered)).toEqual([1]);
    await queue.finish(redelivered.map((call) => result(call, { state: "error" })));
    expect(numbers(await takeSome({ t: 10 }))).toEqual([2]);
  });

  it("Ordered events that hold on errors wait until the failed event is redelivered", async () => {
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

  it.each(["read committed", "repeatable read", "serializable"])(
    "Ordered events wait for an older %s transaction",
    async (level) => {
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
        // This open transaction is younger than the events marked so far.
        await client.query("begin; select pg_current_xact_id()");
        expect(numbers(await takeSome({ t: 10 }))).toEqual([3]);
        await client.query("commit");
        expect(numbers(await takeSome({ t: 10 }))).toEqual([1]);
      } finally {
        await client.end();
      }
    },
  );

  it("Ordered events wait for a younger transaction with a smaller number", async () => {
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

  it("Ordered events of every key are fetched, even if other keys wait", async () => {
    await addOrdered(1, 2000, "lpad(n::text, 5, '0')");
    const seen = new Set<number>();
    for (let round = 0; round < 100 && seen.size < 2000; round++) {
      const { calls } = await take({ t: 40 });
      for (const number of numbers(calls)) seen.add(number);
      await queue.finish(calls.map((call) => result(call, { state: "retry", waitSeconds: 1000 })));
    }
    expect(seen.size).toBe(2000);
    // The scan must terminate even if all keys wait.
    let looks = 0;
    while ((await take({ t: 40 })).unfinished.size > 0) looks++;
    expect(looks).toBeLessThan(10);
  });

  describe("Redelivered ordered events", () => {
    const events = () => eventSource("postgres", source);
    const redeliver = (id: string) => redeliverEvent(events(), id, (trigger) => orders.has(trigger));
    /** Creates three events of a key: the first is delivered, the second is in progress. */
    const secondUnderWay = async () => {
      await addOrdered(1, 3);
      const [first] = await takeSome({ t: 10 });
      if (first === undefined) throw new Error("an event");
      await queue.finish([result(first)]);
      const second = await takeSome({ t: 10 });
      expect(numbers(second)).toEqual([2]);
      return { first, second };
    };

    it("A redelivered event is fetched after the event in progress of its key and before all others", async () => {
      const { first, second } = await secondUnderWay();
      expect(await redeliver(first.id)).toBe("done");
      expect((await take({ t: 10 })).calls).toEqual([]);
      await queue.finish(second.map((call) => result(call, { state: "retry" })));
      const redelivered = await takeSome({ t: 10 });
      expect(numbers(redelivered)).toEqual([1]);
      expect((await take({ t: 10 })).calls).toEqual([]);
      // Event 2 is now the first of its key, and event 1 is in progress.
      await queue.finish(redelivered.map((call) => result(call)));
      expect(numbers(await takeSome({ t: 10 }))).toEqual([2]);
      expect(await redeliver(first.id)).toBe("done");
      expect((await take({ t: 10 })).calls).toEqual([]);
    });

    it("A redelivered event is fetched even if the event in progress is lost with its instance", async () => {
      const { first } = await secondUnderWay();
      await redeliver(first.id);
      await queue.instances.leave([me]);
      await queue.instances.enter(me);
      expect(numbers(await takeSome({ t: 10 }))).toEqual([1]);
    });

    it("Redelivered events are fetched in batches, in order per key", async () => {
      const { second } = await secondUnderWay();
      await addOrdered(11, 12, "'other'");
      for (let n = 0; n < 2; n++) {
        const calls = await takeSome({ t: 10 });
        await queue.finish(calls.map((call) => result(call, { state: "error" })));
      }
      const redelivered = { trigger: "t", ordered: true, states: "both", batchSize: 2 } as const;
      expect(await redeliverEvents(events(), redelivered)).toBe(3);
      const other = await takeSome({ t: 10 });
      expect(numbers(other)).toEqual([11]);
      await queue.finish([...second, ...other].map((call) => result(call)));
      expect(numbers(await takeSome({ t: 10 }, 2))).toEqual([1, 12]);
    });

    it("A redelivered event prevents an earlier fetch from taking a later event", async () => {
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

    it("A redelivered event waits for the events of an earlier fetch", async () => {
      const { first, second } = await secondUnderWay();
      await queue.finish(second.map((call) => result(call)));
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      try {
        // This transaction behaves like a slow poll of the instance.
        await client.query("begin");
        await client.query("select from engine_catalog.engine_instances where id = $1 for key share", [me]);
        await client.query("update engine_catalog.event_log set locked = now(), locked_by = $1 where not delivered", [
          me,
        ]);
        const redelivered = redeliver(first.id);
        const waits = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
        await expect.poll(() => sql(waits)).not.toEqual([]);
        await client.query("commit");
        expect(await redelivered).toBe("done");
        expect((await take({ t: 10 })).calls).toEqual([]);
      } finally {
        await client.end();
      }
    });

    it("Redelivered events are fetched in any order if their trigger is no longer ordered", async () => {
      const { first } = await secondUnderWay();
      orders.clear();
      await redeliver(first.id);
      expect(numbers((await take({ t: 10 })).calls)).toEqual([1]);
    });
  });

  it("A retried event is fetched like others once its trigger is no longer ordered", async () => {
    await addOrdered(1, 1);
    const calls = await takeSome({ t: 1 });
    orders.clear();
    await queue.clearOrder(["t"]);
    await queue.finish(calls.map((call) => result(call, { state: "retry" })));
    expect((await take({ t: 1 })).calls).toHaveLength(1);
  });

  it("Events lose their order with their trigger, and events without a key have none", async () => {
    await addOrdered(1, 3);
    await add(2);
    expect(await takeSome({ t: 10 }, 3)).toHaveLength(3);
    orders.clear();
    await queue.clearOrder(["t"]);
    expect((await take({ t: 10 })).calls).toHaveLength(2);
  });
});
