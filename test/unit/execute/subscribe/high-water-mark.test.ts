/** Streams with a high-water mark miss no row, whatever the order of commits. */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { DatabaseSource } from "../../../../runtime/databases/sources/source.ts";
import { HighWaterMark } from "../../../../runtime/execute/subscribe/high-water-mark.ts";

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
  const highWaterMark = new HighWaterMark(source, { statement: { text: "" }, value: 1 }, () => 0);
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
  const highWaterMark = new HighWaterMark(source, { statement: { text: "" }, value: 0 }, () => 7);
  const bounded = await Promise.all([highWaterMark.bounded([[null, "a"]]), highWaterMark.bounded([[null, "b"]])]);
  expect(bounded).toEqual([
    { sets: [["5", "a"]], asOf: 7 },
    { sets: [["5", "b"]], asOf: 7 },
  ]);
  expect(reads).toBe(1);
});
