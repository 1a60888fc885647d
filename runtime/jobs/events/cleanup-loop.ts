/**
 * Runs the clean-ups of all sources (`docs/how-to/event-triggers.md`): due clean-ups every minute; the next ones are scheduled
 * every hour and after a change of the schedules. All instances run this loop.
 */

import type { EventTriggerDefinition } from "../../model/definitions/events/event-trigger.ts";
import type { Log } from "../../observe/logs/log.ts";
import { timesAfter } from "../../values/cron.ts";
import { EngineError } from "../../values/errors.ts";
import { batchSizeOf, type DeletedBatch, deleteBatch, deletedOf, type OldEvents, optionsOf } from "./cleanup.ts";
import type { EventSource } from "./event-source.ts";
import { hasEventTables } from "./logs.ts";

/** A source of the current generation. */
export interface CleanedSource {
  readonly name: string;
  readonly events: EventSource;
  readonly triggers: readonly EventTriggerDefinition[];
}

export interface CleanupLoopSettings {
  /** Returns the current sources. */
  readonly sources: () => readonly CleanedSource[];
  readonly log: Pick<Log, "warn">;
  /** Reports unexpected exceptions. The loop continues. */
  readonly reportBug: (bug: unknown) => void;
  readonly intervalMilliseconds?: number;
}

export interface CleanupLoop {
  /** Resolves after the current batch. Other instances run the remaining batches. */
  stop(): Promise<void>;
}

const minute = 60_000;
const hour = 60 * minute;

export function startCleanups(settings: CleanupLoopSettings): CleanupLoop {
  const { sources, log, reportBug, intervalMilliseconds = minute } = settings;
  const scheduled = new Map<string, Scheduled>();
  let isStopped = false;
  let running = Promise.resolve();

  const cleanUp = async (source: CleanedSource): Promise<void> => {
    const cleanups = dueCleanups(source.triggers);
    if (cleanups.length === 0) return;
    try {
      if (!(await hasEventTables(source.events))) return;
      await scheduleWhereNeeded(source, scheduled);
      await runDueCleanups(source.events, cleanups, {
        failed: (trigger, error) => {
          const message = "failed to clean up the events of a trigger";
          log.warn("event-trigger-process", { message, source: source.name, trigger, error: error.message });
        },
        isStopped: () => isStopped,
      });
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      const message = "failed to clean up events";
      log.warn("event-trigger-process", { message, source: source.name, error: error.message });
    }
  };

  let timer: NodeJS.Timeout;
  const cleanUpAll = async (): Promise<void> => {
    try {
      await Promise.all(sources().map(cleanUp));
    } catch (bug) {
      reportBug(bug);
    }
    if (!isStopped) timer = setTimeout(tick, intervalMilliseconds).unref();
  };
  const tick = (): void => {
    running = cleanUpAll();
  };
  // Runs after the startup work of the server.
  timer = setTimeout(tick).unref();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** The schedules stored in the database of a source, and when they were written, on the clock of `performance.now`. */
interface Scheduled {
  readonly schedules: string;
  readonly at: number;
}

async function scheduleWhereNeeded(
  { name, events, triggers }: CleanedSource,
  scheduled: Map<string, Scheduled>,
): Promise<void> {
  const cleanups = triggers.flatMap(({ name: trigger, cleanup }) =>
    cleanup === undefined ? [] : [{ trigger, schedule: cleanup.schedule }],
  );
  const schedules = JSON.stringify(cleanups);
  const before = scheduled.get(name);
  const at = performance.now();
  if (before?.schedules === schedules && at - before.at < hour) return;
  await scheduleCleanups(events, cleanups);
  scheduled.set(name, { schedules, at });
}

function dueCleanups(triggers: readonly EventTriggerDefinition[]): readonly DueCleanup[] {
  return triggers.flatMap(({ name, cleanup }) => {
    if (cleanup === undefined) return [];
    const { clearOlderThanHours, batchSize, timeoutSeconds, cleanInvocationLogs, paused } = cleanup;
    const olderThanHours = clearOlderThanHours;
    return [{ trigger: name, olderThanHours, batchSize, timeoutSeconds, withInvocations: cleanInvocationLogs, paused }];
  });
}

// Schedules the clean-ups of triggers: rows in the source, written ahead of time by any instance.

interface ScheduledCleanup {
  readonly trigger: string;
  /** Five fields, UTC. */
  readonly schedule: string;
}

/**
 * Number of times computed ahead: the maximum number added in one batch plus the minimum number left. Scheduled runs
 * are among these times.
 */
const timesAhead = 55;

/**
 * Ensures that each trigger has future runs at exactly the times of its schedule (`docs/how-to/event-triggers.md`), by the
 * clock of the database.
 */
export async function scheduleCleanups(
  { database, cleanup }: EventSource,
  cleanups: readonly ScheduledCleanup[],
): Promise<void> {
  if (cleanups.length === 0) return;
  const [[now] = []] = await database.query({ text: cleanup.now, onlyReads: true }, []);
  const after = new Date(String(now));
  for (const { trigger, schedule } of cleanups) {
    const times = timesAfter({ cron: schedule, timezone: "UTC" }, after, timesAhead).map((time) => time.toISOString());
    await database.executeAlone({ isolation: "read-committed", errors: "dml" }, { text: cleanup.schedule }, [
      trigger,
      JSON.stringify(times),
    ]);
  }
}

// Runs the due clean-ups of a source (`docs/how-to/event-triggers.md`). Instances share the work batch by batch: each batch is
// one transaction that locks the row of its run and adds to its counts. An instance that finds the row locked skips the
// run; after a crash, any instance continues it.

export interface DueCleanup extends OldEvents {
  readonly paused: boolean;
}

interface CleanupReport {
  /** Reports a failed run. It is not repeated. */
  readonly failed: (trigger: string, error: EngineError) => void;
  /** Returns true if the instance is shutting down. Other instances continue. */
  readonly isStopped: () => boolean;
}

/**
 * Runs all due clean-ups.
 * @throws EngineError if the runs cannot be read
 */
export async function runDueCleanups(
  source: EventSource,
  cleanups: readonly DueCleanup[],
  report: CleanupReport,
): Promise<void> {
  if (cleanups.length === 0) return;
  const names = JSON.stringify(cleanups.map(({ trigger }) => trigger));
  const due = await source.database.executeAlone({ errors: "dml" }, { text: source.cleanup.due }, [names]);
  for (const [trigger, run] of due) {
    const found = cleanups.find((each) => each.trigger === trigger);
    if (found === undefined || typeof run !== "string" || report.isStopped()) continue;
    await runCleanup(source, run, found, report);
  }
}

async function runCleanup(source: EventSource, run: string, due: DueCleanup, report: CleanupReport): Promise<void> {
  const { database, cleanup } = source;
  const write = (text: string, ...values: string[]) =>
    database.executeAlone(optionsOf(due), { text }, [run, ...values]);
  await write(cleanup.skipOlder);
  if (due.paused) {
    await write(cleanup.end, "paused");
    return;
  }
  try {
    let from: string | null = null;
    while (!report.isStopped()) {
      const batch = await runBatch(source, run, due, from);
      if (batch === "finished") break;
      from = batch.last;
    }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    report.failed(due.trigger, error);
    await write(cleanup.end, "dead");
  }
}

/** Deletes one batch. Returns `finished` also if another instance holds the run or has ended it. */
function runBatch(
  source: EventSource,
  run: string,
  due: DueCleanup,
  from: string | null,
): Promise<DeletedBatch | "finished"> {
  return source.database.transaction(optionsOf(due), async (transaction) => {
    const claimed = await transaction.query({ text: source.cleanup.claim }, [run]);
    if (claimed.length === 0) return "finished";
    const { statement, values } = deleteBatch(source.cleanup, due, from);
    const deleted = deletedOf(await transaction.query(statement, values));
    const { events, invocations } = deleted;
    const isFinished = events < batchSizeOf(due);
    const status = isFinished ? "completed" : "scheduled";
    await transaction.query({ text: source.cleanup.record }, [run, String(events), String(invocations), status]);
    return isFinished ? "finished" : deleted;
  });
}
