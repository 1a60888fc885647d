/** The report of one poll for `livequery-poller-log` and metrics. Times are in seconds. */
import { type Meters, noIdentity } from "../../ports/metrics.ts";
import { type ErrorBody, errorBody } from "../../values/error-body.ts";
import { EngineError } from "../../values/errors.ts";
import type { LiveStatement } from "./live-query.ts";
import type { BatchResult, Outcome } from "./run-batch.ts";

export interface BatchReport {
  readonly result: BatchResult;
  readonly databaseSeconds: number;
  readonly pushSeconds: number;
}

export interface PollReport {
  /** A UUID. */
  readonly pollerId: string;
  readonly statement: LiveStatement;
  readonly batchSize: number;
  readonly refetchMilliseconds: number;
  /** Time to collect the cohorts of the poll. */
  readonly snapshotSeconds: number;
  readonly totalSeconds: number;
  readonly subscribers: number;
  readonly batches: readonly BatchReport[];
}

/** Polls in which nothing failed have no `errors`. */
export interface PollDetail extends Readonly<Record<string, unknown>> {
  readonly errors?: readonly ErrorBody[];
}

/** Converts a report to the field names of the log. */
export function pollDetail(report: PollReport): PollDetail {
  const { statement, batches } = report;
  const execution_batches = batches.map(({ result, databaseSeconds, pushSeconds }, i) => ({
    batch_id: i + 1,
    // Tools read both names. The first one is from versions that supported only PostgreSQL.
    pg_execution_time: databaseSeconds,
    db_execution_time: databaseSeconds,
    push_time: pushSeconds,
    batch_response_size_bytes: sizeOf(result),
  }));
  const errors = distinctErrors(batches.flatMap(({ result }) => result.outcomes));
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

/** Returns the labels of metrics about a statement. */
export function labelsOf({ kind, about = noIdentity }: LiveStatement) {
  return { subscription_kind: kind === "live" ? "live-query" : "streaming", ...about };
}

export function measurePoll(meters: Meters, { statement, batches, totalSeconds }: PollReport): void {
  const labels = labelsOf(statement);
  meters.subscriptionTotalTime.record(totalSeconds, labels);
  for (const { databaseSeconds } of batches) meters.subscriptionDatabaseTime.record(databaseSeconds, labels);
}

/** Returns the size in bytes of the results of all variable sets, delivered or not. */
function sizeOf({ outcomes }: BatchResult): number {
  let bytes = 0;
  for (const outcome of outcomes) {
    if (outcome.kind === "failed") continue;
    for (const text of outcome.row ?? []) bytes += text === null ? 0 : Buffer.byteLength(text);
  }
  return bytes;
}

/** Returns the distinct errors, without the details of internal errors, which are logged separately. */
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
