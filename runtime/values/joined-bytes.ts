/**
 * A text as pieces: encoded values between short texts. The values are sent as they are, because decoding or joining them
 * would copy them.
 */
import { blockSize, LongText } from "./long-text.ts";
import type { ReleasableBytes } from "./releasable-bytes.ts";

export class JoinedBytes {
  readonly pieces: readonly (string | Buffer)[];
  /** The size in bytes. */
  readonly size: number;
  readonly #memory: readonly ReleasableBytes[];

  /** @param memory memory of the pieces, which `release` frees */
  constructor(pieces: readonly (string | Buffer)[], memory: readonly ReleasableBytes[] = []) {
    this.pieces = pieces;
    this.#memory = memory;
    let size = 0;
    for (const piece of pieces) size += typeof piece === "string" ? Buffer.byteLength(piece) : piece.length;
    this.size = size;
  }

  /** Encloses the text in two further texts. The result shares the values. */
  within(before: string, after: string): JoinedBytes {
    const pieces = [...this.pieces];
    const [first = ""] = pieces;
    if (typeof first === "string") pieces[0] = before + first;
    else pieces.unshift(before);
    const last = pieces.at(-1);
    if (typeof last === "string") pieces[pieces.length - 1] = last + after;
    else pieces.push(after);
    return new JoinedBytes(pieces, this.#memory);
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

  async gzip(): Promise<Buffer> {
    return (await LongText.of(this.slices(blockSize))).gzip();
  }

  /** Frees the memory of long values. The bytes must not be in use. */
  release(): void {
    for (const each of this.#memory) each.release();
  }
}
