/**
 * How much waits to be delivered, for metrics. Databases are asked in the background when somebody reads the metrics, and
 * seldom enough: whoever reads is told what was found the last time.
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

/** In milliseconds, from the end of one look to the next; as many times as long as the look took, if that is longer. */
const pause = 15_000;
const pauseFactor = 50;
/** Of one trigger: counting more would cost the database too much. */
const mostCounted = 100_000;

export class BacklogWatch {
  readonly #queues: () => Iterable<WatchedQueue>;
  #nextLook = 0;
  #isLooking = false;

  constructor(queues: () => Iterable<WatchedQueue>) {
    this.#queues = queues;
  }

  /** Sets the gauges whenever the metrics are read. */
  tell(meters: Meters): void {
    meters.onRead(() => {
      if (this.#isLooking || performance.now() < this.#nextLook) return;
      this.#isLooking = true;
      void this.#look(meters).finally(() => {
        this.#isLooking = false;
      });
    });
  }

  async #look({ eventBacklog, eventOldest }: Meters): Promise<void> {
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
    this.#nextLook = end + Math.max(pause, (end - start) * pauseFactor);
  }
}

/** Nothing is said of a source that does not answer. */
async function backlogOf({ database, queue, triggers }: WatchedQueue) {
  try {
    return { source: database.name, triggers: await queue.backlog([...triggers.keys()], mostCounted) };
  } catch {
    return { source: database.name, triggers: [] };
  }
}
