/** A statement that subscriptions share, as `get_live_queries` answers it. Times are in seconds, as in the log. */
import type { LiveStatement } from "./live-query.ts";
import type { PollReport } from "./poll-report.ts";

/** How long the last poll took, and what the database refused then. */
export interface LastPoll {
  /** ISO 8601. */
  readonly at: string;
  readonly total_time: number;
  /** Sets of values. */
  readonly failed: number;
}

export interface LiveQueryEntry {
  readonly kind: "live-query" | "streaming";
  /** Of the operation that asked first. */
  readonly operation_name: string | null;
  readonly role: string;
  readonly source: string;
  readonly subscribers: number;
  /** As it is asked for many subscriptions at once. */
  readonly generated_sql: string;
  /** `null`: nothing was asked again yet. */
  readonly last_poll: LastPoll | null;
}

export function lastPollOf({ batches, totalSeconds }: PollReport): LastPoll {
  const outcomes = batches.flatMap(({ asked }) => asked.outcomes);
  const failed = outcomes.filter(({ kind }) => kind === "failed").length;
  return { at: new Date().toISOString(), total_time: totalSeconds, failed };
}

export function liveQueryEntry(
  { kind, name, role, source, multiplexed }: LiveStatement,
  subscribers: number,
  last_poll: LastPoll | null,
): LiveQueryEntry {
  return {
    kind: kind === "live" ? "live-query" : "streaming",
    operation_name: name,
    role,
    source: source.name,
    subscribers,
    generated_sql: multiplexed.text,
    last_poll,
  };
}
