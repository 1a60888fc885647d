/**
 * Measures the backlog of events for metrics. Reading the metrics starts a query in the background, at limited
 * intervals; each read returns the results of the previous query.
 */

import type { DatabaseSource } from "../../databases/sources/source.ts";
import type { EventTriggerDefinition } from "../../model/definitions/events/event-trigger.ts";
import type { Meters } from "../../ports/metrics.ts";
import type { EventQueue } from "./queue.ts";

export interface WatchedQueue {
  readonly database: Pick<DatabaseSource, "name">;
  readonly queue: Pick<EventQueue, "backlog">;
  readonly triggers: ReadonlyMap<string, EventTriggerDefinition>;
}

/**
 * Pause in milliseconds between the end of a query and the next. At least `pauseFactor` times the duration of the
 * query.
 */
const pause = 15_000;
const pauseFactor = 50;
/** Maximum count per trigger, which limits the cost of the query. */
const maxCounted = 100_000;

export class BacklogWatch {
  readonly #queues: () => Iterable<WatchedQueue>;
  #nextQueryAt = 0;
  #isQuerying = false;

  constructor(queues: () => Iterable<WatchedQueue>) {
    this.#queues = queues;
  }

  /** Updates the gauges whenever the metrics are read. */
  register(meters: Meters): void {
    meters.onRead(() => {
      if (this.#isQuerying || performance.now() < this.#nextQueryAt) return;
      this.#isQuerying = true;
      void this.#query(meters).finally(() => {
        this.#isQuerying = false;
      });
    });
  }

  async #query({ eventBacklog, eventOldest }: Meters): Promise<void> {
    const start = performance.now();
    const queues = [...this.#queues()];
    if (queues.length === 0) return;
    const found = await Promise.all(queues.map(backlogOf));
    eventBacklog.clear();
    eventOldest.clear();
    for (const { source, triggers } of found) {
      for (const { trigger, waiting, oldestSeconds } of triggers) {
        const labels = { trigger_name: trigger, source_name: source };
        eventBacklog.set(waiting, labels);
        eventOldest.set(oldestSeconds, labels);
      }
    }
    const end = performance.now();
    this.#nextQueryAt = end + Math.max(pause, (end - start) * pauseFactor);
  }
}

/** Returns no triggers if the database fails. */
async function backlogOf({ database, queue, triggers }: WatchedQueue) {
  try {
    return { source: database.name, triggers: await queue.backlog([...triggers.keys()], maxCounted) };
  } catch {
    return { source: database.name, triggers: [] };
  }
}
