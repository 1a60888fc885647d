import { beforeEach, describe, expect, it } from "vitest";
import type { ByteRow, SourceChange, SqlValue, TextRow } from "../../../../runtime/databases/sources/source.ts";
import { LiveQueries } from "../../../../runtime/execute/subscribe/live-queries.ts";
import type { LiveQuery, LiveResult, LiveStatement } from "../../../../runtime/execute/subscribe/live-query.ts";
import { uninterrupted } from "../../../../runtime/ports/continuity.ts";
import { type Meters, noMeters } from "../../../../runtime/ports/metrics.ts";
import { EngineError } from "../../../../runtime/values/errors.ts";
import { JoinedBytes } from "../../../../runtime/values/joined-bytes.ts";
import { ManualClock, ScriptedSource, settings, settled, subscribed } from "./scripted.ts";

const refused = new EngineError("data-exception", "$", "invalid input");

let clock: ManualClock;
let live: LiveQueries;
/** Results by the single value of a variable set. */
let rows: Map<SqlValue, string>;
let database: ScriptedSource;
/** Recorded values of `subscription_lag_seconds`. */
let lags: number[];

function recordingMeters(): Meters {
  const recorder = { record: (seconds: number) => void lags.push(seconds) };
  return { ...noMeters, subscriptionLag: { ...recorder, of: () => recorder } };
}

function answerOf([value = null]: readonly SqlValue[]): TextRow {
  if (value === "bad") throw refused;
  return [rows.get(value) ?? "[]"];
}

beforeEach(() => {
  clock = new ManualClock();
  live = new LiveQueries({ settings: { live: settings, stream: settings }, continuity: uninterrupted, clock });
  rows = new Map();
  database = new ScriptedSource(answerOf);
});

const watch = (value: string, more: Partial<LiveStatement> = {}, replan?: () => LiveQuery) =>
  subscribed(live, database.query([value], more), replan);

describe("Live queries", () => {
  it("A live query delivers its result at once and again after each change", async () => {
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

  it("A live query is not polled after its last subscription has ended", async () => {
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

  it("A live query that is stopped during a poll delivers no further result", async () => {
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

  it("A live query waits a full interval after the end of each poll, even of a slow one", async () => {
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

  it("A live query skips an empty result if the settings say so", async () => {
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

describe("Rows of live queries as bytes", () => {
  /** Returns rows of two and more characters as bytes. */
  function returnBytes(): void {
    const { query } = database.source;
    const asBytes = (row: TextRow): ByteRow => {
      const isLong = row.some((value) => (value?.length ?? 0) > 1);
      return { values: isLong ? row.map((value) => value && Buffer.from(value)) : row, memory: [] };
    };
    const bytes = { query: async (...read: Parameters<typeof query>) => (await query(...read)).map(asBytes) };
    Object.assign(database.source, { bytes });
  }
  const takesBytes: Partial<LiveStatement> = {
    takesBytes: true,
    encode: ([value = null]) => JoinedBytes.of(['{"a":', value === null ? "null" : new JoinedBytes([value]), "}"]),
  };

  it("A row is delivered again only after a change, whether it arrives as text or as bytes", async () => {
    rows.set("a", '"é"');
    const { sink } = await watch("a", takesBytes);
    const other = await watch("b", takesBytes);
    expect([...sink.take(), ...other.sink.take()]).toEqual(['{"a":"é"}', '{"a":[]}']);
    returnBytes();
    await clock.pass(1000);
    expect([...sink.take(), ...other.sink.take()]).toEqual([]);
    rows.set("a", '"è"');
    await clock.pass(1000);
    expect([...sink.take(), ...other.sink.take()]).toEqual(['{"a":"è"}']);
  });

  it("An empty result as bytes is skipped if the settings say so", async () => {
    const skipping = { ...settings, skipEmpty: true };
    live = new LiveQueries({ settings: { live: skipping, stream: settings }, continuity: uninterrupted, clock });
    returnBytes();
    const { sink } = await watch("a", takesBytes);
    rows.set("a", "null");
    await clock.pass(1000);
    expect(sink.take()).toEqual([]);
    rows.set("a", "[1]");
    await clock.pass(1000);
    expect(sink.take()).toEqual(['{"a":[1]}']);
  });

  it("All subscribers of a result receive the same encoded object, which their transports encode once", async () => {
    returnBytes();
    rows.set("a", "[1]");
    const received: unknown[] = [];
    const sink = { next: (data: unknown) => void received.push(data), error() {}, complete() {}, isBusy: () => false };
    const query = database.query(["a"], takesBytes);
    await Promise.all([1, 2].map(() => live.subscribe({ query, replan: () => query }, sink)));
    await settled();
    received.length = 0;
    rows.set("a", "[2]");
    await clock.pass(1000);
    expect(received.map(String)).toEqual(['{"a":[2]}', '{"a":[2]}']);
    expect(received[0]).toBe(received[1]);
  });
});

describe("Live queries with remote relationships", () => {
  it("A live query with a remote relationship is not polled while the upstream is still busy with its keys", async () => {
    rows.set("a", "1");
    const joins: string[] = [];
    const pendingJoins: (() => void)[] = [];
    const joined = {
      key: "session",
      join: ([text]: TextRow) =>
        new Promise<LiveResult>((resolve) => {
          joins.push(text ?? "null");
          pendingJoins.push(() => resolve({ data: `{"joined":${text}}`, errors: [] }));
        }),
    };
    await watch("b");
    const watching = subscribed(live, { ...database.query(["a"]), joined });
    await settled();
    await clock.pass(1000);
    await clock.pass(1000);
    expect(joins).toEqual(["1"]);
    rows.set("a", "2");
    pendingJoins.shift()?.();
    const { sink } = await watching;
    expect(sink.take()).toEqual(['{"joined":1}']);
    await clock.pass(1000);
    expect(joins).toEqual(["1", "2"]);
    pendingJoins.shift()?.();
    await settled();
    expect(sink.take()).toEqual(['{"joined":2}']);
  });
});

describe("Subscriptions that share a statement", () => {
  it("Subscriptions that share a statement are polled together in equal batches, with each set of values once", async () => {
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

  it("Subscriptions with different keys are not polled together", async () => {
    await watch("a");
    await watch("b", { key: "other" });
    expect(live.counters.live.activePollers).toBe(2);
  });

  it("Subscriptions that start concurrently share their first statements", async () => {
    const open = database.hold();
    const watching = ["a", "b", "c", "d", "e", "f", "g", "g"].map((value) => watch(value));
    await settled();
    open();
    const all = await Promise.all(watching);
    expect(all.map(({ sink }) => sink.take())).toEqual(Array.from({ length: 8 }, () => ['{"a":[]}']));
    expect(database.take()).toEqual([[["a"]], [["b"]], [["c"]], [["d"]], [["e"], ["f"], ["g"]]]);
  });

  it("The first result of a subscription is no older than its start", async () => {
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

  it("A subscription never receives an older result after a newer one", async () => {
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

describe("Values that the database refuses", () => {
  it("A subscription with refused values fails before it joins the batch", async () => {
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

  it("A subscription with refused values fails alone among subscriptions that start concurrently", async () => {
    const open = database.hold();
    const first = ["1", "2", "3", "4"].map((value) => watch(value));
    const concurrent = Promise.allSettled([watch("a"), watch("bad"), watch("b")]);
    await settled();
    open();
    await Promise.all(first);
    const outcomes = await concurrent;
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  });

  it("A set of values that fails later does not break its cohort and recovers", async () => {
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
    // A repeated error is sent once.
    expect(b.sink.take()).toEqual([]);
    database.answer = answerOf;
    await clock.pass(1000);
    // After the error, an unchanged result is delivered again.
    expect(b.sink.take()).toEqual(['{"a":[]}']);
    database.take();
    await clock.pass(1000);
    expect(database.take()).toEqual([[["a"], ["b"]]]);
  });
});

it("An internal error fails only its set of values, and polling continues", async () => {
  const bug = new Error("bug");
  let isWrong = false;
  const encode = ([text]: TextRow): string => {
    if (isWrong && text === "1") throw bug;
    return text ?? "";
  };
  for (const value of ["a", "b"]) rows.set(value, value === "a" ? "1" : "2");
  const [one, other] = [await watch("a", { encode }), await watch("b", { encode })];
  expect([one.sink.take(), other.sink.take()]).toEqual([["1"], ["2"]]);
  isWrong = true;
  rows.set("b", "3");
  // A changed result is rendered again for new subscribers.
  await expect(watch("a", { encode })).rejects.toBe(bug);
  await clock.pass(1000);
  expect(other.sink.take()).toEqual(["3"]);
});

describe("Database outages", () => {
  const unreachable = new EngineError("postgres-error", "$", "connection error", { status: 500 });

  it("A live query polls a failing database with growing intervals and recovers when the database is back", async () => {
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

describe("Slow consumers", () => {
  it("A slow consumer receives the newest result when it reads again and delays no other subscription", async () => {
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

  it("A subscription that only a slow consumer needs runs no statements", async () => {
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

describe("Sources with change notifications", () => {
  let onChange: (change: SourceChange) => void;
  const watch1 = { isLive: true, stops: 0, stop: () => void watch1.stops++ };

  beforeEach(() => {
    Object.assign(watch1, { isLive: true, stops: 0 });
    const watched = { ...settings, watchedSources: new Set(["scripted"]) };
    lags = [];
    live = new LiveQueries({
      settings: { live: watched, stream: watched },
      continuity: uninterrupted,
      clock,
      meters: recordingMeters(),
    });
    database.source.watch = async (_statement, _values, call) => {
      onChange = call;
      return watch1;
    };
  });

  it("A source with change notifications is queried after a change, at most once per poll interval", async () => {
    const { sink, stop } = await watch("a");
    sink.take();
    // The second poll, which covers changes made before the watch started.
    await clock.pass(1000);
    database.take();
    await clock.pass(20_000);
    expect(database.take()).toHaveLength(0);
    rows.set("a", "1");
    onChange("reported");
    await clock.pass(0);
    expect(sink.take()).toEqual(['{"a":1}']);
    rows.set("a", "2");
    onChange("reported");
    onChange("reported");
    await clock.pass(999);
    expect(sink.take()).toEqual([]);
    await clock.pass(1);
    expect(sink.take()).toEqual(['{"a":2}']);
    database.take();
    // The infrequent poll in case a notification was lost.
    await clock.pass(30_000);
    expect(database.take()).toHaveLength(1);
    stop();
    expect(watch1.stops).toBe(1);
  });

  it("A source with change notifications is queried for the remaining rows of a stream", async () => {
    const cursor = { of: ["place"], values: [0] };
    database.answer = ([position]) =>
      Number(position) < 3 ? [`[${position}]`, String(Number(position) + 1)] : ["[]", null];
    const { sink } = await watch("0", { kind: "stream", cursor });
    for (const _ of [1, 2, 3, 4]) await clock.pass(1000);
    expect(sink.take()).toEqual(['{"a":[0]}', '{"a":[1]}', '{"a":[2]}']);
    database.take();
    await clock.pass(20_000);
    expect(database.take()).toHaveLength(0);
  });

  it("A report of the source bounds the lag, except if earlier ones may be missing", async () => {
    await watch("a");
    await clock.pass(1000);
    await clock.pass(20_000);
    rows.set("a", "1");
    onChange("reported");
    await clock.pass(0);
    expect(lags).toEqual([0]);
    await clock.pass(20_000);
    rows.set("a", "2");
    onChange("possible");
    onChange("reported");
    await clock.pass(0);
    expect(lags).toEqual([0, 20]);
  });

  it("A held-back stream is polled at the usual interval until its rows are delivered", async () => {
    let mark: TextRow = ["0", "[]"];
    database.answer = ([position, bound]) => {
      if (position === undefined) return mark;
      return Number(bound) > Number(position) ? [`[${bound}]`, bound ?? null] : ["[]", null];
    };
    const cursor = { of: ["place"], values: [0], highWaterMark: { statement: { text: "mark" }, values: [1] } };
    const { sink } = await subscribed(live, database.query(["0", null], { kind: "stream", cursor }));
    await clock.pass(1000);
    await clock.pass(20_000);
    mark = ["1", '["5/1"]'];
    onChange("reported");
    await clock.pass(0);
    await clock.pass(1000);
    expect(sink.take()).toEqual([]);
    mark = ["1", "[]"];
    await clock.pass(1000);
    expect(sink.take()).toEqual(['{"a":[1]}']);
    expect(lags).toEqual([2]);
  });

  it("A source is polled while its change notifications are down or unavailable", async () => {
    await watch("a");
    await clock.pass(1000);
    watch1.isLive = false;
    onChange("possible");
    database.take();
    for (const _ of [1, 2, 3]) await clock.pass(1000);
    expect(database.take()).toHaveLength(3);
    database.source.watch = async () => null;
    await watch("b", { key: "other" });
    for (const _ of [1, 2, 3]) await clock.pass(1000);
    expect(database.take().filter(([set]) => set?.[0] === "b")).toHaveLength(4);
  });

  it("A source with change notifications is queried again for a client that did not take a result", async () => {
    const { sink } = await watch("a");
    sink.take();
    await clock.pass(1000);
    sink.busy = true;
    const other = await watch("a");
    other.sink.take();
    rows.set("a", "1");
    onChange("reported");
    await clock.pass(1000);
    sink.busy = false;
    await clock.pass(1000);
    expect(sink.take()).toEqual(['{"a":1}']);
  });
});

describe("The lag of results", () => {
  beforeEach(() => {
    lags = [];
    const meters = recordingMeters();
    live = new LiveQueries({
      settings: { live: settings, stream: settings },
      continuity: uninterrupted,
      clock,
      meters,
    });
  });

  it("The lag of a polled result counts from the last poll that did not contain the change", async () => {
    await watch("a");
    await clock.pass(1000);
    await clock.pass(400);
    rows.set("a", "1");
    await clock.pass(600);
    expect(lags).toEqual([1]);
    database.answer = () => {
      throw refused;
    };
    await clock.pass(1000);
    database.answer = () => ["2"];
    await clock.pass(2000);
    expect(lags).toEqual([1, 3]);
  });

  it("The lag of a slow consumer counts from its own last result", async () => {
    const slow = await watch("a");
    await watch("a");
    slow.sink.busy = true;
    rows.set("a", "1");
    await clock.pass(1000);
    expect(lags).toEqual([1]);
    slow.sink.busy = false;
    await clock.pass(1000);
    expect(lags).toEqual([1, 2]);
  });
});

describe("Metadata changes", () => {
  it("A metadata change moves subscriptions to their new plans without repeating an unchanged result", async () => {
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

  it("A metadata change during a standstill takes effect before a result is delivered", async () => {
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

  it("A poll that falls due after a standstill waits for the metadata change", async () => {
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

  it("A metadata change ends subscriptions that are no longer valid", async () => {
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

  it("A metadata change discards later results of the old plan", async () => {
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
