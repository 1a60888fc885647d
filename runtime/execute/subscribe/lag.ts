/**
 * Measures the time from the commit of a change to its delivery. Databases do not record when a transaction committed,
 * so the measure is an upper bound on the monotonic clock of this process: a result contains all changes committed
 * before its statement began, so a change in a later result was committed after that. A report of the source is a later
 * bound, because it arrives right after the commit.
 */
import type { SourceChange } from "../../databases/sources/source.ts";

/** The first report of the source after a moment. Both are times of the clock. */
export interface ChangeReport {
  readonly since: number;
  /** Undefined without a report. */
  readonly at: number | undefined;
}

/** One run of a statement. */
export interface Run {
  /** For dropping the results of older runs. */
  readonly number: number;
  /** The result contains all changes that were committed before this time; `null` if that is unknown. */
  readonly asOf: number | null;
  /** Absent for the first run of subscribers. */
  readonly report?: ChangeReport | undefined;
}

export class ChangeReports {
  #since = 0;
  #at: number | undefined;

  add(change: SourceChange, now: number): void {
    this.#at ??= change === "reported" ? now : Number.NEGATIVE_INFINITY;
  }

  /** Returns the first report since the last poll, and starts the next poll. */
  take(now: number): ChangeReport {
    const report = { since: this.#since, at: this.#at };
    this.#since = now;
    this.#at = undefined;
    return report;
  }

  /** Keeps a report for the next poll, because rows are held back. */
  keep({ since, at }: ChangeReport): void {
    this.#since = since;
    this.#at = at ?? this.#at;
  }
}

/** Returns a time before the commit of any change that a subscriber with a result of `asOf` lacks. */
export function earliestCommit(asOf: number, report: ChangeReport | undefined): number {
  if (report?.at === undefined || asOf < report.since) return asOf;
  return Math.max(asOf, report.at);
}
