/**
 * The high-water mark of a stream: the cursor position up to which rows can be delivered without missing any. Values of
 * a cursor column, for example from a sequence, are assigned before their transactions commit, so a row with a smaller
 * value may still appear while an older transaction is open.
 *
 * A committed position is safe once all transactions that were open at that time have ended: any smaller value was
 * assigned in one of them, and every later statement sees its row.
 */
import type { DatabaseSource, SqlValue } from "../../databases/sources/source.ts";
import type { Caller } from "../../values/caller.ts";
import type { Cursor } from "./live-query.ts";
import type { Clock } from "./schedule.ts";

export interface HighWaterMarkParts {
  readonly source: DatabaseSource;
  readonly query: NonNullable<Cursor["highWaterMark"]>;
  readonly clock: Clock;
  /** Client of the reads, which end when it is gone. */
  readonly caller: Caller;
  /** Transactions that stay open for longer no longer hold rows back; `null`: without limit. In milliseconds. */
  readonly maxHold: number | null;
}

interface Mark {
  /** Its columns; empty before the first read. */
  readonly position: readonly SqlValue[];
  /** When the position was read; `null` before the first read. */
  readonly asOf: number | null;
}

/**
 * Pauses in milliseconds before the mark is read again within one poll, if rows wait for transactions. Most transactions
 * end within this time, so that rows under load need not wait for the next poll.
 */
const pauses = [10, 20, 40, 80] as const;

export class HighWaterMark {
  readonly #parts: HighWaterMarkParts;
  #safe: Mark = { position: [], asOf: null };
  /** A position that becomes safe when all of these transactions have ended. */
  #next: (Mark & { readonly open: readonly string[] }) | undefined;
  /** When each open transaction was first seen. */
  #seen = new Map<string, number>();
  #reading: Promise<Mark> | undefined;

  constructor(parts: HighWaterMarkParts) {
    this.#parts = parts;
  }

  /** True if rows may wait for the end of transactions. */
  get isHolding(): boolean {
    return this.#next !== undefined;
  }

  /**
   * Returns the variable sets with the position up to which rows may be delivered, and the time at which it was the last
   * one.
   * @throws EngineError if the database fails
   */
  async bounded(
    sets: readonly (readonly SqlValue[])[],
  ): Promise<{ readonly sets: readonly (readonly SqlValue[])[]; readonly asOf: number | null }> {
    this.#reading ??= this.#readPatiently().finally(() => {
      this.#reading = undefined;
    });
    const { position, asOf } = await this.#reading;
    const { values } = this.#parts.query;
    return { sets: sets.map((set) => withValues(set, values, position)), asOf };
  }

  async #readPatiently(): Promise<Mark> {
    await this.#read();
    const first = this.#next;
    for (const pause of pauses) {
      if (first === undefined || this.#next !== first || isSame(first, this.#safe)) break;
      await new Promise<void>((resolve) => void this.#parts.clock.after(pause, resolve));
      await this.#read();
    }
    return this.#safe;
  }

  async #read(): Promise<void> {
    const { source, query, clock, caller } = this.#parts;
    const asOf = clock.now();
    const [row = []] = await source.query(query.statement, [], caller);
    const position = row.slice(0, -1);
    const open = this.#awaited(JSON.parse(row.at(-1) ?? "[]"), asOf);
    if (this.#next?.open.every((transaction) => !open.includes(transaction))) {
      this.#safe = this.#next;
      this.#next = undefined;
    }
    if (open.length === 0) this.#safe = { position, asOf };
    else this.#next ??= { position, asOf, open };
  }

  /** Returns the open transactions that hold rows back. */
  #awaited(open: readonly string[], now: number): readonly string[] {
    const { maxHold } = this.#parts;
    this.#seen = new Map(open.map((transaction) => [transaction, this.#seen.get(transaction) ?? now]));
    if (maxHold === null) return open;
    return open.filter((transaction) => now - (this.#seen.get(transaction) ?? now) < maxHold);
  }
}

function isSame(one: Mark, other: Mark): boolean {
  return JSON.stringify(one.position) === JSON.stringify(other.position);
}

function withValues(
  set: readonly SqlValue[],
  indexes: readonly number[],
  values: readonly SqlValue[],
): readonly SqlValue[] {
  return indexes.reduce((changed, index, i) => changed.with(index, values[i] ?? null), set);
}
