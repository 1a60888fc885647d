/**
 * Measures the backlog of events for metrics. Reading the metrics starts a query in the background, at limited
 * intervals; each read returns the results of the previous query.
 */

import type { DatabaseSource } from "../../databases/sources/source.ts";
import type { EventTriggerDefinition } from "../../model/definitions/events/event-trigger.ts";
import type { Meters } from "../../ports/metrics.ts";
import { measureOnRead } from "../delivery/measure-on-read.ts";
import type { EventQueue } from "./queue.ts";

export interface WatchedQueue {
  readonly database: Pick<DatabaseSource, "name">;
  readonly queue: Pick<EventQueue, "backlog" | "failed">;
  readonly triggers: ReadonlyMap<string, EventTriggerDefinition>;
}

/** Maximum count per trigger, which limits the cost of the query. */
const maxCounted = 100_000;

export class BacklogWatch {
  readonly #queues: () => Iterable<WatchedQueue>;

  constructor(queues: () => Iterable<WatchedQueue>) {
    this.#queues = queues;
  }

  /** Updates the gauges whenever the metrics are read. */
  register(meters: Meters): void {
    measureOnRead(meters, () => this.#query(meters));
  }

  async #query({ eventBacklog, eventOldest, eventDeadLetters }: Meters): Promise<void> {
    const queues = [...this.#queues()];
    if (queues.length === 0) return;
    const found = await Promise.all(queues.map(backlogOf));
    eventBacklog.clear();
    eventOldest.clear();
    eventDeadLetters.clear();
    for (const { source, triggers, failed } of found) {
      for (const [trigger, count] of failed) {
        eventDeadLetters.set(count, { trigger_name: trigger, source_name: source });
      }
      for (const { trigger, waiting, oldestSeconds } of triggers) {
        const labels = { trigger_name: trigger, source_name: source };
        eventBacklog.set(waiting, labels);
        eventOldest.set(oldestSeconds, labels);
      }
    }
  }
}

/** Returns no triggers if the database fails. */
async function backlogOf({ database, queue, triggers }: WatchedQueue) {
  try {
    const names = [...triggers.keys()];
    const [backlog, failed] = await Promise.all([queue.backlog(names, maxCounted), queue.failed(names, maxCounted)]);
    return { source: database.name, triggers: backlog, failed };
  } catch {
    return { source: database.name, triggers: [], failed: new Map<string, number>() };
  }
}
