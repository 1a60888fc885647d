/** What a server does by itself for schedules: makes their events ahead, delivers what is due, cleans up. */

import type { Environment } from "../../config/options.ts";
import type { Generation } from "../../execute/generation.ts";
import type { AutomationDatabase } from "../../jobs/delivery/database.ts";
import { cleanUp, dueCleanUps, oneOffCleanUp } from "../../jobs/schedules/clean-up.ts";
import { generate, reconcile } from "../../jobs/schedules/generator.ts";
import type { OperationServices } from "../../jobs/schedules/run-operation.ts";
import { ScheduleDelivery } from "../../jobs/schedules/schedule-delivery.ts";
import type { CronTriggerDefinition } from "../../model/definitions/schedules/cron-trigger.ts";
import type { Log } from "../../observe/logs/log.ts";
import { logDelivering } from "../../observe/logs/startup-steps.ts";
import type { Telemetry } from "../../ports/telemetry.ts";
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
  /** Of all cron triggers of the metadata, also of those that cannot run now. */
  readonly names: () => readonly string[];
}

export interface Scheduling {
  /** Goes by the current metadata from now on; resolves when the events are those of the triggers. Never rejects. */
  refresh(): Promise<void>;
  /** A one-off event was made. */
  wake(): void;
  /** Ends, with so much patience for deliveries under way. Never rejects; may be called again. */
  stop(milliseconds: number): Promise<void>;
}

/** In milliseconds: from one look for missing events to the next (`docs/schedules.md`). */
const generatingInterval = 60_000;
const hour = 3_600_000;
/** Looks between two lines in the log. */
const looksPerLine = 10;

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
  /** One piece of work on the events at a time. */
  #last: Promise<void> = Promise.resolve();
  /** Another attempt is needed: the database did not answer. */
  #isPending = false;
  #looks = 0;
  #cleaned = new Date();
  #cleanedOneOff = 0;
  #isStopped = false;
  #triggers: readonly CronTriggerDefinition[] = [];
  #reconciled: string | undefined;

  constructor(settings: SchedulingSettings) {
    const { options, generation } = settings;
    this.#settings = settings;
    // Others deliver where this instance does not.
    const delivers = undeliveredOf(options) === undefined;
    const uncheckedHosts = () => generation().tlsAllowlist;
    this.#delivery = delivers ? new ScheduleDelivery({ ...settings, uncheckedHosts }) : undefined;
    this.#delivery?.start();
    this.#timer = setInterval(() => void this.#look(), generatingInterval);
    this.#timer.unref();
  }

  refresh(): Promise<void> {
    const triggers = this.#settings.generation().cronTriggers();
    if (!isSameList(triggers, this.#triggers)) this.#delivery?.setTriggers(triggers);
    this.#triggers = triggers;
    // Most changes of metadata leave schedules alone: they do not wait for a database.
    if (!this.#isPending && this.#wanted() === this.#reconciled) return Promise.resolve();
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
    const wanted = this.#wanted();
    this.#isPending = true;
    await reconcile(database, names(), generation().cronTriggers());
    this.#isPending = false;
    this.#reconciled = wanted;
    this.#delivery?.wakeCron();
  }

  /** What the events follow from. */
  #wanted(): string {
    const { generation, names } = this.#settings;
    const schedules = generation()
      .cronTriggers()
      .map(({ name, schedule, timezone }) => [name, schedule, timezone]);
    return JSON.stringify([names(), schedules]);
  }

  #look(): Promise<void> {
    return this.#alone(async () => {
      if (this.#isPending) await this.#reconcile();
      const { database, generation, log } = this.#settings;
      const triggers = generation().cronTriggers();
      const upcoming = triggers.length === 0 ? [] : await generate(database, triggers);
      this.#looks++;
      if (this.#looks % looksPerLine === 0) {
        log.info("cron-event-generator-process", { cron_triggers: upcoming, num_fetches: looksPerLine });
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

  /** Errors are those of the database: the next look tries again. */
  #alone(work: () => Promise<void>): Promise<void> {
    const next = this.#last.then(async () => {
      if (this.#isStopped) return;
      try {
        await work();
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
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
