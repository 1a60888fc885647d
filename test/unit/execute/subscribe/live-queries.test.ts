import { beforeEach, describe, expect, it } from "vitest";
import type { SqlValue, TextRow } from "../../../../runtime/databases/sources/source.ts";
import { LiveQueries } from "../../../../runtime/execute/subscribe/live-queries.ts";
import type { LiveQuery, LiveStatement } from "../../../../runtime/execute/subscribe/live-query.ts";
import { uninterrupted } from "../../../../runtime/ports/continuity.ts";
import { EngineError } from "../../../../runtime/values/errors.ts";
import { HandClock, ScriptedSource, settings, settled, subscribed } from "./scripted.ts";

const refused = new EngineError("data-exception", "$", "invalid input");

let clock: HandClock;
let live: LiveQueries;
/** What the database holds, by the only value of a set. */
let rows: Map<SqlValue, string>;
let database: ScriptedSource;

function answerOf([value = null]: readonly SqlValue[]): TextRow {
  if (value === "bad") throw refused;
  return [rows.get(value) ?? "[]"];
}

beforeEach(() => {
  clock = new HandClock();
  live = new LiveQueries({ settings: { live: settings, stream: settings }, continuity: uninterrupted, clock });
  rows = new Map();
  database = new ScriptedSource(answerOf);
});

const watch = (value: string, more: Partial<LiveStatement> = {}, replan?: () => LiveQuery) =>
  subscribed(live, database.query([value], more), replan);

describe("a live query", () => {
  it("is answered at once, and again when its answer has changed", async () => {
    rows.set("a", "1");
    const { sink } = await watch("a");
    expect(sink.take()).toEqual(['{"a":1}']);
    await clock.pass(1000);
    expect(sink.take()).toEqual([]);
    rows.set("a", "2");
    await clock.pass(999);
    expect(sink.take()).toEqual([]);
    await clock.pass(1);
    expect(sink.take()).toEqual(['{"a":2}']);
    expect(database.take()).toHaveLength(3);
  });

  it("is not asked any more when its last subscription has ended", async () => {
    const first = await watch("a");
    const second = await watch("a");
    first.stop();
    await clock.pass(1000);
    expect(database.take()).toHaveLength(3);
    second.stop();
    expect(clock.waiting).toBe(0);
    await clock.pass(1000);
    expect(database.take()).toEqual([]);
    expect(live.counters.live).toMatchObject({ activeSubscriptions: 0, activePollers: 0 });
  });

  it("ends while it is being asked, and nothing follows", async () => {
    const { sink, stop } = await watch("a");
    sink.take();
    rows.set("a", "2");
    const open = database.hold();
    await clock.pass(1000);
    stop();
    open();
    await settled();
    expect(sink.take()).toEqual([]);
    expect(clock.waiting).toBe(0);
  });

  it("waits after the end of a poll, however long it took", async () => {
    const { sink } = await watch("a");
    sink.take();
    const open = database.hold();
    await clock.pass(1000);
    await clock.pass(5000);
    expect(database.take()).toHaveLength(2);
    open();
    await settled();
    await clock.pass(999);
    expect(database.take()).toHaveLength(0);
    await clock.pass(1);
    expect(database.take()).toHaveLength(1);
  });

  it("without any value in its answer is left out where the settings say so", async () => {
    live = new LiveQueries({
      settings: { live: { ...settings, skipEmpty: true }, stream: settings },
      continuity: uninterrupted,
      clock,
    });
    const { sink } = await watch("a");
    expect(sink.take()).toEqual([]);
    rows.set("a", "[1]");
    await clock.pass(1000);
    expect(sink.take()).toEqual(['{"a":[1]}']);
  });
});

describe("a live query with remote relationships", () => {
  it("is not polled while a remote server that is slower than the polls has its keys", async () => {
    rows.set("a", "1");
    const joins: string[] = [];
    const answers: (() => void)[] = [];
    const joined = {
      key: "session",
      answer: ([text]: TextRow) =>
        new Promise<string>((resolve) => {
          joins.push(text ?? "null");
          answers.push(() => resolve(`{"joined":${text}}`));
        }),
    };
    await watch("b");
    const watching = subscribed(live, { ...database.query(["a"]), joined });
    await settled();
    await clock.pass(1000);
    await clock.pass(1000);
    expect(joins).toEqual(["1"]);
    rows.set("a", "2");
    answers.shift()?.();
    const { sink } = await watching;
    expect(sink.take()).toEqual(['{"joined":1}']);
    await clock.pass(1000);
    expect(joins).toEqual(["1", "2"]);
    answers.shift()?.();
    await settled();
    expect(sink.take()).toEqual(['{"joined":2}']);
  });
});

describe("subscriptions of one statement", () => {
  it("are asked together, each set of values once, in equal batches", async () => {
    const sinks = [];
    for (const value of ["a", "b", "c", "d", "a", "b"]) sinks.push((await watch(value)).sink);
    for (const sink of sinks) expect(sink.take()).toEqual(['{"a":[]}']);
    database.take();
    rows.set("b", "2");
    await clock.pass(1000);
    expect(database.take()).toEqual([
      [["a"], ["b"]],
      [["c"], ["d"]],
    ]);
    expect(sinks.map((sink) => sink.take())).toEqual([[], ['{"a":2}'], [], [], [], ['{"a":2}']]);
    expect(live.counters.live).toMatchObject({ activeSubscriptions: 6, activePollers: 1, polls: 1, batches: 2 });
  });

  it("are not asked together with those of another role, form of the answer or session of a function", async () => {
    await watch("a");
    await watch("b", { key: "other" });
    expect(live.counters.live.activePollers).toBe(2);
  });

  it("that come at the same time share their first statements", async () => {
    const open = database.hold();
    const watching = ["a", "b", "c", "d", "e", "f", "g", "g"].map((value) => watch(value));
    await settled();
    open();
    const all = await Promise.all(watching);
    expect(all.map(({ sink }) => sink.take())).toEqual(Array.from({ length: 8 }, () => ['{"a":[]}']));
    expect(database.take()).toEqual([[["a"]], [["b"]], [["c"]], [["d"]], [["e"], ["f"], ["g"]]]);
  });

  it("get a first answer that is no older than their coming", async () => {
    const { sink } = await watch("a");
    sink.take();
    const openPoll = database.hold();
    await clock.pass(1000);
    rows.set("a", "new");
    const openFirst = database.hold();
    const watching = watch("a");
    await settled();
    openPoll();
    await settled();
    openFirst();
    const late = await watching;
    expect(late.sink.take()).toEqual(['{"a":new}']);
    expect(sink.take()).toEqual(['{"a":new}']);
  });

  it("never get an older answer after a newer one", async () => {
    const { sink } = await watch("a");
    sink.take();
    const openPoll = database.hold();
    await clock.pass(1000);
    rows.set("a", "new");
    database.gate = Promise.resolve();
    const late = await watch("a");
    openPoll();
    await settled();
    expect([sink.take(), late.sink.take()]).toEqual([['{"a":new}'], ['{"a":new}']]);
  });
});

describe("a set of values that the database refuses", () => {
  it("is refused before it joins the others", async () => {
    const { sink } = await watch("a");
    await expect(watch("bad")).rejects.toBe(refused);
    database.take();
    sink.take();
    rows.set("a", "1");
    await clock.pass(1000);
    expect(database.take()).toEqual([[["a"]]]);
    expect(sink.take()).toEqual(['{"a":1}']);
    expect(live.counters.live.activeSubscriptions).toBe(1);
  });

  it("fails alone among those that come together", async () => {
    const open = database.hold();
    const first = ["1", "2", "3", "4"].map((value) => watch(value));
    const together = Promise.allSettled([watch("a"), watch("bad"), watch("b")]);
    await settled();
    open();
    await Promise.all(first);
    const outcomes = await together;
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  });

  it("does not break its neighbours later either, and comes back", async () => {
    const a = await watch("a");
    const b = await watch("b");
    a.sink.take();
    b.sink.take();
    database.answer = (set) => {
      if (set[0] === "b") throw refused;
      return answerOf(set);
    };
    rows.set("a", "1");
    await clock.pass(1000);
    expect(a.sink.take()).toEqual(['{"a":1}']);
    expect(b.sink.take()).toEqual([refused]);
    database.take();
    rows.set("a", "2");
    await clock.pass(1000);
    expect(database.take()).toEqual([[["a"]], [["b"]]]);
    expect(a.sink.take()).toEqual(['{"a":2}']);
    // The same error is not told again.
    expect(b.sink.take()).toEqual([]);
    database.answer = answerOf;
    await clock.pass(1000);
    // What it was told before the error counts no more.
    expect(b.sink.take()).toEqual(['{"a":[]}']);
    database.take();
    await clock.pass(1000);
    expect(database.take()).toEqual([[["a"], ["b"]]]);
  });
});

it("what only a mistake of ours can cause fails for its set alone, and polling goes on", async () => {
  const mistake = new Error("a mistake");
  let isWrong = false;
  const answer = ([text]: TextRow): string => {
    if (isWrong && text === "1") throw mistake;
    return text ?? "";
  };
  for (const value of ["a", "b"]) rows.set(value, value === "a" ? "1" : "2");
  const [one, other] = [await watch("a", { answer }), await watch("b", { answer })];
  expect([one.sink.take(), other.sink.take()]).toEqual([["1"], ["2"]]);
  isWrong = true;
  rows.set("b", "3");
  // An answer that has changed is made anew for who comes.
  await expect(watch("a", { answer })).rejects.toBe(mistake);
  await clock.pass(1000);
  expect(other.sink.take()).toEqual(["3"]);
});

describe("a database that fails altogether", () => {
  const unreachable = new EngineError("postgres-error", "$", "connection error", { status: 500 });

  it("is asked less and less often; when it is back, everything flows again", async () => {
    const a = await watch("a");
    const b = await watch("b");
    a.sink.take();
    b.sink.take();
    database.take();
    database.answer = () => {
      throw unreachable;
    };
    await clock.pass(1000);
    expect(database.take()).toHaveLength(1);
    expect([a.sink.take(), b.sink.take()]).toEqual([[unreachable], [unreachable]]);
    expect(live.counters.live.pollersInErrorState).toBe(1);
    await clock.pass(1999);
    expect(database.take()).toHaveLength(0);
    await clock.pass(1);
    expect(database.take()).toHaveLength(1);
    database.answer = answerOf;
    await clock.pass(4000);
    expect([a.sink.take(), b.sink.take()]).toEqual([['{"a":[]}'], ['{"a":[]}']]);
    expect(live.counters.live.pollersInErrorState).toBe(0);
    database.take();
    await clock.pass(1000);
    expect(database.take()).toEqual([[["a"], ["b"]]]);
  });
});

describe("a client that does not read", () => {
  it("gets the newest answer when it reads again, and holds up nobody", async () => {
    const slow = await watch("a");
    const quick = await watch("a");
    slow.sink.take();
    quick.sink.take();
    slow.sink.busy = true;
    for (const value of ["1", "2", "3"]) {
      rows.set("a", value);
      await clock.pass(1000);
    }
    expect(quick.sink.take()).toEqual(['{"a":1}', '{"a":2}', '{"a":3}']);
    expect(slow.sink.take()).toEqual([]);
    expect(live.counters.live.passedOver).toBe(3);
    slow.sink.busy = false;
    await clock.pass(1000);
    expect(slow.sink.take()).toEqual(['{"a":3}']);
    expect(quick.sink.take()).toEqual([]);
  });

  it("costs no statements when nobody else wants the answer", async () => {
    const { sink } = await watch("a");
    sink.busy = true;
    database.take();
    await clock.pass(1000);
    await clock.pass(1000);
    expect(database.take()).toEqual([]);
    sink.busy = false;
    await clock.pass(1000);
    expect(database.take()).toHaveLength(1);
  });
});

describe("a source that tells of changes", () => {
  let onChange: () => void;
  const watch1 = { isLive: true, stops: 0, stop: () => void watch1.stops++ };

  beforeEach(() => {
    Object.assign(watch1, { isLive: true, stops: 0 });
    const watched = { ...settings, watchedSources: new Set(["scripted"]) };
    live = new LiveQueries({ settings: { live: watched, stream: watched }, continuity: uninterrupted, clock });
    database.source.watch = async (_statement, _values, call) => {
      onChange = call;
      return watch1;
    };
  });

  it("is asked when something has changed, no more often than it would be polled", async () => {
    const { sink, stop } = await watch("a");
    sink.take();
    // What changed before it was watched.
    await clock.pass(1000);
    database.take();
    await clock.pass(20_000);
    expect(database.take()).toHaveLength(0);
    rows.set("a", "1");
    onChange();
    await clock.pass(0);
    expect(sink.take()).toEqual(['{"a":1}']);
    rows.set("a", "2");
    onChange();
    onChange();
    await clock.pass(999);
    expect(sink.take()).toEqual([]);
    await clock.pass(1);
    expect(sink.take()).toEqual(['{"a":2}']);
    database.take();
    // As a precaution.
    await clock.pass(30_000);
    expect(database.take()).toHaveLength(1);
    stop();
    expect(watch1.stops).toBe(1);
  });

  it("is asked for the rest of a stream", async () => {
    const cursor = { of: "place", value: 0, column: 1 };
    database.answer = ([place]) => (Number(place) < 3 ? [`[${place}]`, String(Number(place) + 1)] : ["[]", null]);
    const { sink } = await watch("0", { kind: "stream", cursor });
    for (const _ of [1, 2, 3, 4]) await clock.pass(1000);
    expect(sink.take()).toEqual(['{"a":[0]}', '{"a":[1]}', '{"a":[2]}']);
    database.take();
    await clock.pass(20_000);
    expect(database.take()).toHaveLength(0);
  });

  it("is polled while it does not, and where it cannot", async () => {
    await watch("a");
    await clock.pass(1000);
    watch1.isLive = false;
    onChange();
    database.take();
    for (const _ of [1, 2, 3]) await clock.pass(1000);
    expect(database.take()).toHaveLength(3);
    database.source.watch = async () => null;
    await watch("b", { key: "other" });
    for (const _ of [1, 2, 3]) await clock.pass(1000);
    expect(database.take().filter(([set]) => set?.[0] === "b")).toHaveLength(4);
  });

  it("is asked again for a client that did not take an answer", async () => {
    const { sink } = await watch("a");
    sink.take();
    await clock.pass(1000);
    sink.busy = true;
    const other = await watch("a");
    other.sink.take();
    rows.set("a", "1");
    onChange();
    await clock.pass(1000);
    sink.busy = false;
    await clock.pass(1000);
    expect(sink.take()).toEqual(['{"a":1}']);
  });
});

describe("a change of the metadata", () => {
  it("moves subscriptions to their new plans; an answer that is the same is not sent again", async () => {
    rows.set("a", "1");
    const other = new ScriptedSource(answerOf);
    const { sink } = await watch("a", {}, () => other.query(["a"]));
    sink.take();
    database.take();
    await live.metadataChanged();
    await settled();
    expect(other.take()).toEqual([[["a"]]]);
    expect(sink.take()).toEqual([]);
    rows.set("a", "2");
    await clock.pass(1000);
    expect(sink.take()).toEqual(['{"a":2}']);
    expect(database.take()).toEqual([]);
    expect(live.counters.live).toMatchObject({ activeSubscriptions: 1, activePollers: 1 });
  });

  it("that comes while the process stands still is known before an answer is delivered", async () => {
    let settling: Promise<void> | undefined;
    const continuity = { standstills: 0, settled: () => settling };
    live = new LiveQueries({ settings: { live: settings, stream: settings }, continuity, clock });
    rows.set("a", "1");
    const { sink } = await watch("a", {}, () => {
      throw refused;
    });
    sink.take();
    rows.set("a", "2");
    const open = database.hold();
    await clock.pass(1000);
    let changed = (): void => {};
    settling = new Promise<void>((resolve) => {
      changed = resolve;
    }).then(() => live.metadataChanged());
    open();
    await settled();
    expect(sink.take()).toEqual([]);
    changed();
    await settled();
    expect(sink.take()).toEqual([refused, "complete"]);
  });

  it("is waited for before a poll that falls due after a standstill", async () => {
    let settling: Promise<void> | undefined;
    const continuity = { standstills: 0, settled: () => settling };
    live = new LiveQueries({ settings: { live: settings, stream: settings }, continuity, clock });
    const { sink } = await watch("a");
    sink.take();
    database.take();
    let changed = (): void => {};
    settling = new Promise((resolve) => {
      changed = resolve;
    });
    rows.set("a", "2");
    await clock.pass(1000);
    expect(database.take()).toEqual([]);
    settling = undefined;
    changed();
    await settled();
    expect(sink.take()).toEqual(['{"a":2}']);
  });

  it("ends those that are not valid any more", async () => {
    const { sink, stop } = await watch("a", {}, () => {
      throw refused;
    });
    sink.take();
    await live.metadataChanged();
    expect(sink.take()).toEqual([refused, "complete"]);
    stop();
    expect(live.counters.live).toMatchObject({ activeSubscriptions: 0, activePollers: 0 });
    expect(clock.waiting).toBe(0);
  });

  it("drops what the old plan answers afterwards", async () => {
    const { sink } = await watch("a", {}, () => database.query(["a"], { key: "new" }));
    sink.take();
    const open = database.hold();
    await clock.pass(1000);
    rows.set("a", "2");
    await live.metadataChanged();
    open();
    await settled();
    expect(sink.take()).toEqual(['{"a":2}']);
  });
});
