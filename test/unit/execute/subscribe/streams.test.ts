import { beforeEach, describe, expect, it } from "vitest";
import { LiveQueries } from "../../../../runtime/execute/subscribe/live-queries.ts";
import type { LiveQuery, LiveStatement } from "../../../../runtime/execute/subscribe/live-query.ts";
import { uninterrupted } from "../../../../runtime/ports/continuity.ts";
import { HandClock, ScriptedSource, settings, settled, subscribed } from "./scripted.ts";

describe("a stream", () => {
  /** Rows at places 1, 2, …: after the place of the set, two at a time. */
  let log: string[];
  const cursor = { of: "place", value: 0, column: 1 };

  let clock: HandClock;
  let live: LiveQueries;
  let database: ScriptedSource;

  beforeEach(() => {
    log = [];
    clock = new HandClock();
    live = new LiveQueries({ settings: { live: settings, stream: settings }, continuity: uninterrupted, clock });
    database = new ScriptedSource(([place]) => {
      const next = log.slice(Number(place), Number(place) + 2);
      return [JSON.stringify(next), next.length === 0 ? null : String(Number(place) + next.length)];
    });
  });

  const stream = (place: string, more: Partial<LiveStatement> = {}, replan?: () => LiveQuery) =>
    subscribed(live, database.query([place], { kind: "stream", key: "stream", cursor, ...more }), replan);

  it("delivers rows in batches, each once, and nothing where there are none", async () => {
    log.push("a", "b", "c");
    const { sink } = await stream("0");
    expect(sink.take()).toEqual(['{"a":["a","b"]}']);
    await clock.pass(1000);
    expect(sink.take()).toEqual(['{"a":["c"]}']);
    await clock.pass(1000);
    expect(sink.take()).toEqual([]);
    log.push("d");
    await clock.pass(1000);
    expect(sink.take()).toEqual(['{"a":["d"]}']);
    expect(database.take()).toEqual([[["0"]], [["2"]], [["3"]], [["3"]]]);
  });

  it("goes on with what else there is where its place is written less exactly than it is compared", async () => {
    database.answer = ([place]) => ['["a"]', place ?? null];
    const { sink } = await stream("0");
    expect(sink.take()).toEqual(['{"a":["a"]}']);
    await clock.pass(1000);
    expect(sink.take()).toEqual(['{"a":["a"]}']);
  });

  it("begins without rows", async () => {
    const { sink } = await stream("0");
    expect(sink.take()).toEqual([]);
    log.push("a");
    await clock.pass(1000);
    expect(sink.take()).toEqual(['{"a":["a"]}']);
  });

  it("is asked together with others, and as one with those that stand at the same place", async () => {
    log.push("a", "b", "c");
    const early = await stream("0");
    const late = await stream("2");
    await clock.pass(1000);
    expect(early.sink.take()).toEqual(['{"a":["a","b"]}', '{"a":["c"]}']);
    expect(late.sink.take()).toEqual(['{"a":["c"]}']);
    database.take();
    await clock.pass(1000);
    expect(database.take()).toEqual([[["3"]]]);
    expect(live.counters.stream).toMatchObject({ activeSubscriptions: 2, activePollers: 1 });
  });

  it("waits where it is for a client that does not read, and loses nothing", async () => {
    const slow = await stream("0");
    const quick = await stream("0");
    slow.sink.busy = true;
    log.push("a", "b", "c");
    await clock.pass(1000);
    await clock.pass(1000);
    expect(quick.sink.take()).toEqual(['{"a":["a","b"]}', '{"a":["c"]}']);
    slow.sink.busy = false;
    await clock.pass(1000);
    await clock.pass(1000);
    expect(slow.sink.take()).toEqual(['{"a":["a","b"]}', '{"a":["c"]}']);
    expect(quick.sink.take()).toEqual([]);
  });

  it("gives each of two that begin at once its rows once", async () => {
    log.push("a");
    const open = database.hold();
    const both = [stream("0"), stream("0")];
    await settled();
    open();
    for (const { sink } of await Promise.all(both)) {
      await clock.pass(1000);
      expect(sink.take()).toEqual(['{"a":["a"]}']);
    }
  });

  it("goes on where it was after a change of the metadata", async () => {
    log.push("a", "b");
    const again = database.query(["0"], { kind: "stream", key: "new", cursor });
    const { sink } = await stream("0", {}, () => again);
    sink.take();
    log.push("c");
    await live.metadataChanged();
    await settled();
    expect(sink.take()).toEqual(['{"a":["c"]}']);
  });

  it("begins anew where its column is another", async () => {
    log.push("a");
    const again = database.query(["0"], { kind: "stream", key: "new", cursor: { ...cursor, of: "other" } });
    const { sink } = await stream("0", {}, () => again);
    await live.metadataChanged();
    await settled();
    expect(sink.take()).toEqual(['{"a":["a"]}', '{"a":["a"]}']);
  });
});
