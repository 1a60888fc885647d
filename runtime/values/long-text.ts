/**
 * A text of many megabytes, stored as compressed blocks. Readers receive either a gzip stream made of these blocks or the
 * decompressed bytes, block by block.
 */
import { promisify } from "node:util";
import * as zlib from "node:zlib";

// No named imports of functions that Node 18 lacks: an artifact must load there to report the version that it needs.
const { constants, crc32, deflateRaw, inflateRaw } = zlib;

/** The polynomial of CRC-32, reversed. */

const polynomial = 0xedb88320;

/**
 * Returns the CRC-32 of two concatenated contents, computed from their CRC-32s.
 * @param length the length of the second content in bytes
 */
export function joinedCrc32(first: number, second: number, length: number): number {
  // CRC is linear: appending zero bits multiplies a checksum by a power of x, computed here by repeated squaring.
  let operator = timesX();
  let crc = first;
  for (let bits = length * 8; bits > 0; bits = Math.floor(bits / 2)) {
    if (bits % 2 === 1) crc = applied(operator, crc);
    operator = operator.map((column) => applied(operator, column));
  }
  return (crc ^ second) >>> 0;
}

/** Returns multiplication by x as a bit matrix. */
function timesX(): readonly number[] {
  return Array.from({ length: 32 }, (_, bit) => (bit === 0 ? polynomial : 1 << (bit - 1)));
}

function applied(matrix: readonly number[], vector: number): number {
  let sum = 0;
  for (let bit = 0; bit < 32; bit++) if ((vector >>> bit) & 1) sum ^= matrix[bit] ?? 0;
  return sum;
}

/** Makes blocks independent, so that they can be concatenated in any stream. */
const open = { finishFlush: constants.Z_SYNC_FLUSH };
/** Level 3 shrinks schemas by a factor of 27 at 1 GB/s; level 6 by a factor of 40 at 300 MB/s. */
const compressing = { ...open, level: 3 };
/** The uncompressed size of a block in bytes. */
export const blockSize = 256 * 1024;
/**
 * Makes one chunk large enough for a whole block, because joining the default chunks of 16 KiB takes five times as
 * long.
 */
const restoring = { ...open, chunkSize: blockSize + 64 };
const deflated = promisify(deflateRaw);
const inflated = promisify(inflateRaw);

/** The header of a gzip stream without a name and a time (RFC 1952, 2.3). */
const gzipHead = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
/** An empty final block with fixed codes (RFC 1951, 3.2.3). */
const gzipEnd = Buffer.from([3, 0]);

/**
 * Compresses a block and copies it into memory of its exact size, because zlib returns a slice of a buffer of 16 KiB.
 */
export async function compressBlock(bytes: Buffer): Promise<Buffer> {
  const compressed = await deflated(bytes, compressing);
  const exact = Buffer.allocUnsafeSlow(compressed.length);
  compressed.copy(exact);
  return exact;
}

/** Decompresses a block. */
export const blockBytes = (block: Buffer): Promise<Buffer> => inflated(block, restoring);

/** The number of blocks that are compressed in parallel, by threads of Node's pool. */
export const blocksAtOnce = 3;

interface Blocks {
  readonly compressed: readonly Buffer[];
  /** The uncompressed size in bytes. */
  readonly size: number;
  readonly crc: number;
}

export class LongText {
  /** The size in bytes. */
  readonly size: number;
  readonly #blocks: Blocks;
  readonly #before: Buffer;
  readonly #after: Buffer;

  private constructor(blocks: Blocks, before: Buffer, after: Buffer) {
    this.#blocks = blocks;
    this.#before = before;
    this.#after = after;
    this.size = before.length + blocks.size + after.length;
  }

  /**
   * Compresses blocks into a text.
   * @param blocks consecutive blocks; each is in use until `blocksAtOnce` further ones have been requested
   */
  static async of(blocks: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<LongText> {
    const compressing: Promise<Buffer>[] = [];
    let [size, crc] = [0, 0];
    for await (const bytes of blocks) {
      size += bytes.length;
      crc = crc32(bytes, crc);
      const block = compressBlock(bytes);
      block.catch(() => undefined); // `Promise.all` below reports the error.
      compressing.push(block);
      // The source may reuse the memory of this block.
      await compressing.at(-blocksAtOnce);
    }
    return new LongText({ compressed: await Promise.all(compressing), size, crc }, Buffer.of(), Buffer.of());
  }

  /** Encloses the text in two further texts. The result shares the blocks. */
  within(before: string, after: string): LongText {
    const head = Buffer.concat([Buffer.from(before), this.#before]);
    return new LongText(this.#blocks, head, Buffer.concat([this.#after, Buffer.from(after)]));
  }

  /** The memory that the blocks occupy, in bytes. */
  get held(): number {
    return this.#blocks.compressed.reduce((sum, { length }) => sum + length, this.#before.length + this.#after.length);
  }

  /** Yields the bytes in pieces and retains none of them. */
  async *pieces(): AsyncGenerator<Buffer, void> {
    if (this.#before.length > 0) yield this.#before;
    for (const block of this.#blocks.compressed) yield blockBytes(block);
    if (this.#after.length > 0) yield this.#after;
  }

  async text(): Promise<string> {
    const pieces: Buffer[] = [];
    for await (const piece of this.pieces()) pieces.push(piece);
    return Buffer.concat(pieces).toString();
  }

  async gzip(): Promise<Buffer> {
    const { compressed, size, crc } = this.#blocks;
    const before = await compressBlock(this.#before);
    const after = await compressBlock(this.#after);
    const end = Buffer.alloc(8);
    const upToBlocks = joinedCrc32(crc32(this.#before), crc, size);
    end.writeUInt32LE(joinedCrc32(upToBlocks, crc32(this.#after), this.#after.length), 0);
    end.writeUInt32LE(this.size % 2 ** 32, 4);
    return Buffer.concat([gzipHead, before, ...compressed, after, gzipEnd, end]);
  }
}
