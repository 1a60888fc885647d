import { beforeEach, describe, expect, it } from "vitest";
import { LiveQueries } from "../../../../runtime/execute/subscribe/live-queries.ts";
import type { LiveQuery, LiveStatement } from "../../../../runtime/execute/subscribe/live-query.ts";
import { uninterrupted } from "../../../../runtime/ports/continuity.ts";
import { ManualClock, ScriptedSource, settings, settled, subscribed } from "./scripted.ts";

describe("Streams", () => {
  /** Rows at positions 1, 2, …. A poll returns two rows after the position of its variable set. */
  let log: string[];
  const cursor = { of: ["place"], values: [0] };

  let clock: ManualClock;
  let live: LiveQueries;
  let database: ScriptedSource;

  beforeEach(() => {
    log = [];
    clock = new ManualClock();
    live = new LiveQueries({ settings: { live: settings, stream: settings }, continuity: uninterrupted, clock });
    database = new ScriptedSource(([position]) => {
      const next = log.slice(Number(position), Number(position) + 2);
      return [JSON.stringify(next), next.length === 0 ? null : String(Number(position) + next.length)];
    });
  });

  const stream = (position: string, more: Partial<LiveStatement> = {}, replan?: () => LiveQuery) =>
    subscribed(live, database.query([position], { kind: "stream", key: "stream", cursor, ...more }), replan);

  it("A stream delivers each row once in batches, and nothing if there are no rows", async () => {
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

  it("A stream advances even if its cursor is written less exactly than it is compared", async () => {
    database.answer = ([position]) => ['["a"]', position ?? null];
    const { sink } = await stream("0");
    expect(sink.take()).toEqual(['{"a":["a"]}']);
    await clock.pass(1000);
    expect(sink.take()).toEqual(['{"a":["a"]}']);
  });

  it("A stream starts without rows", async () => {
    const { sink } = await stream("0");
    expect(sink.take()).toEqual([]);
    log.push("a");
    await clock.pass(1000);
    expect(sink.take()).toEqual(['{"a":["a"]}']);
  });

  it("Streams are polled together, and streams at the same cursor share one set of values", async () => {
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

  it("A stream holds its cursor for a slow consumer and loses no rows", async () => {
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

  it("Two streams that start concurrently each receive their rows once", async () => {
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

  it("A stream keeps its cursor after a metadata change", async () => {
    log.push("a", "b");
    const again = database.query(["0"], { kind: "stream", key: "new", cursor });
    const { sink } = await stream("0", {}, () => again);
    sink.take();
    log.push("c");
    await live.metadataChanged();
    await settled();
    expect(sink.take()).toEqual(['{"a":["c"]}']);
  });

  it("A stream restarts if a metadata change replaces its cursor column", async () => {
    log.push("a");
    const again = database.query(["0"], { kind: "stream", key: "new", cursor: { ...cursor, of: ["other"] } });
    const { sink } = await stream("0", {}, () => again);
    await live.metadataChanged();
    await settled();
    expect(sink.take()).toEqual(['{"a":["a"]}', '{"a":["a"]}']);
  });
});
