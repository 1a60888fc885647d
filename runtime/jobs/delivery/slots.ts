/**
 * How many calls an instance makes at once, and who may make them. Each lane may hold four times as many slots as are
 * free: one alone gets 80 of 100, and whoever comes next finds free ones, however long the calls of the others take
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

  /** How many more a lane could have, if no other took any. */
  room(lane: string): number {
    // The greatest n with held + n <= 4 * (free - n) + 1: before the last one, it held less than its share.
    const most = Math.ceil((timesFree * this.#free - this.held(lane)) / (timesFree + 1));
    return Math.max(0, Math.min(this.#free, most));
  }

  held(lane: string): number {
    return this.#held.get(lane) ?? 0;
  }

  /** @returns whether the lane has got one, which it then has to give back */
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

  /** Calls when a slot is given back; @returns stops that */
  onFree(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
