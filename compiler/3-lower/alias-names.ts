/**
 * Aliases of the tables in subqueries of a row filter: `member_1`, `member_2`. The suffix of underscore and number
 * prevents clashes with keywords and with the aliases `t1`, `t2` of the surrounding statement.
 */

/** Shorter than PostgreSQL's limit of 63 bytes for identifiers, which then also covers the suffix. */
const maximumLength = 50;

/** The distinct aliases of one filter. */
export class AliasNames {
  readonly #numbers = new Map<string, number>();

  /** Returns an unused alias for a table. */
  next(table: string): string {
    const words = table.toLowerCase().replace(/[^a-z0-9_]+/g, "_");
    const base = (/^[a-z]/.test(words) ? words : `r_${words}`).slice(0, maximumLength);
    const number = (this.#numbers.get(base) ?? 0) + 1;
    this.#numbers.set(base, number);
    return `${base}_${number}`;
  }
}
