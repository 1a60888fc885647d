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

type HighWaterMarkQuery = NonNullable<Cursor["highWaterMark"]>;

export class HighWaterMark {
  readonly #source: DatabaseSource;
  readonly #query: HighWaterMarkQuery;
  #safe: SqlValue = null;
  /** A position that becomes safe when all of these transactions have ended. */
  #next: { readonly position: SqlValue; readonly open: readonly string[] } | undefined;
  #reading: Promise<SqlValue> | undefined;

  constructor(source: DatabaseSource, query: HighWaterMarkQuery) {
    this.#source = source;
    this.#query = query;
  }

  /**
   * Returns the variable sets with the position up to which rows may be delivered.
   * @throws EngineError if the database fails
   */
  async bounded(sets: readonly (readonly SqlValue[])[]): Promise<readonly (readonly SqlValue[])[]> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    const safe = await this.#reading;
    return sets.map((set) => set.with(this.#query.value, safe));
  }

  async #read(): Promise<SqlValue> {
    const [[position = null, list] = []] = await this.#source.query(this.#query.statement, []);
    const open: readonly string[] = JSON.parse(list ?? "[]");
    if (this.#next?.open.every((transaction) => !open.includes(transaction))) {
      this.#safe = this.#next.position;
      this.#next = undefined;
    }
    if (open.length === 0) this.#safe = position;
    else this.#next ??= { position, open };
    return this.#safe;
  }
}
