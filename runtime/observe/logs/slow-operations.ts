/** Operations that took long since the server began: the slowest of each text and role, for `get_slow_operations`. */
import type { GraphqlRequest } from "../../ports/graphql.ts";
import type { SlowOperationSink, SlowRun } from "../../ports/services.ts";

/** Faster ones are not looked at: what every request pays is one comparison. */
export const slowMilliseconds = 100;

/** As `get_slow_operations` answers it. Times are in seconds, as in the log. */
export interface SlowOperation {
  readonly role: string;
  readonly operation_name: string | null;
  /** Its text, cut where it is very long. Values of variables are not kept. */
  readonly query: string;
  /** How often it was slow. */
  readonly count: number;
  /** How often it ended with an error then. */
  readonly failed: number;
  readonly slowest: number;
  readonly mean: number;
  /** ISO 8601. */
  readonly last_at: string;
}

interface Entry {
  readonly role: string;
  readonly operationName: string | null;
  readonly query: string;
  count: number;
  failed: number;
  slowest: number;
  total: number;
  lastAt: number;
}

/** Of different ones. */
const mostKept = 100;
/** Of a text, in characters. */
const longestText = 10_000;

export class SlowOperations implements SlowOperationSink {
  readonly #entries = new Map<string, Entry>();

  note(request: GraphqlRequest, { role, hasFailed, milliseconds }: SlowRun): void {
    const entry = this.#entryOf(request, role, milliseconds);
    if (entry === undefined) return;
    entry.count++;
    if (hasFailed) entry.failed++;
    entry.slowest = Math.max(entry.slowest, milliseconds);
    entry.total += milliseconds;
    entry.lastAt = Date.now();
  }

  /** The slowest first. */
  list(): readonly SlowOperation[] {
    return [...this.#entries.values()]
      .sort((one, other) => other.slowest - one.slowest)
      .map(({ role, operationName, query, count, failed, slowest, total, lastAt }) => ({
        role,
        operation_name: operationName,
        query,
        count,
        failed,
        slowest: seconds(slowest),
        mean: seconds(total / count),
        last_at: new Date(lastAt).toISOString(),
      }));
  }

  /** `undefined`: all that are kept are slower. */
  #entryOf({ query: whole, operationName }: GraphqlRequest, role: string, milliseconds: number): Entry | undefined {
    const query = whole.slice(0, longestText);
    const key = JSON.stringify([role, operationName, query]);
    const known = this.#entries.get(key);
    if (known || !this.#hasPlaceFor(milliseconds)) return known;
    const entry = { role, operationName, query, count: 0, failed: 0, slowest: 0, total: 0, lastAt: 0 };
    this.#entries.set(key, entry);
    return entry;
  }

  /** Makes place where the least slow one of a full list is faster. */
  #hasPlaceFor(milliseconds: number): boolean {
    if (this.#entries.size < mostKept) return true;
    const [key, least] = [...this.#entries].reduce((one, other) => (other[1].slowest < one[1].slowest ? other : one));
    if (least.slowest >= milliseconds) return false;
    return this.#entries.delete(key);
  }
}

/** To a microsecond. */
const seconds = (milliseconds: number): number => Math.round(milliseconds * 1000) / 1_000_000;
