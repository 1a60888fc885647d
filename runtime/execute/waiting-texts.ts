/**
 * Many texts that wait to be put in order: as bytes outside of the heap, where no garbage collection looks at them. They
 * stand in chunks, which are compressed where they are many.
 */
import { blockBytes, blockSize, blocksAtOnce, compressBlock } from "../values/long-text.ts";

/** In bytes. */
const chunkSize = blockSize;
/** Of full chunks, 32 MiB in all: it takes longer to compress and read them than to put their texts in order. */
const mostAsBytes = 128;
/** Chunks that are kept as bytes while texts are put in order: neighbours often stand in the same ones. */
const chunksAtOnce = 32;
/** Memory of chunks that is kept for the next ones: more come free at once than are filled before others do. */
const freeAtOnce = 8;

class Chunk {
  /** `undefined`: it is compressed. */
  bytes: Buffer | undefined;
  used = 0;
  #compressed: Buffer = Buffer.of();

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** @returns its memory, free for others; `undefined`: it could not be compressed */
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

/** Where a text stands, or a part of one. */
export interface TextPart {
  readonly chunk: Chunk;
  readonly start: number;
  readonly end: number;
}

export class WaitingTexts {
  #chunk: Chunk | undefined;
  #left = 0;
  /** Those that are full and not compressed. */
  #full: Chunk[] = [];
  #isCompressing = false;
  #compressing = Promise.resolve();
  /** Of chunks that are compressed: it would wait for a garbage collection otherwise. */
  readonly #free: Buffer[] = [];
  readonly #mostAsBytes: number;

  /** @param mostChunksAsBytes more full chunks than these are compressed, and these, too */
  constructor(mostChunksAsBytes = mostAsBytes) {
    this.#mostAsBytes = mostChunksAsBytes;
  }

  add(text: string): TextPart {
    // A character of UTF-16 becomes three bytes at most.
    const most = text.length * 3;
    let chunk = this.#chunk;
    if (chunk?.bytes === undefined || most > this.#left)
      chunk = this.#nextChunk(most > chunkSize ? Buffer.byteLength(text) : 0);
    const start = chunk.used;
    const size = chunk.bytes?.write(text, start) ?? 0;
    chunk.used += size;
    this.#left -= size;
    return { chunk, start, end: chunk.used };
  }

  #nextChunk(least: number): Chunk {
    if (this.#chunk !== undefined) this.#full.push(this.#chunk);
    this.#isCompressing ||= this.#full.length > this.#mostAsBytes;
    if (this.#isCompressing) {
      const full = this.#full;
      this.#full = [];
      // One after the other: each takes memory of its own while it is compressed.
      this.#compressing = this.#compressing.then(() => this.#compress(full));
    }
    const bytes: Buffer =
      least > chunkSize ? Buffer.allocUnsafeSlow(least) : (this.#free.pop() ?? Buffer.allocUnsafeSlow(chunkSize));
    this.#chunk = new Chunk(bytes);
    this.#left = bytes.length;
    return this.#chunk;
  }

  async #compress(chunks: readonly Chunk[]): Promise<void> {
    for (const chunk of chunks) {
      const memory = await chunk.compress();
      if (memory?.length === chunkSize && this.#free.length < freeAtOnce) this.#free.push(memory);
    }
  }
}

/** Adds a part to those of a text; one that stands behind the last one goes into it. */
export function appendPart(parts: TextPart[], part: TextPart): void {
  const last = parts.at(-1);
  if (last?.chunk === part.chunk && last.end === part.start) parts[parts.length - 1] = { ...last, end: part.end };
  else parts.push(part);
}

/** Texts in their order, as one. */
export class OrderedTexts {
  /** In bytes. */
  size = 0;
  readonly #between = new WaitingTexts();
  readonly #parts: TextPart[] = [];

  addText(text: string): void {
    this.add(this.#between.add(text));
  }

  add(part: TextPart): void {
    appendPart(this.#parts, part);
    this.size += part.end - part.start;
  }

  /** Its bytes. A block keeps them until as many others were asked for as can be compressed at once. */
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
        if (read.size >= chunksAtOnce && oldest !== undefined) read.delete(oldest);
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

  /** Of a short one. */
  async text(): Promise<string> {
    let text = "";
    for await (const block of this.blocks()) text += block.toString();
    return text;
  }
}
