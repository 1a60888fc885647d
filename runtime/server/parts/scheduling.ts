/** Runs schedules: generates events in advance, delivers due events, and deletes ended events. */

import type { Environment } from "../../config/options.ts";
import type { Generation } from "../../execute/generation.ts";
import type { AutomationDatabase } from "../../jobs/delivery/database.ts";
import { generate, reconcile } from "../../jobs/schedules/generator.ts";
import type { OperationServices } from "../../jobs/schedules/run-operation.ts";
import { ScheduleDelivery } from "../../jobs/schedules/schedule-delivery.ts";
import { type EventKind, oneOffLane, removeEndedStatement } from "../../jobs/schedules/statements.ts";
import type { CronTriggerDefinition } from "../../model/definitions/schedules/cron-trigger.ts";
import type { Log } from "../../observe/logs/log.ts";
import { logDelivering } from "../../observe/logs/startup-steps.ts";
import type { Telemetry } from "../../ports/telemetry.ts";
import { latestTime } from "../../values/cron.ts";
import { messageOf } from "../../values/message-of.ts";
import { type AutomaticOptions, idleBy, undeliveredBy } from "./delivering.ts";

export interface SchedulingSettings {
  readonly options: AutomaticOptions;
  readonly environment: Environment;
  readonly version: string;
  readonly log: Log;
  readonly telemetry: Telemetry;
  readonly database: AutomationDatabase;
  readonly operations: OperationServices;
  readonly generation: () => Pick<Generation, "cronTriggers" | "tlsAllowlist">;
  /** Returns the names of all cron triggers in the metadata, including inconsistent ones. */
  readonly names: () => readonly string[];
}

export interface Scheduling {
  /** Applies the current generation. Resolves when the stored events match the triggers. */
  refresh(): Promise<void>;
  /** Delivers due events soon, because an event has been created or redelivered. */
  wake(): void;
  /** Stops, and waits for deliveries in progress at most this long. Idempotent. */
  stop(milliseconds: number): Promise<void>;
}

/** The interval in milliseconds at which missing events are generated (`docs/how-to/schedules.md`). */
const generatingInterval = 60_000;
const hour = 3_600_000;
/** The number of runs per log line. */
const runsPerLine = 10;

export function openScheduling(settings: SchedulingSettings): Scheduling {
  const { options, log } = settings;
  logDelivering(log, "scheduled_triggers", undeliveredOf(options));
  return idleBy(options) === undefined ? new RunningSchedules(settings) : idle;
}

function undeliveredOf(options: AutomaticOptions): string | undefined {
  return undeliveredBy(options, { "--events-fetch-batch-size": options.eventsFetchBatchSize });
}

const idle: Scheduling = { refresh: async () => undefined, wake: () => undefined, stop: async () => undefined };

class RunningSchedules implements Scheduling {
  readonly #settings: SchedulingSettings;
  readonly #delivery: ScheduleDelivery | undefined;
  readonly #timer: NodeJS.Timeout;
  /** The last task; tasks on events run one at a time. */
  #last: Promise<void> = Promise.resolve();
  /** True if reconciling failed and must be retried. */
  #isPending = false;
  #runs = 0;
  #cleaned = new Date();
  #cleanedOneOff = 0;
  #isStopped = false;
  #triggers: readonly CronTriggerDefinition[] = [];
  #reconciled: string | undefined;

  constructor(settings: SchedulingSettings) {
    const { options, generation } = settings;
    this.#settings = settings;
    // Another instance may deliver instead.
    const delivers = undeliveredOf(options) === undefined;
    const uncheckedHosts = () => generation().tlsAllowlist;
    this.#delivery = delivers ? new ScheduleDelivery({ ...settings, uncheckedHosts }) : undefined;
    this.#delivery?.start();
    this.#timer = setInterval(() => void this.#run(), generatingInterval);
    this.#timer.unref();
  }

  refresh(): Promise<void> {
    const triggers = this.#settings.generation().cronTriggers();
    if (!isSameList(triggers, this.#triggers)) this.#delivery?.setTriggers(triggers);
    this.#triggers = triggers;
    // Most metadata changes do not affect schedules, and need not wait for the database.
    if (!this.#isPending && this.#scheduleKey() === this.#reconciled) return Promise.resolve();
    return this.#alone(() => this.#reconcile());
  }

  wake(): void {
    this.#delivery?.wake();
  }

  async stop(milliseconds: number): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#delivery?.stop(milliseconds);
  }

  async #reconcile(): Promise<void> {
    const { database, generation, names } = this.#settings;
    const key = this.#scheduleKey();
    this.#isPending = true;
    await reconcile(database, names(), generation().cronTriggers());
    this.#isPending = false;
    this.#reconciled = key;
    this.#delivery?.wakeCron();
  }

  /** Returns a key of all settings that determine the events. */
  #scheduleKey(): string {
    const { generation, names } = this.#settings;
    const schedules = generation()
      .cronTriggers()
      .map(({ name, schedule, timezone }) => [name, schedule, timezone]);
    return JSON.stringify([names(), schedules]);
  }

  #run(): Promise<void> {
    return this.#alone(async () => {
      if (this.#isPending) await this.#reconcile();
      const { database, generation, log } = this.#settings;
      const triggers = generation().cronTriggers();
      const upcoming = triggers.length === 0 ? [] : await generate(database, triggers);
      this.#runs++;
      if (this.#runs % runsPerLine === 0) {
        log.debug("cron-event-generator-process", { cron_triggers: upcoming, num_fetches: runsPerLine });
      }
      await this.#cleanUp();
    });
  }

  async #cleanUp(): Promise<void> {
    const { database, generation, options } = this.#settings;
    const now = new Date();
    const due = [...dueCleanUps(generation().cronTriggers(), { since: this.#cleaned, now })];
    this.#cleaned = now;
    const hours = options.scheduledEventsClearOlderThan;
    if (hours > 0 && now.getTime() - this.#cleanedOneOff > hour) {
      due.push(oneOffCleanUp(hours));
      this.#cleanedOneOff = now.getTime();
    }
    for (const each of due) await cleanUp(database, each);
  }

  /** Runs a task after the previous ones. Logs its error, which comes from the database; the next run retries. */
  #alone(work: () => Promise<void>): Promise<void> {
    const next = this.#last.then(async () => {
      if (this.#isStopped) return;
      try {
        await work();
      } catch (error) {
        const message = messageOf(error);
        this.#settings.log.error("cron-event-generator-process", { message });
      }
    });
    this.#last = next;
    return next;
  }
}

function isSameList<T>(left: readonly T[], right: readonly T[]): boolean {
  return left.length === right.length && left.every((item, index) => item === right[index]);
}

// Deletes ended events of schedules with their invocation logs, in batches that block no delivery.

/** Maximum number of rows per statement. */
const maxRows = 10_000;

interface CleanUp {
  readonly kind: EventKind;
  readonly lane: string;
  readonly olderThanHours: number;
  readonly batchSize: number;
}

/** Deletes ended events. Returns their number. */
export async function cleanUp(
  database: AutomationDatabase,
  { kind, lane, olderThanHours, batchSize }: CleanUp,
): Promise<number> {
  const size = Math.min(Math.max(batchSize, 1), maxRows);
  let total = 0;
  for (;;) {
    const values = [lane, olderThanHours, size, database.time()];
    const deleted = (await database.query(removeEndedStatement(kind), values)).length;
    total += deleted;
    if (deleted < size) return total;
  }
}

/**
 * Returns the clean-ups that became due after `since`. Several instances may run the same clean-up, which is harmless.
 */
export function dueCleanUps(
  triggers: readonly CronTriggerDefinition[],
  { since, now }: { readonly since: Date; readonly now: Date },
): readonly CleanUp[] {
  return triggers.flatMap(({ name, cleanup }) => {
    if (cleanup === undefined || cleanup.paused) return [];
    const latest = latestTime({ cron: cleanup.schedule, timezone: "UTC" }, now);
    if (latest === undefined || latest <= since) return [];
    return [{ kind: "cron", lane: name, olderThanHours: cleanup.clearOlderThanHours, batchSize: cleanup.batchSize }];
  });
}

function oneOffCleanUp(olderThanHours: number): CleanUp {
  return { kind: "one_off", lane: oneOffLane, olderThanHours, batchSize: maxRows };
}
