/** How many events were taken, every ten minutes. */
import type { Log } from "../../observe/logs/log.ts";

const tenMinutes = 10 * 60 * 1000;

/** Counts looks at the queues of all sources. */
export class FetchLog {
  readonly #log: Log;
  #events: Record<string, number> = {};
  #fetches = 0;
  readonly #timer: NodeJS.Timeout;

  constructor(log: Log, milliseconds = tenMinutes) {
    this.#log = log;
    this.#timer = setInterval(() => this.#write(), milliseconds);
    this.#timer.unref();
  }

  add(source: string, events: number): void {
    this.#events[source] = (this.#events[source] ?? 0) + events;
    this.#fetches++;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #write(): void {
    const detail = { num_events_fetched: this.#events, num_fetches: this.#fetches };
    this.#events = {};
    this.#fetches = 0;
    this.#log.info("event-trigger-process", detail);
  }
}
