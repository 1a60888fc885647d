/**
 * Limits the memory of long responses, from the arrival of their rows to the last byte sent. Result sets that have only
 * begun to arrive wait for free memory; data that is already in memory is counted unconditionally.
 */

/** Length in bytes. Shorter result sets and responses are not counted. */
export const longAnswer = 64 * 1024;

/** A result set that waits for memory. */
export interface MemoryRequest {
  readonly bytes: number;
  /** Called when the bytes have been reserved. */
  readonly onRoom: () => void;
}

export class ResponseMemory {
  readonly #maxBytes: number;
  #taken = 0;
  #requested = 0;
  /** The waiting requests, in order of arrival. */
  readonly #waiting = new Set<MemoryRequest>();

  /** @param maxBytes the limit for all responses together */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The bytes counted at present. */
  get taken(): number {
    return this.#taken;
  }

  /** The number of bytes to release so that no result set has to wait; negative if memory is free. */
  get lacking(): number {
    return this.#taken + this.#requested - this.#maxBytes;
  }

  /** Counts data that is already in memory, even beyond the limit. */
  take(bytes: number): void {
    this.#taken += bytes;
  }

  release(bytes: number): void {
    this.#taken -= bytes;
    this.#serve();
  }

  /**
   * Reserves memory, or queues the request behind earlier ones. The result set must not hold memory already, because
   * two could then wait for each other.
   * @returns false if the request is queued; `onRoom` is called later
   */
  takeOrWait(seeker: MemoryRequest): boolean {
    if (this.#waiting.size === 0 && this.#hasRoom(seeker.bytes)) {
      this.#taken += seeker.bytes;
      return true;
    }
    this.#waiting.add(seeker);
    this.#requested += seeker.bytes;
    return false;
  }

  /** Removes a request from the queue. */
  cancel(seeker: MemoryRequest): void {
    if (!this.#waiting.delete(seeker)) return;
    this.#requested -= seeker.bytes;
    this.#serve();
  }

  #serve(): void {
    for (const seeker of this.#waiting) {
      if (!this.#hasRoom(seeker.bytes)) return;
      this.#waiting.delete(seeker);
      this.#requested -= seeker.bytes;
      this.#taken += seeker.bytes;
      seeker.onRoom();
    }
  }

  /** Returns true if the bytes fit within the limit, or if nothing else is counted. */
  #hasRoom(bytes: number): boolean {
    return this.#taken === 0 || this.#taken + bytes <= this.#maxBytes;
  }
}
