/**
 * A text as pieces: encoded values between short texts. The values are sent as they are, because decoding or joining them
 * would copy them.
 */
import { blockSize, LongText } from "./long-text.ts";
import type { ReleasableBytes } from "./releasable-bytes.ts";

export class JoinedBytes {
  /** Without two strings in a row. */
  readonly pieces: readonly (string | Buffer)[];
  /** The size in bytes. */
  readonly size: number;
  readonly #memory: readonly ReleasableBytes[];

  /** @param memory memory of the pieces, which `release` frees */
  constructor(pieces: readonly (string | Buffer)[], memory: readonly ReleasableBytes[] = []) {
    this.#memory = memory;
    const joined: (string | Buffer)[] = [];
    let size = 0;
    for (const piece of pieces) {
      size += typeof piece === "string" ? Buffer.byteLength(piece) : piece.length;
      const last = joined.at(-1);
      if (typeof piece === "string" && typeof last === "string") joined[joined.length - 1] = last + piece;
      else joined.push(piece);
    }
    this.pieces = joined;
    this.size = size;
  }

  /** Joins texts. The result shares their values and their memory. */
  static of(texts: readonly (string | JoinedBytes)[]): JoinedBytes {
    return new JoinedBytes(
      texts.flatMap((text) => (typeof text === "string" ? [text] : text.pieces)),
      texts.flatMap((text) => (typeof text === "string" ? [] : text.#memory)),
    );
  }

  /** Encloses the text in two further texts. The result shares the values. */
  within(before: string, after: string): JoinedBytes {
    return new JoinedBytes([before, ...this.pieces, after], this.#memory);
  }

  /** Yields the bytes in slices that share the memory of the pieces. */
  *slices(maxSize: number): Generator<Buffer, void> {
    for (const piece of this.pieces) {
      const bytes = typeof piece === "string" ? Buffer.from(piece) : piece;
      for (let at = 0; at < bytes.length; at += maxSize) yield bytes.subarray(at, at + maxSize);
    }
  }

  /** Returns a copy of the bytes in one buffer. */
  toBuffer(): Buffer {
    return Buffer.concat([...this.slices(this.size)], this.size);
  }

  /** Returns the text as a string. */
  toString(): string {
    return this.pieces.map((piece) => piece.toString()).join("");
  }

  async gzip(): Promise<Buffer> {
    return (await LongText.of(this.slices(blockSize))).gzip();
  }

  /** Frees the memory of long values. The bytes must not be in use. */
  release(): void {
    for (const each of this.#memory) each.release();
  }
}
