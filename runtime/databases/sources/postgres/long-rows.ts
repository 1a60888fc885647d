/**
 * What a server sends, on its way to the driver. A long row is put together here, in memory of just its length, when
 * there is room for it; until then the server is not read from, and waits. Its room is given back once the statement is
 * answered: by then the answer takes room of its own.
 */
import { constants } from "node:buffer";
import type { Duplex } from "node:stream";
import { type AnswerMemory, longAnswer, type RoomSeeker } from "../../../values/answer-memory.ts";
import { ReleasableBytes } from "../../../values/releasable-bytes.ts";

/** The kind of a message and its length, which does not count the kind. */
const headBytes = 5;
const dataRow = 0x44;
const readyForQuery = 0x5a;
const nothing = Buffer.alloc(0);

export interface LongRowsParts {
  readonly stream: Pick<Duplex, "pause" | "resume" | "destroy">;
  readonly memory: AnswerMemory;
  /** Gets what was sent, in order and in any pieces; keeps none of them. */
  readonly pass: (bytes: Buffer) => void;
}

export class LongRows {
  readonly #parts: LongRowsParts;
  /** Of a message that the driver has a part of, so many bytes are still to come. */
  #rest = 0;
  /** Part of a head. */
  #head: Buffer = nothing;
  #row: ReleasableBytes | undefined;
  /** How much of the row is there. */
  #filled = 0;
  #waiting: RoomSeeker | undefined;
  /** Bytes of room taken for rows of the statement that is being answered. */
  #taken = 0;

  constructor(parts: LongRowsParts) {
    this.#parts = parts;
  }

  /** Whether the server is not read from. */
  get isWaiting(): boolean {
    return this.#waiting !== undefined;
  }

  /** Takes what the server has sent. */
  take(sent: Buffer): void {
    let bytes = sent;
    if (this.#head.length > 0) {
      bytes = Buffer.concat([this.#head, sent]);
      this.#head = nothing;
    }
    if (this.#row !== undefined) bytes = this.#fill(this.#row, bytes);
    if (bytes.length > 0) this.#passMessages(bytes);
  }

  /** The connection has ended. */
  close(): void {
    if (this.#waiting !== undefined) this.#parts.memory.forget(this.#waiting);
    this.#waiting = undefined;
    this.#row?.release();
    this.#row = undefined;
    this.#parts.memory.give(this.#taken);
    this.#taken = 0;
  }

  #passMessages(bytes: Buffer): void {
    let at = this.#rest;
    while (at + headBytes <= bytes.length) {
      const kind = bytes[at];
      const length = 1 + bytes.readUInt32BE(at + 1);
      if (kind === dataRow && length > longAnswer && at + length > bytes.length) {
        this.#rest = 0;
        if (at > 0) this.#parts.pass(bytes.subarray(0, at));
        this.#begin(length, bytes.subarray(at));
        return;
      }
      if (kind === readyForQuery && this.#taken > 0) this.#giveBack();
      at += length;
    }
    if (at < bytes.length) {
      this.#head = bytes.subarray(at);
      this.#rest = 0;
      if (at > 0) this.#parts.pass(bytes.subarray(0, at));
    } else {
      this.#rest = at - bytes.length;
      this.#parts.pass(bytes);
    }
  }

  /** @param start what is there of the row */
  #begin(length: number, start: Buffer): void {
    const { stream, memory } = this.#parts;
    if (length > constants.MAX_STRING_LENGTH) {
      stream.destroy(new Error(`a row of ${length} bytes is longer than ${constants.MAX_STRING_LENGTH}`));
      return;
    }
    const onRoom = (): void => {
      this.#waiting = undefined;
      this.#collect(length, start);
      stream.resume();
    };
    const seeker = { bytes: length, onRoom };
    if (this.#taken > 0) {
      // It may not wait while others wait for what it has.
      memory.take(length);
      this.#collect(length, start);
    } else if (memory.takeOrWait(seeker)) {
      this.#collect(length, start);
    } else {
      this.#waiting = seeker;
      stream.pause();
    }
  }

  /** There is room for it. */
  #collect(length: number, start: Buffer): void {
    this.#taken += length;
    try {
      this.#row = ReleasableBytes.allocate(length);
    } catch (error) {
      // The process has reached a limit of its own.
      this.#parts.stream.destroy(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    this.#filled = start.copy(this.#row.bytes);
  }

  /** @returns what does not belong to the row */
  #fill(row: ReleasableBytes, sent: Buffer): Buffer {
    const copied = sent.copy(row.bytes, this.#filled);
    this.#filled += copied;
    if (this.#filled < row.bytes.length) return nothing;
    this.#row = undefined;
    this.#parts.pass(row.bytes);
    row.release();
    return sent.subarray(copied);
  }

  /** When what follows from the rows in this turn has happened. */
  #giveBack(): void {
    const taken = this.#taken;
    this.#taken = 0;
    setImmediate(() => this.#parts.memory.give(taken));
  }
}
