/** What one poll did, as `livequery-poller-log` tells it (`operations.md` 9). Times are in seconds. */
import { type Meters, noIdentity } from "../../ports/metrics.ts";
import { type ErrorBody, errorBody } from "../../values/error-body.ts";
import { EngineError } from "../../values/errors.ts";
import type { Asked, Outcome } from "./ask.ts";
import type { LiveStatement } from "./live-query.ts";

/** One batch: asking and delivering. */
export interface BatchReport {
  readonly asked: Asked;
  readonly databaseSeconds: number;
  readonly pushSeconds: number;
}

export interface PollReport {
  /** A UUID. */
  readonly pollerId: string;
  readonly statement: LiveStatement;
  readonly batchSize: number;
  readonly refetchMilliseconds: number;
  /** Taking stock of who wants an answer. */
  readonly snapshotSeconds: number;
  readonly totalSeconds: number;
  readonly subscribers: number;
  readonly batches: readonly BatchReport[];
}

/** Polls in which nothing failed have no `errors`. */
export interface PollDetail extends Readonly<Record<string, unknown>> {
  readonly errors?: readonly ErrorBody[];
}

/** The report with the names of the log. */
export function pollDetail(report: PollReport): PollDetail {
  const { statement, batches } = report;
  const execution_batches = batches.map(({ asked, databaseSeconds, pushSeconds }, i) => ({
    batch_id: i + 1,
    // Both names are read by tools: the first is that of servers which knew only PostgreSQL.
    pg_execution_time: databaseSeconds,
    db_execution_time: databaseSeconds,
    push_time: pushSeconds,
    batch_response_size_bytes: sizeOf(asked),
  }));
  const errors = distinctErrors(batches.flatMap(({ asked }) => asked.outcomes));
  return {
    poller_id: report.pollerId,
    kind: statement.kind === "live" ? "live-query" : "streaming",
    snapshot_time: report.snapshotSeconds,
    batches: execution_batches,
    execution_batches,
    subscriber_count: report.subscribers,
    total_time: report.totalSeconds,
    source: statement.source.name,
    generated_sql: statement.multiplexed.text,
    role: statement.role,
    subscription_options: { batch_size: report.batchSize, refetch_delay: report.refetchMilliseconds / 1000 },
    ...(errors.length > 0 && { errors }),
  };
}

/** The same for metrics. */
export function measurePoll(meters: Meters, { statement, batches, totalSeconds }: PollReport): void {
  const subscription_kind = statement.kind === "live" ? "live-query" : "streaming";
  const labels = { subscription_kind, ...(statement.about ?? noIdentity) };
  meters.subscriptionTotalTime.record(totalSeconds, labels);
  for (const { databaseSeconds } of batches) meters.subscriptionDatabaseTime.record(databaseSeconds, labels);
}

/** Of the answers of all sets of values, delivered or not, in bytes. */
function sizeOf({ outcomes }: Asked): number {
  let bytes = 0;
  for (const outcome of outcomes) {
    if (outcome.kind === "failed") continue;
    for (const text of outcome.row ?? []) bytes += text === null ? 0 : Buffer.byteLength(text);
  }
  return bytes;
}

/** What is said the same way is said once; what only a mistake of ours can cause is reported elsewhere. */
function distinctErrors(outcomes: readonly Outcome[]): readonly ErrorBody[] {
  const bodies = new Map<string, ErrorBody>();
  for (const outcome of outcomes) {
    if (outcome.kind !== "failed") continue;
    const { error } = outcome;
    const body =
      error instanceof EngineError
        ? errorBody(error, true)
        : { error: "Internal Server Error", path: "$", code: "unexpected" };
    bodies.set(JSON.stringify([body.code, body.path, body.error]), body);
  }
  return [...bodies.values()];
}
