/**
 * Collects slow operations since the start of the server, with the slowest run per text and role, for
 * `get_slow_operations`.
 */
import type { GraphqlRequest } from "../../ports/graphql.ts";
import type { SlowOperationSink, SlowRun } from "../../ports/services.ts";

/** Threshold in milliseconds. Faster operations cost one comparison. */
export const slowMilliseconds = 100;

/** An entry in the response of `get_slow_operations`. Times are in seconds, as in the log. */
export interface SlowOperation {
  readonly role: string;
  readonly operation_name: string | null;
  /** Truncated text of the operation. Values of variables are not stored. */
  readonly query: string;
  /** Number of slow runs. */
  readonly count: number;
  /** Number of slow runs that failed. */
  readonly failed: number;
  readonly slowest: number;
  readonly mean: number;
  /** Timestamp in ISO 8601. */
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

/** Maximum number of entries. */
const maxEntries = 100;
/** Maximum length of a stored text in characters. */
const maxTextLength = 10_000;

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

  /** Returns all entries, slowest first. */
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

  /** Returns the entry of an operation, or `undefined` if the list is full of slower operations. */
  #entryOf({ query: whole, operationName }: GraphqlRequest, role: string, milliseconds: number): Entry | undefined {
    const query = whole.slice(0, maxTextLength);
    const key = JSON.stringify([role, operationName, query]);
    const known = this.#entries.get(key);
    if (known || !this.#makeRoomFor(milliseconds)) return known;
    const entry = { role, operationName, query, count: 0, failed: 0, slowest: 0, total: 0, lastAt: 0 };
    this.#entries.set(key, entry);
    return entry;
  }

  /** Removes the fastest entry if the list is full and that entry is faster. Returns true if an entry can be added. */
  #makeRoomFor(milliseconds: number): boolean {
    if (this.#entries.size < maxEntries) return true;
    const [key, least] = [...this.#entries].reduce((one, other) => (other[1].slowest < one[1].slowest ? other : one));
    if (least.slowest >= milliseconds) return false;
    return this.#entries.delete(key);
  }
}

/** Converts to seconds, rounded to a microsecond. */
const seconds = (milliseconds: number): number => Math.round(milliseconds * 1000) / 1_000_000;
