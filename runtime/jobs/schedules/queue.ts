/** The shared queue of scheduled events. */
import type { AutomationDatabase } from "../delivery/database.ts";
import type { CallResult, Instances, Queue, QueuedCall, Share, Taken } from "../delivery/queue.ts";
import { type EventKind, finishStatement, nextStatement, takeStatement } from "./statements.ts";

export interface ScheduledCall extends QueuedCall {
  readonly scheduledTime: Date;
  readonly createdAt: Date;
  /** Delay in seconds when the event was claimed, by the clock of the database. */
  readonly lateSeconds: number;
  /** True if an earlier event of the trigger is in flight or waits for a retry. */
  readonly isBusy: boolean;
  /** True if no later event of the trigger is due. */
  readonly isLatest: boolean;
  /** True if the event had ended and was redelivered. */
  readonly isRedelivered: boolean;
  /** JSON text of the definition of a one-off event; `null` for cron triggers. */
  readonly definition: string | null;
}

export interface ScheduleQueueParts {
  readonly kind: EventKind;
  readonly database: AutomationDatabase;
  readonly instances: Instances;
  /** Returns the lanes that allow only one call in flight. */
  readonly single: () => readonly string[];
}

export class ScheduleQueue implements Queue<ScheduledCall> {
  readonly name: string;
  readonly logType = "scheduled-trigger-process";
  readonly instances: Instances;
  readonly #parts: ScheduleQueueParts;

  constructor(parts: ScheduleQueueParts) {
    this.#parts = parts;
    this.name = parts.kind;
    this.instances = parts.instances;
  }

  async take(instance: string, shares: readonly Share[], limit: number): Promise<Taken<ScheduledCall>> {
    const { kind, database, single } = this.#parts;
    const lanes = shares.map(({ lane }) => lane);
    const counts = shares.map(({ count }) => count);
    const values = [instance, lanes, counts, single(), limit, database.time()];
    const rows = await database.query(takeStatement(kind), values);
    return { calls: rows.map((row) => callOf(row, instance)), held: new Set(), unfinished: new Set() };
  }

  async finish(results: readonly CallResult[]): Promise<void> {
    const { kind, database } = this.#parts;
    await database.query(finishStatement(kind), [
      results.map(({ id }) => id),
      results.map(({ instance }) => instance),
      results.map(({ state }) => state),
      results.map(({ waitSeconds }) => waitSeconds ?? 0),
      results.map(({ log }) => log?.status ?? null),
      results.map(({ log }) => log?.request ?? null),
      results.map(({ log }) => log?.response ?? null),
      database.time(),
    ]);
  }

  async wait(_instance: string, lanes: readonly string[]): Promise<number | undefined> {
    const { kind, database } = this.#parts;
    const [row] = await database.query(nextStatement(kind), [lanes, database.time()]);
    return typeof row?.seconds === "number" ? row.seconds : undefined;
  }

  /** Has no effect: new events are rarely due immediately, and polling finds them within a second. */
  async stopWaiting(): Promise<void> {}
}

function callOf(row: Readonly<Record<string, unknown>>, instance: string): ScheduledCall {
  return {
    id: String(row.id),
    lane: String(row.lane),
    instance,
    tries: Number(row.tries),
    scheduledTime: row.scheduled_time as Date,
    createdAt: row.created_at as Date,
    lateSeconds: Number(row.late_seconds),
    isBusy: row.is_busy === true,
    isLatest: row.is_latest === true,
    isRedelivered: row.is_redelivered === true,
    definition: row.definition === null ? null : String(row.definition),
  };
}
