/** The state of one lane in a delivery loop: the prefetched calls, and a flag that is set while the queue may have more. */
import type { Lane } from "./deliver.ts";
import type { QueuedCall } from "./queue.ts";

/** Maximum number of calls that a lane claims beyond its free slots. */
const maxAhead = 100;

export class LaneState<Call extends QueuedCall, Of extends Lane> {
  lane: Of;
  /** Calls claimed but not sent. */
  ready: Call[] = [];
  /** The last claim returned fewer calls than requested. The lane is empty until a wake-up. */
  isDry = false;
  /** Number of calls to claim ahead: as many as end during a claim, so that no slot waits for the database. */
  #ahead = 0;
  #ended = 0;

  constructor(lane: Of) {
    this.lane = lane;
  }

  ended(): void {
    this.#ended++;
  }

  /** Recomputes the number of calls to claim ahead. A lane with slow calls claims none. */
  beginTake(): void {
    this.#ahead = Math.min(maxAhead, Math.max(2 * this.#ended, Math.floor(this.#ahead / 2)));
    this.#ended = 0;
  }

  /**
   * Returns the number of calls to claim.
   * @param room number of calls that could start now
   */
  demand(room: number): number {
    if (this.isDry || this.ready.length > room + Math.max(this.#ahead, this.#ended) / 2) return 0;
    return Math.max(0, room + Math.max(this.#ahead, 2 * this.#ended) - this.ready.length);
  }
}
