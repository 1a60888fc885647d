/**
 * A text of many megabytes, kept as compressed blocks: for several readers, each of whom gets the blocks of a gzip stream
 * as they are, or the bytes of one block at a time.
 */
import { promisify } from "node:util";
import { constants, crc32, deflateRaw, inflateRaw } from "node:zlib";
import { joinedCrc32 } from "./crc32.ts";

/** Each block stands for itself, and another one can follow it in a stream. */
const open = { finishFlush: constants.Z_SYNC_FLUSH };
/** Schemas become smaller by 27 at 1 GB/s; level 6 makes them smaller by 40 at 300 MB/s. */
const compressing = { ...open, level: 3 };
/** In bytes, of a block before it is compressed. */
export const blockSize = 256 * 1024;
/** Room for a whole block: in the default of 16 KiB it comes in pieces, which takes five times as long to put together. */
const restoring = { ...open, chunkSize: blockSize + 64 };
const deflated = promisify(deflateRaw);
const inflated = promisify(inflateRaw);

/** A gzip stream without name and time (RFC 1952, 2.3). */
const gzipHead = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
/** A block of fixed codes with nothing in it: the last one of a stream (RFC 1951, 3.2.3). */
const gzipEnd = Buffer.from([3, 0]);

/** Bytes in compressed form, in memory of their size: zlib gives them the front of 16 KiB. */
export async function compressBlock(bytes: Buffer): Promise<Buffer> {
  const compressed = await deflated(bytes, compressing);
  const exact = Buffer.allocUnsafeSlow(compressed.length);
  compressed.copy(exact);
  return exact;
}

/** Of one in compressed form. */
export const blockBytes = (block: Buffer): Promise<Buffer> => inflated(block, restoring);

/** So many are compressed side by side, by threads of Node's pool. */
export const blocksAtOnce = 3;

interface Blocks {
  readonly compressed: readonly Buffer[];
  /** Of their bytes. */
  readonly size: number;
  readonly crc: number;
}

export class LongText {
  /** In bytes. */
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

  /** @param blocks that follow each other; one is read until `blocksAtOnce` others have been asked for */
  static async of(blocks: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<LongText> {
    const compressing: Promise<Buffer>[] = [];
    let [size, crc] = [0, 0];
    for await (const bytes of blocks) {
      size += bytes.length;
      crc = crc32(bytes, crc);
      const block = compressBlock(bytes);
      block.catch(() => undefined); // told below
      compressing.push(block);
      // The next block has the memory of this one.
      await compressing.at(-blocksAtOnce);
    }
    return new LongText({ compressed: await Promise.all(compressing), size, crc }, Buffer.of(), Buffer.of());
  }

  /** The text between others; it shares the blocks. */
  within(before: string, after: string): LongText {
    const head = Buffer.concat([Buffer.from(before), this.#before]);
    return new LongText(this.#blocks, head, Buffer.concat([this.#after, Buffer.from(after)]));
  }

  /** What it takes in memory, in bytes. */
  get held(): number {
    return this.#blocks.compressed.reduce((sum, { length }) => sum + length, this.#before.length + this.#after.length);
  }

  /** Its bytes, piece by piece; none is kept for who reads. */
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
