/**
 * The time of creation from which claims of a trigger read untried events. The index begins with entries of events that
 * have been claimed, which the database keeps until the next VACUUM, and longer while an older transaction is open: reading
 * them with each claim would slow down deliveries more and more. Events that are older than the last claim, because their
 * transaction took longer or because they have been released, are found by the next claim that reads from the beginning.
 */
import type { QueuedCall, Share } from "../delivery/queue.ts";

interface Claimed extends Pick<QueuedCall, "lane" | "tries"> {
  readonly createdAt: string;
}

/** Time in milliseconds between two claims that read from the beginning. */
const period = 1000;

/** Reads from the beginning. */
const beginning = "-infinity";

interface Start {
  readonly createdAt: string;
  /** On the clock of `performance.now`. */
  readonly until: number;
}

export class ClaimStarts {
  readonly #starts = new Map<string, Start>();

  /** Returns the time for the next claim of a trigger. */
  of(lane: string): string {
    const start = this.#starts.get(lane);
    return start === undefined || performance.now() > start.until ? beginning : start.createdAt;
  }

  /**
   * Records a claim that began with the times of `of`.
   * @param limit total limit of the claim
   * @returns triggers that may have further events, because the claim did not read from the beginning
   */
  record(
    shares: readonly Share[],
    starts: readonly string[],
    events: readonly Claimed[],
    limit: number,
  ): ReadonlySet<string> {
    const unfinished = new Set<string>();
    for (const [index, { lane, count }] of shares.entries()) {
      const own = events.filter((event) => event.lane === lane);
      if (starts[index] === beginning) this.#begin(lane, own.length < count ? [] : own);
      else if (own.length < count && events.length < limit) {
        this.#starts.delete(lane);
        unfinished.add(lane);
      }
    }
    return unfinished;
  }

  /** @param events claimed events; none if the claim has found all */
  #begin(lane: string, events: readonly Claimed[]): void {
    const times = events.flatMap(({ tries, createdAt }) => (tries === 0 ? [createdAt] : []));
    if (times.length === 0) this.#starts.delete(lane);
    // The texts of these times are in the order of the times.
    else
      this.#starts.set(lane, { createdAt: times.reduce((a, b) => (a < b ? a : b)), until: performance.now() + period });
  }
}
