/**
 * Many texts that wait to be put in order: as bytes outside of the heap, where no garbage collection looks at them. They
 * stand in chunks, each of which is compressed once it is full.
 */
import { blockBytes, compressBlock } from "./long-text.ts";

/** In bytes. */
const chunkSize = 256 * 1024;
/** In bytes: blocks of texts in their order. */
const blockSize = 256 * 1024;
/** Chunks that are kept as bytes while texts are put in order: neighbours often stand in the same ones. */
const chunksAtOnce = 64;

class Chunk {
  /** `undefined`: it is compressed. */
  bytes: Buffer | undefined;
  #compressed: Buffer = Buffer.of();

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** It is full. @returns its memory, free for others; `undefined`: it could not be compressed */
  async close(used: number): Promise<Buffer | undefined> {
    const { bytes } = this;
    try {
      this.#compressed = await compressBlock((bytes ?? this.#compressed).subarray(0, used));
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
  #used = 0;
  /** Of chunks that are compressed: it would wait for a garbage collection otherwise. */
  readonly #free: Buffer[] = [];

  add(text: string): TextPart {
    // A character of UTF-16 becomes three bytes at most.
    const most = text.length * 3;
    let chunk = this.#chunk;
    if (chunk?.bytes === undefined || most > this.#left)
      chunk = this.#nextChunk(most > chunkSize ? Buffer.byteLength(text) : 0);
    const start = this.#used;
    const size = chunk.bytes?.write(text, start) ?? 0;
    this.#used += size;
    this.#left -= size;
    return { chunk, start, end: this.#used };
  }

  #nextChunk(least: number): Chunk {
    void this.#chunk?.close(this.#used).then((memory) => {
      if (memory?.length === chunkSize) this.#free.push(memory);
    });
    const bytes: Buffer =
      least > chunkSize ? Buffer.allocUnsafeSlow(least) : (this.#free.pop() ?? Buffer.allocUnsafeSlow(chunkSize));
    this.#chunk = new Chunk(bytes);
    this.#used = 0;
    this.#left = bytes.length;
    return this.#chunk;
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

  /** Its bytes; each block has the memory of the one before. */
  async *blocks(): AsyncGenerator<Buffer, void> {
    const block = Buffer.allocUnsafeSlow(Math.min(blockSize, this.size));
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
