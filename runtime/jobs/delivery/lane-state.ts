/** What a delivery loop knows of one lane: what it has taken ahead, and whether there may be more. */
import type { Lane } from "./deliver.ts";
import type { QueuedCall } from "./queue.ts";

/** Calls that a lane has at most ahead of its free slots. */
const mostAhead = 100;

export class LaneState<Call extends QueuedCall, Of extends Lane> {
  lane: Of;
  /** Taken, not sent. */
  ready: Call[] = [];
  /** The last look found less than was wanted: there is nothing more until something tells of it. */
  isDry = false;
  /** So many are taken ahead, so that slots need not wait for the database: as many as end during a look. */
  #ahead = 0;
  #ended = 0;

  constructor(lane: Of) {
    this.lane = lane;
  }

  ended(): void {
    this.#ended++;
  }

  /** Before a look: a lane whose calls take long takes nothing ahead. */
  look(): void {
    this.#ahead = Math.min(mostAhead, Math.max(2 * this.#ended, Math.floor(this.#ahead / 2)));
    this.#ended = 0;
  }

  /** How much to ask for. @param room how many calls could start now */
  wanted(room: number): number {
    if (this.isDry || this.ready.length > room + Math.max(this.#ahead, this.#ended) / 2) return 0;
    return Math.max(0, room + Math.max(this.#ahead, 2 * this.#ended) - this.ready.length);
  }
}
