/**
 * How far a stream may go without missing a row. Values of a cursor column, such as those of a sequence, are given out
 * before their transactions commit: a row with a smaller value may still come while an older transaction is open.
 *
 * A place that was committed when these transactions were open is safe once all of them have ended: whoever got a
 * smaller value got it before, in a transaction that was open then, and its row is seen by every later statement.
 */
import type { DatabaseSource, SqlValue } from "../../databases/sources/source.ts";
import type { Cursor } from "./live-query.ts";

type FrontierStatement = NonNullable<Cursor["frontier"]>;

export class Frontier {
  readonly #source: DatabaseSource;
  readonly #asked: FrontierStatement;
  #safe: SqlValue = null;
  /** A place that becomes safe when all of these transactions have ended. */
  #next: { readonly place: SqlValue; readonly open: readonly string[] } | undefined;
  #looking: Promise<SqlValue> | undefined;

  constructor(source: DatabaseSource, asked: FrontierStatement) {
    this.#source = source;
    this.#asked = asked;
  }

  /**
   * Sets of values with the place up to which rows may be delivered now.
   * @throws EngineError of the database
   */
  async bounded(sets: readonly (readonly SqlValue[])[]): Promise<readonly (readonly SqlValue[])[]> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    const safe = await this.#looking;
    return sets.map((set) => set.with(this.#asked.value, safe));
  }

  async #look(): Promise<SqlValue> {
    const [[place = null, list] = []] = await this.#source.query(this.#asked.statement, []);
    const open: readonly string[] = JSON.parse(list ?? "[]");
    if (this.#next?.open.every((transaction) => !open.includes(transaction))) {
      this.#safe = this.#next.place;
      this.#next = undefined;
    }
    if (open.length === 0) this.#safe = place;
    else this.#next ??= { place, open };
    return this.#safe;
  }
}
