/**
 * A text of many megabytes as bytes in blocks, for several readers. A block is made anew for each reader until it is
 * compressed; then its compressed form is all that is kept of it. Compressed blocks are parts of one gzip stream.
 */
import { promisify } from "node:util";
import { constants, crc32, deflateRaw, inflateRaw } from "node:zlib";
import { joinedCrc32 } from "./crc32.ts";

/** Each block stands for itself, and another one can follow it in a stream. */
const open = { finishFlush: constants.Z_SYNC_FLUSH };
/** Schemas become smaller by 27 at 1 GB/s; level 6 makes them smaller by 40 at 300 MB/s. */
const compressing = { ...open, level: 3 };
const deflated = promisify(deflateRaw);
const inflated = promisify(inflateRaw);

/** A gzip stream without name and time (RFC 1952, 2.3). */
const gzipHead = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
/** A block of fixed codes with nothing in it: the last one of a stream (RFC 1951, 3.2.3). */
const gzipEnd = Buffer.from([3, 0]);

export interface TextBlock {
  /** In bytes. */
  readonly size: number;
  /** The same with each call. */
  bytes(): Buffer;
}

class Blocks {
  readonly size: number;
  /** What is not compressed yet: `undefined` where it is. */
  readonly #plain: (TextBlock | undefined)[];
  readonly #compressed: Buffer[] = [];
  #crc = 0;
  #compressing: Promise<void> | undefined;

  constructor(blocks: readonly TextBlock[]) {
    this.#plain = [...blocks];
    this.size = blocks.reduce((sum, { size }) => sum + size, 0);
  }

  get count(): number {
    return this.#plain.length;
  }

  at(index: number): Buffer | Promise<Buffer> {
    return this.#plain[index]?.bytes() ?? inflated(this.#compressed[index] ?? gzipEnd, open);
  }

  /** Once for all who want it. */
  compress(): Promise<void> {
    this.#compressing ??= this.#compress();
    return this.#compressing;
  }

  /** Of blocks that are compressed. */
  get stream(): { readonly parts: readonly Buffer[]; readonly crc: number } {
    return { parts: this.#compressed, crc: this.#crc };
  }

  async #compress(): Promise<void> {
    for (const [i, block] of this.#plain.entries()) {
      const bytes = block?.bytes() ?? gzipEnd;
      this.#crc = crc32(bytes, this.#crc);
      this.#compressed.push(await deflated(bytes, compressing));
      this.#plain[i] = undefined;
    }
  }
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

  static of(blocks: readonly TextBlock[]): LongText {
    return new LongText(new Blocks(blocks), Buffer.of(), Buffer.of());
  }

  /** The text between others; it shares the blocks. */
  within(before: string, after: string): LongText {
    const head = Buffer.concat([Buffer.from(before), this.#before]);
    return new LongText(this.#blocks, head, Buffer.concat([this.#after, Buffer.from(after)]));
  }

  /** Its bytes, piece by piece; none is kept for who reads. */
  async *pieces(): AsyncGenerator<Buffer, void> {
    if (this.#before.length > 0) yield this.#before;
    for (let i = 0; i < this.#blocks.count; i++) yield this.#blocks.at(i);
    if (this.#after.length > 0) yield this.#after;
  }

  async text(): Promise<string> {
    const pieces: Buffer[] = [];
    for await (const piece of this.pieces()) pieces.push(piece);
    return Buffer.concat(pieces).toString();
  }

  /** Compresses it for all who read it. @returns the bytes that it takes from then on */
  async compress(): Promise<number> {
    await this.#blocks.compress();
    return this.#blocks.stream.parts.reduce((sum, { length }) => sum + length, 0);
  }

  async gzip(): Promise<Buffer> {
    await this.#blocks.compress();
    const { parts, crc } = this.#blocks.stream;
    const before = await deflated(this.#before, compressing);
    const after = await deflated(this.#after, compressing);
    const end = Buffer.alloc(8);
    const upToBlocks = joinedCrc32(crc32(this.#before), crc, this.#blocks.size);
    end.writeUInt32LE(joinedCrc32(upToBlocks, crc32(this.#after), this.#after.length), 0);
    end.writeUInt32LE(this.size % 2 ** 32, 4);
    return Buffer.concat([gzipHead, before, ...parts, after, gzipEnd, end]);
  }
}
