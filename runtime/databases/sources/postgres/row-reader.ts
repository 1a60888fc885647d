/**
 * Reads rows between the server and the driver. Rows of statements that take bytes are passed on as views of the received
 * data; the driver, which would decode them, only sees the other messages.
 *
 * Long rows are assembled in a buffer of exact length. While there is no memory budget for such a row, reading from the
 * server is paused. The budget of rows is returned when the statement completes, because the response then has a budget
 * of its own.
 */
import { constants } from "node:buffer";
import type { Duplex } from "node:stream";
import { ReleasableBytes } from "../../../values/releasable-bytes.ts";
import { longAnswer, type MemoryRequest, type ResponseMemory } from "../../../values/response-memory.ts";
import { noMemory } from "../byte-reads.ts";
import type { ByteRow } from "../source.ts";

/** Length in bytes of a message header: the kind and the length, which excludes the kind. */
const headBytes = 5;
const dataRow = 0x44;
const readyForQuery = 0x5a;
const nothing = Buffer.alloc(0);
/** Smaller parts of the received data are copied, so that a slow client cannot keep a multiple of its response. */
const minKeptPart = 1 / 4;
/** Length in bytes. The driver decodes shorter rows, which costs less than separating them. */
const usualMinByteRow = 2048;

export interface RowReaderParts {
  readonly stream: Pick<Duplex, "pause" | "resume" | "destroy">;
  readonly memory: ResponseMemory;
  /** Minimum length in bytes of rows that are passed on as bytes; absent for the default. */
  readonly minByteRow?: number | undefined;
  /** Receives all data in order, in arbitrary pieces. Must not retain them. */
  readonly pass: (bytes: Buffer) => void;
  /** Returns true if the running statement takes its rows as bytes. */
  readonly takesBytes: () => boolean;
  /** Receives a row of a statement that takes bytes. */
  readonly onRow: (row: ByteRow) => void;
}

export class RowReader {
  readonly #parts: RowReaderParts;
  readonly #minByteRow: number;
  /** Number of bytes missing from a message that was passed on in part. */
  #rest = 0;
  /** Start of an incomplete header. */
  #head: Buffer = nothing;
  #row: ReleasableBytes | undefined;
  /** Number of bytes of the row received. */
  #filled = 0;
  /** True if the incomplete row belongs to a statement that takes bytes. */
  #isTaken = false;
  #waiting: MemoryRequest | undefined;
  /** Budget in bytes reserved for rows of the current statement. */
  #taken = 0;

  constructor(parts: RowReaderParts) {
    this.#parts = parts;
    this.#minByteRow = parts.minByteRow ?? usualMinByteRow;
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
    this.#rest = 0;
    let passed = 0;
    const passUpTo = (end: number): void => {
      if (end > passed) this.#parts.pass(passed === 0 && end === bytes.length ? bytes : bytes.subarray(passed, end));
      passed = end;
    };
    // Unknown after each message that may complete a statement.
    let takesBytes: boolean | undefined;
    while (at + headBytes <= bytes.length) {
      const kind = bytes[at];
      const length = 1 + bytes.readUInt32BE(at + 1);
      const end = at + length;
      if (kind === dataRow && (length >= this.#minByteRow || length > longAnswer)) {
        if (takesBytes === undefined) {
          passUpTo(at);
          takesBytes = length >= this.#minByteRow && this.#parts.takesBytes();
        }
        if (end > bytes.length && (takesBytes || length > longAnswer)) {
          passUpTo(at);
          this.#isTaken = takesBytes;
          this.#begin(length, bytes.subarray(at));
          return;
        }
        if (takesBytes) {
          passUpTo(at);
          this.#parts.onRow({ values: valuesIn(kept(bytes.subarray(at, end), bytes)), memory: noMemory });
          passed = end;
        }
      } else if (kind !== dataRow) {
        takesBytes = undefined;
        if (kind === readyForQuery && this.#taken > 0) this.#giveBack();
      }
      at = end;
    }
    if (at < bytes.length) this.#head = bytes.subarray(at);
    else this.#rest = at - bytes.length;
    passUpTo(Math.min(at, bytes.length));
  }

  /**
   * Starts a row that is assembled.
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
    if (length <= longAnswer) {
      this.#fillFrom(ReleasableBytes.allocate(length), start);
    } else if (this.#taken > 0) {
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
      this.#fillFrom(ReleasableBytes.allocate(length), start);
    } catch (error) {
      // The process has reached its own memory limit.
      this.#parts.stream.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #fillFrom(row: ReleasableBytes, start: Buffer): void {
    this.#row = row;
    this.#filled = start.copy(row.bytes);
  }

  /** Adds data to the row. Returns the bytes after the row. */
  #fill(row: ReleasableBytes, sent: Buffer): Buffer {
    const copied = sent.copy(row.bytes, this.#filled);
    this.#filled += copied;
    if (this.#filled < row.bytes.length) return nothing;
    this.#row = undefined;
    if (this.#isTaken) {
      this.#parts.onRow({ values: valuesIn(row.bytes), memory: [row] });
    } else {
      this.#parts.pass(row.bytes);
      row.release();
    }
    return sent.subarray(copied);
  }

  /** Returns the budget after the current turn, in which the rows are processed. */
  #giveBack(): void {
    const taken = this.#taken;
    this.#taken = 0;
    setImmediate(() => this.#parts.memory.release(taken));
  }
}

/** Returns a row as a view of the received data, or as a copy. */
function kept(row: Buffer, received: Buffer): Buffer {
  return row.length < received.buffer.byteLength * minKeptPart ? Buffer.from(row) : row;
}

/** Returns the values of a message with a row, as views. */
function valuesIn(message: Buffer): readonly (Buffer | null)[] {
  const values: (Buffer | null)[] = [];
  let at = headBytes + 2;
  for (let count = message.readUInt16BE(headBytes); count > 0; count--) {
    const length = message.readInt32BE(at);
    at += 4;
    values.push(length < 0 ? null : message.subarray(at, at + length));
    at += Math.max(length, 0);
  }
  return values;
}
