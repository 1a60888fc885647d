/**
 * The clean-ups of all sources (`docs/event-triggers.md`): every minute those that are due are made, every hour, and
 * where
 * the schedules changed, the next ones are scheduled. All instances do so side by side.
 */
import type { EventTriggerDefinition } from "../../model/definitions/events/event-trigger.ts";
import type { Log } from "../../observe/logs/log.ts";
import { EngineError } from "../../values/errors.ts";
import { type DueCleanup, runDueCleanups } from "./cleanup-runs.ts";
import { scheduleCleanups } from "./cleanup-schedule.ts";
import type { EventSource } from "./event-source.ts";
import { hasEventTables } from "./logs.ts";

/** A source of the Generation that is served. */
export interface CleanedSource {
  readonly name: string;
  readonly events: EventSource;
  readonly triggers: readonly EventTriggerDefinition[];
}

export interface CleanupLoopSettings {
  /** The sources as they are when it is called. */
  readonly sources: () => readonly CleanedSource[];
  readonly log: Pick<Log, "warn">;
  /** Told of what no database says: a mistake of ours, after which the loop goes on. */
  readonly reportBug: (bug: unknown) => void;
  readonly intervalMilliseconds?: number;
}

export interface CleanupLoop {
  /** Resolves when the batch that is being deleted is done; others go on with the rest. */
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
          const message = "the clean-up of an event trigger failed";
          log.warn("event-trigger-process", { message, source: source.name, trigger, error: error.message });
        },
        isStopped: () => isStopped,
      });
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      const message = "events cannot be cleaned up";
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
  // What the start of the server does goes first.
  timer = setTimeout(tick).unref();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** The schedules of a source as its database has them, and when that was seen to, by the clock of the process. */
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
