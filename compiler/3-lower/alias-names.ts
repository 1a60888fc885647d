/**
 * Names of the rows that a row filter looks at: `member_1`, `member_2`. They end in an underscore and a number, so
 * that they are no keyword, and none of the `t1`, `t2` of the statements that filters stand in.
 */

/** PostgreSQL cuts names after 63 bytes. */
const maximumLength = 50;

/** The names of one filter; all differ. */
export class AliasNames {
  readonly #numbers = new Map<string, number>();

  /** A new name for a row of this table. */
  next(table: string): string {
    const words = table.toLowerCase().replace(/[^a-z0-9_]+/g, "_");
    const base = (/^[a-z]/.test(words) ? words : `r_${words}`).slice(0, maximumLength);
    const number = (this.#numbers.get(base) ?? 0) + 1;
    this.#numbers.set(base, number);
    return `${base}_${number}`;
  }
}
