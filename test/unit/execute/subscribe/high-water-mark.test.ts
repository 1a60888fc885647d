/** Streams with a high-water mark miss no row, whatever the order of commits. */
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import type { DatabaseSource, SqlValue } from "../../../../runtime/databases/sources/source.ts";
import { HighWaterMark } from "../../../../runtime/execute/subscribe/high-water-mark.ts";
import type { Clock } from "../../../../runtime/execute/subscribe/schedule.ts";
import { ManualClock, settled } from "./scripted.ts";

const caller = { aborted: false };

/** A clock that does not advance and calls at once. */
const instant: Clock = {
  now: () => 0,
  after: (_milliseconds, call) => {
    call();
    return () => undefined;
  },
};

/** A step in the database; a number identifies a transaction. */
type Step = { readonly kind: "write" | "commit"; readonly transaction: number } | { readonly kind: "poll" };

const transaction = fc.integer({ min: 0, max: 4 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom("write" as const, "commit" as const), transaction }),
  fc.record({ kind: fc.constant("poll" as const) }),
);

/** A table with a sequence: values are assigned by writes, rows become visible by commits. */
class Table {
  readonly committed: number[] = [];
  readonly #open = new Map<number, { readonly id: string; readonly rows: number[] }>();
  #value = 0;
  #transactions = 0;

  write(name: number): void {
    const open = this.#open.get(name) ?? { id: `1/${++this.#transactions}`, rows: [] };
    this.#open.set(name, open);
    open.rows.push(++this.#value);
  }

  commit(name: number): void {
    this.committed.push(...(this.#open.get(name)?.rows ?? []));
    this.#open.delete(name);
  }

  commitAll(): void {
    for (const name of [...this.#open.keys()]) this.commit(name);
  }

  highWaterMark(): readonly [string | null, string] {
    const last = this.committed.length === 0 ? null : String(Math.max(...this.committed));
    return [last, JSON.stringify([...this.#open.values()].map(({ id }) => id))];
  }
}

async function delivered(steps: readonly Step[], limit: number, isHeldBack: boolean): Promise<readonly number[][]> {
  const table = new Table();
  const source = { query: async () => [table.highWaterMark()] } as Partial<DatabaseSource> as DatabaseSource;
  const highWaterMark = new HighWaterMark({
    source,
    query: { statement: { text: "" }, values: [1] },
    clock: instant,
    caller,
    maxHold: null,
  });
  const taken: number[] = [];
  const poll = async (): Promise<void> => {
    const cursor = taken.at(-1) ?? 0;
    const { sets } = await highWaterMark.bounded([[String(cursor), null]]);
    const bound = isHeldBack ? sets[0]?.[1] : String(Number.MAX_SAFE_INTEGER);
    const next = table.committed.filter(
      (value) => value > cursor && typeof bound === "string" && value <= Number(bound),
    );
    taken.push(...next.sort((a, b) => a - b).slice(0, limit));
  };
  for (const each of steps) {
    if (each.kind === "poll") await poll();
    else table[each.kind](each.transaction);
  }
  table.commitAll();
  for (let i = 0; i <= table.committed.length + 1; i++) await poll();
  return [taken, table.committed.sort((a, b) => a - b)];
}

const steps = fc.array(step, { maxLength: 40 });
const limit = fc.integer({ min: 1, max: 3 });

it("Streams deliver every row once and in order, even if rows are committed late", async () => {
  await fc.assert(
    fc.asyncProperty(steps, limit, async (given, max) => {
      const [taken, all] = await delivered(given, max, true);
      expect(taken).toEqual(all);
    }),
    { numRuns: 500 },
  );
});

it("Without the high-water mark, streams lose rows on the same tables", async () => {
  const lose = fc.asyncProperty(steps, limit, async (given, max) => {
    const [taken, all] = await delivered(given, max, false);
    expect(taken).toEqual(all);
  });
  expect((await fc.check(lose, { numRuns: 500 })).failed).toBe(true);
});

it("Concurrent reads of the high-water mark share one statement", async () => {
  let reads = 0;
  const source = {
    query: async () => {
      reads++;
      return [["5", "[]"]];
    },
  } as Partial<DatabaseSource> as DatabaseSource;
  const highWaterMark = new HighWaterMark({
    source,
    query: { statement: { text: "" }, values: [0] },
    clock: instant,
    caller,
    maxHold: null,
  });
  const bounded = await Promise.all([highWaterMark.bounded([[null, "a"]]), highWaterMark.bounded([[null, "b"]])]);
  expect(bounded).toEqual([
    { sets: [["5", "a"]], asOf: 0 },
    { sets: [["5", "b"]], asOf: 0 },
  ]);
  expect(reads).toBe(1);
});

describe("The high-water mark while transactions are open", () => {
  let row: readonly [string, string];
  let reads: number;
  let clock: ManualClock;
  const source = {
    query: async () => {
      reads++;
      return [row];
    },
  } as Partial<DatabaseSource> as DatabaseSource;
  const query = { statement: { text: "" }, values: [0] };

  beforeEach(() => {
    reads = 0;
    clock = new ManualClock();
  });

  async function boundOf(mark: HighWaterMark): Promise<SqlValue | undefined> {
    const reading = mark.bounded([[null]]);
    await settled();
    for (const pause of [10, 20, 40, 80]) await clock.pass(pause);
    return (await reading).sets[0]?.[0];
  }

  it("Rows wait within the poll for transactions that end soon", async () => {
    const mark = new HighWaterMark({ source, query, clock, caller, maxHold: null });
    row = ["7", '["3/1"]'];
    const reading = mark.bounded([[null]]);
    await settled();
    await clock.pass(10);
    // Another transaction began in the meantime.
    row = ["8", '["3/2"]'];
    await clock.pass(20);
    expect(await reading).toEqual({ sets: [["7"]], asOf: 0 });
    expect(reads).toBe(3);
  });

  it("A transaction holds rows back for the maximum time, and later rows no longer", async () => {
    const mark = new HighWaterMark({ source, query, clock, caller, maxHold: 10_000 });
    row = ["7", '["3/1"]'];
    expect(await boundOf(mark)).toBeNull();
    await clock.pass(5000);
    expect(await boundOf(mark)).toBeNull();
    await clock.pass(5000);
    expect(await boundOf(mark)).toBe("7");
    row = ["8", '["3/1"]'];
    expect(await boundOf(mark)).toBe("8");
    row = ["9", '["3/1", "4/1"]'];
    expect(await boundOf(mark)).toBe("8");
  });

  it("A transaction holds rows back without limit if there is no maximum time", async () => {
    const mark = new HighWaterMark({ source, query, clock, caller, maxHold: null });
    row = ["7", '["3/1"]'];
    expect(await boundOf(mark)).toBeNull();
    await clock.pass(3_600_000);
    expect(await boundOf(mark)).toBeNull();
    expect(mark.isHolding).toBe(true);
  });
});
