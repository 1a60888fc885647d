/**
 * Assembles long rows between the server and the driver, in a buffer of exact length. While there is no memory budget
 * for a row, reading from the server is paused. The budget of rows is returned when the statement completes, because
 * the response then has a budget of its own.
 */
import { constants } from "node:buffer";
import type { Duplex } from "node:stream";
import { ReleasableBytes } from "../../../values/releasable-bytes.ts";
import { longAnswer, type MemoryRequest, type ResponseMemory } from "../../../values/response-memory.ts";

/** Length in bytes of a message header: the kind and the length, which excludes the kind. */
const headBytes = 5;
const dataRow = 0x44;
const readyForQuery = 0x5a;
const nothing = Buffer.alloc(0);

export interface LongRowsParts {
  readonly stream: Pick<Duplex, "pause" | "resume" | "destroy">;
  readonly memory: ResponseMemory;
  /** Receives all data in order, in arbitrary pieces. Must not retain them. */
  readonly pass: (bytes: Buffer) => void;
}

export class LongRows {
  readonly #parts: LongRowsParts;
  /** Number of bytes missing from a message that was passed on in part. */
  #rest = 0;
  /** Start of an incomplete header. */
  #head: Buffer = nothing;
  #row: ReleasableBytes | undefined;
  /** Number of bytes of the row received. */
  #filled = 0;
  #waiting: MemoryRequest | undefined;
  /** Budget in bytes reserved for rows of the current statement. */
  #taken = 0;

  constructor(parts: LongRowsParts) {
    this.#parts = parts;
  }

  /** True while reading is paused. */
  get isWaiting(): boolean {
    return this.#waiting !== undefined;
  }

  /** Processes data from the server. */
  take(sent: Buffer): void {
    let bytes = sent;
    if (this.#head.length > 0) {
      bytes = Buffer.concat([this.#head, sent]);
      this.#head = nothing;
    }
    if (this.#row !== undefined) bytes = this.#fill(this.#row, bytes);
    if (bytes.length > 0) this.#passMessages(bytes);
  }

  /** Releases all memory after the connection has ended. */
  close(): void {
    if (this.#waiting !== undefined) this.#parts.memory.cancel(this.#waiting);
    this.#waiting = undefined;
    this.#row?.release();
    this.#row = undefined;
    this.#parts.memory.release(this.#taken);
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

  /**
   * Starts a long row.
   * @param start first bytes of the row
   */
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
      // Waiting here could deadlock, because other statements may wait for the budget that this one holds.
      memory.take(length);
      this.#collect(length, start);
    } else if (memory.takeOrWait(seeker)) {
      this.#collect(length, start);
    } else {
      this.#waiting = seeker;
      stream.pause();
    }
  }

  /** Allocates the buffer after the budget has been reserved. */
  #collect(length: number, start: Buffer): void {
    this.#taken += length;
    try {
      this.#row = ReleasableBytes.allocate(length);
    } catch (error) {
      // The process has reached its own memory limit.
      this.#parts.stream.destroy(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    this.#filled = start.copy(this.#row.bytes);
  }

  /** Adds data to the row. Returns the bytes after the row. */
  #fill(row: ReleasableBytes, sent: Buffer): Buffer {
    const copied = sent.copy(row.bytes, this.#filled);
    this.#filled += copied;
    if (this.#filled < row.bytes.length) return nothing;
    this.#row = undefined;
    this.#parts.pass(row.bytes);
    row.release();
    return sent.subarray(copied);
  }

  /** Returns the budget after the current turn, in which the rows are processed. */
  #giveBack(): void {
    const taken = this.#taken;
    this.#taken = 0;
    setImmediate(() => this.#parts.memory.release(taken));
  }
}
