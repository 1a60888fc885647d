/**
 * Limits concurrent calls and shares the slots among lanes. A lane may hold up to four times as many slots as are free:
 * a single lane gets 80 of 100, and a new lane always finds free slots, however slow the calls of other lanes are
 * (dynamic thresholds, Choudhury and Hahne 1998).
 */

const timesFree = 4;

export class Slots {
  #free: number;
  readonly #held = new Map<string, number>();
  readonly #listeners = new Set<() => void>();

  constructor(total: number) {
    this.#free = total;
  }

  /** Returns the number of slots that the lane could reserve if no other lane reserved any. */
  room(lane: string): number {
    // The largest n with held + n <= 4 * (free - n) + 1: before the last slot, the lane held less than its share.
    const maxRoom = Math.ceil((timesFree * this.#free - this.held(lane)) / (timesFree + 1));
    return Math.max(0, Math.min(this.#free, maxRoom));
  }

  held(lane: string): number {
    return this.#held.get(lane) ?? 0;
  }

  /** Reserves a slot, which the caller must release. Returns false if there is none. */
  take(lane: string): boolean {
    const held = this.held(lane);
    if (held >= timesFree * this.#free) return false;
    this.#free--;
    this.#held.set(lane, held + 1);
    return true;
  }

  give(lane: string): void {
    this.#free++;
    const held = this.held(lane) - 1;
    if (held === 0) this.#held.delete(lane);
    else this.#held.set(lane, held);
    for (const listener of this.#listeners) listener();
  }

  /** Calls the listener whenever a slot is released. Returns a function that removes the listener. */
  onFree(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
