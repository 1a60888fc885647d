/** Measures the delivery of the events of one source (`docs/reference/metrics.md`). */

import type { Meters } from "../../ports/metrics.ts";
import type { AttemptOutcome } from "../delivery/call-webhook.ts";
import type { CallResult } from "../delivery/queue.ts";
import type { QueuedEvent } from "./queue.ts";

export class EventMeter {
  readonly #meters: Meters;
  readonly #source: string;

  constructor(meters: Meters, source: string) {
    this.#meters = meters;
    this.#source = source;
  }

  /**
   * Records an attempt to claim events.
   * @param events `undefined` if the database failed
   */
  fetched(events: number | undefined, seconds: number): void {
    const { eventFetchQueryTime, eventFetchTime, eventsFetched, eventsPerBatch } = this.#meters;
    const status = events === undefined ? "failed" : "success";
    eventFetchQueryTime.record(seconds, { status, source_name: this.#source });
    if (events === undefined) return;
    eventFetchTime.record(seconds);
    eventsPerBatch.set(events);
    eventsFetched.add(events, { source_name: this.#source });
  }

  /** Records the start of a delivery. Returns a function that records its result. */
  began(event: QueuedEvent): (result: CallResult) => void {
    const labels = { trigger_name: event.lane, source_name: this.#source };
    const { eventQueueTime, eventWorkers, eventProcessingTime, eventLag, eventsProcessed } = this.#meters;
    eventQueueTime.record(secondsSinceClaim(event), labels);
    eventWorkers.add(1);
    return ({ state }) => {
      eventWorkers.add(-1);
      if (state !== "delivered" && state !== "error") return;
      eventProcessingTime.record(secondsSinceDue(event), labels);
      if (state === "delivered") eventLag.record(secondsSinceCreation(event), labels);
      eventsProcessed.add(1, { status: state === "delivered" ? "success" : "failed", ...labels });
    };
  }

  attempted(trigger: string, outcome: AttemptOutcome, seconds: number): void {
    const labels = { trigger_name: trigger, source_name: this.#source };
    this.#meters.eventWebhookTime.record(seconds, labels);
    const status = outcome.kind === "delivered" ? "success" : "failed";
    this.#meters.eventInvocations.add(1, { status, ...labels });
  }
}

/** Returns the seconds since the event was due: since its creation at the first attempt, or since it was claimed. */
function secondsSinceDue(event: QueuedEvent): number {
  return event.tries > 0 ? secondsSinceClaim(event) : secondsSinceCreation(event);
}

/** Adds the age by the clock of the database to the time since the claim, so that no two clocks are compared. */
function secondsSinceCreation(event: QueuedEvent): number {
  return Math.max(0, event.ageSeconds + secondsSinceClaim(event));
}

const secondsSinceClaim = ({ takenAt }: QueuedEvent): number => (performance.now() - takenAt) / 1000;
