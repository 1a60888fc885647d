/**
 * Bounds the memory of long answers, from the arrival of their rows to the last byte that a client takes. Rows whose
 * arrival has only begun wait for room; what is there already takes it in any case.
 */

/** Shorter rows and answers are not counted. */
export const longAnswer = 64 * 1024;

/** Somebody who wants room. */
export interface RoomSeeker {
  /** In bytes. */
  readonly bytes: number;
  /** It has been taken. */
  readonly onRoom: () => void;
}

export class AnswerMemory {
  readonly #most: number;
  #taken = 0;
  #wanted = 0;
  /** In the order in which they came. */
  readonly #waiting = new Set<RoomSeeker>();

  /** @param most bytes of all answers together */
  constructor(most: number) {
    this.#most = most;
  }

  /** Bytes that are counted now. */
  get taken(): number {
    return this.#taken;
  }

  /** Bytes to be given back until nobody has to wait; negative: so many are free. */
  get lacking(): number {
    return this.#taken + this.#wanted - this.#most;
  }

  /** For what is there already, whether there is room or not. */
  take(bytes: number): void {
    this.#taken += bytes;
  }

  give(bytes: number): void {
    this.#taken -= bytes;
    this.#serve();
  }

  /**
   * Takes room if there is some for those who came before, too. Who has room already must not ask for more: two of them
   * could wait for each other.
   * @returns `false`: it waits, and is called when it has it
   */
  takeOrWait(seeker: RoomSeeker): boolean {
    if (this.#waiting.size === 0 && this.#hasRoom(seeker.bytes)) {
      this.#taken += seeker.bytes;
      return true;
    }
    this.#waiting.add(seeker);
    this.#wanted += seeker.bytes;
    return false;
  }

  /** It waits no longer. */
  forget(seeker: RoomSeeker): void {
    if (!this.#waiting.delete(seeker)) return;
    this.#wanted -= seeker.bytes;
    this.#serve();
  }

  #serve(): void {
    for (const seeker of this.#waiting) {
      if (!this.#hasRoom(seeker.bytes)) return;
      this.#waiting.delete(seeker);
      this.#wanted -= seeker.bytes;
      this.#taken += seeker.bytes;
      seeker.onRoom();
    }
  }

  /** What is longer than all the room there is comes when it is alone. */
  #hasRoom(bytes: number): boolean {
    return this.#taken === 0 || this.#taken + bytes <= this.#most;
  }
}
