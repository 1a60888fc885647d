/**
 * The high-water mark of a stream: the cursor position up to which rows can be delivered without missing any. Values of
 * a cursor column, for example from a sequence, are assigned before their transactions commit, so a row with a smaller
 * value may still appear while an older transaction is open.
 *
 * A committed position is safe once all transactions that were open at that time have ended: any smaller value was
 * assigned in one of them, and every later statement sees its row.
 */
import type { DatabaseSource, SqlValue } from "../../databases/sources/source.ts";
import type { Cursor } from "./live-query.ts";
import type { Clock } from "./schedule.ts";

type HighWaterMarkQuery = NonNullable<Cursor["highWaterMark"]>;

interface Mark {
  readonly position: SqlValue;
  /** When the position was read; `null` before the first read. */
  readonly asOf: number | null;
}

export class HighWaterMark {
  readonly #source: DatabaseSource;
  readonly #query: HighWaterMarkQuery;
  readonly #now: Clock["now"];
  #safe: Mark = { position: null, asOf: null };
  /** A position that becomes safe when all of these transactions have ended. */
  #next: (Mark & { readonly open: readonly string[] }) | undefined;
  #reading: Promise<Mark> | undefined;

  constructor(source: DatabaseSource, query: HighWaterMarkQuery, now: Clock["now"]) {
    this.#source = source;
    this.#query = query;
    this.#now = now;
  }

  /** True if rows wait for the end of transactions. */
  get isHolding(): boolean {
    return this.#next !== undefined;
  }

  /**
   * Returns the variable sets with the position up to which rows may be delivered, and the time of `now` at which it was
   * the last one.
   * @throws EngineError if the database fails
   */
  async bounded(
    sets: readonly (readonly SqlValue[])[],
  ): Promise<{ readonly sets: readonly (readonly SqlValue[])[]; readonly asOf: number | null }> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    const { position, asOf } = await this.#reading;
    return { sets: sets.map((set) => set.with(this.#query.value, position)), asOf };
  }

  async #read(): Promise<Mark> {
    const asOf = this.#now();
    const [[position = null, list] = []] = await this.#source.query(this.#query.statement, []);
    const open: readonly string[] = JSON.parse(list ?? "[]");
    if (this.#next?.open.every((transaction) => !open.includes(transaction))) {
      this.#safe = this.#next;
      this.#next = undefined;
    }
    if (open.length === 0) this.#safe = { position, asOf };
    else this.#next ??= { position, asOf, open };
    return this.#safe;
  }
}
