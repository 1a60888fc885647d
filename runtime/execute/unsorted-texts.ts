/**
 * Stores many texts until they are sorted. The texts are stored as bytes outside the heap, so that the garbage
 * collector does not scan them. They are stored in chunks, which are compressed if there are many.
 */
import { blockBytes, blockSize, blocksAtOnce, compressBlock } from "../values/long-text.ts";

/** Size of a chunk in bytes. */
const chunkSize = blockSize;
/**
 * Maximum number of uncompressed full chunks, 32 MiB in total. Compressing fewer chunks would take longer than sorting.
 */
const maxPlainChunks = 128;
/**
 * Number of decompressed chunks to cache while reading in sorted order, because consecutive texts are often in the same
 * chunk.
 */
const maxDecompressedChunks = 32;
/** Maximum number of buffers kept for reuse. Compression frees several at a time. */
const maxFreeBuffers = 8;

class Chunk {
  /** Uncompressed bytes; `undefined` once the chunk is compressed. */
  bytes: Buffer | undefined;
  used = 0;
  #compressed: Buffer = Buffer.of();

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /**
   * Compresses the chunk.
   * @returns the freed buffer; `undefined` if compression failed
   */
  async compress(): Promise<Buffer | undefined> {
    const { bytes } = this;
    if (bytes === undefined) return undefined;
    try {
      this.#compressed = await compressBlock(bytes.subarray(0, this.used));
    } catch {
      return undefined;
    }
    this.bytes = undefined;
    return bytes;
  }

  read(): Promise<Buffer> {
    return blockBytes(this.#compressed);
  }
}

/** The position of a text or of a part of it. */
export interface TextPart {
  readonly chunk: Chunk;
  readonly start: number;
  readonly end: number;
}

export class UnsortedTexts {
  #chunk: Chunk | undefined;
  #remaining = 0;
  /** Full chunks that have not been compressed yet. */
  #full: Chunk[] = [];
  #isCompressing = false;
  #compressing = Promise.resolve();
  /** Buffers of compressed chunks, reused because freeing them would need a garbage collection. */
  readonly #free: Buffer[] = [];
  readonly #maxPlainChunks: number;

  /** @param maxPlain number of full chunks above which all chunks are compressed */
  constructor(maxPlain = maxPlainChunks) {
    this.#maxPlainChunks = maxPlain;
  }

  add(text: string): TextPart {
    // A UTF-16 code unit needs at most three bytes in UTF-8.
    const maxBytes = text.length * 3;
    let chunk = this.#chunk;
    if (chunk?.bytes === undefined || maxBytes > this.#remaining)
      chunk = this.#nextChunk(maxBytes > chunkSize ? Buffer.byteLength(text) : 0);
    const start = chunk.used;
    const size = chunk.bytes?.write(text, start) ?? 0;
    chunk.used += size;
    this.#remaining -= size;
    return { chunk, start, end: chunk.used };
  }

  #nextChunk(minBytes: number): Chunk {
    if (this.#chunk !== undefined) this.#full.push(this.#chunk);
    this.#isCompressing ||= this.#full.length > this.#maxPlainChunks;
    if (this.#isCompressing) {
      const full = this.#full;
      this.#full = [];
      // Chunks are compressed sequentially, because each compression needs additional memory.
      this.#compressing = this.#compressing.then(() => this.#compress(full));
    }
    const bytes: Buffer =
      minBytes > chunkSize ? Buffer.allocUnsafeSlow(minBytes) : (this.#free.pop() ?? Buffer.allocUnsafeSlow(chunkSize));
    this.#chunk = new Chunk(bytes);
    this.#remaining = bytes.length;
    return this.#chunk;
  }

  async #compress(chunks: readonly Chunk[]): Promise<void> {
    for (const chunk of chunks) {
      const memory = await chunk.compress();
      if (memory?.length === chunkSize && this.#free.length < maxFreeBuffers) this.#free.push(memory);
    }
  }
}

/** Appends a part to a text, merging it with the last part if the two are adjacent. */
export function appendPart(parts: TextPart[], part: TextPart): void {
  const last = parts.at(-1);
  if (last?.chunk === part.chunk && last.end === part.start) parts[parts.length - 1] = { ...last, end: part.end };
  else parts.push(part);
}

/** Texts in sorted order, read as one text. */
export class OrderedTexts {
  /** Total size in bytes. */
  size = 0;
  readonly #between = new UnsortedTexts();
  readonly #parts: TextPart[] = [];

  addText(text: string): void {
    this.add(this.#between.add(text));
  }

  add(part: TextPart): void {
    appendPart(this.#parts, part);
    this.size += part.end - part.start;
  }

  /** Yields the bytes. A block is valid until `blocksAtOnce` further blocks have been yielded. */
  async *blocks(): AsyncGenerator<Buffer, void> {
    const memory = Array.from({ length: blocksAtOnce }, () => Buffer.allocUnsafeSlow(Math.min(blockSize, this.size)));
    let [block = Buffer.of()] = memory;
    const read = new Map<Chunk, Buffer>();
    let used = 0;
    for (const { chunk, start, end } of this.#parts) {
      let bytes = chunk.bytes ?? read.get(chunk);
      if (bytes === undefined) {
        bytes = await chunk.read();
        const [oldest] = read.keys();
        if (read.size >= maxDecompressedChunks && oldest !== undefined) read.delete(oldest);
        read.set(chunk, bytes);
      }
      for (let from = start; from < end; ) {
        const copied = bytes.copy(block, used, from, end);
        from += copied;
        used += copied;
        if (used < block.length) continue;
        yield block;
        block = memory[(memory.indexOf(block) + 1) % memory.length] ?? block;
        used = 0;
      }
    }
    if (used > 0) yield block.subarray(0, used);
  }

  /** Returns the text as a string. Use only for short texts. */
  async text(): Promise<string> {
    let text = "";
    for await (const block of this.blocks()) text += block.toString();
    return text;
  }
}
