/** Many texts that wait to be put in order: as bytes outside of the heap, where no garbage collection looks at them. */
import { LongText, type TextBlock } from "./long-text.ts";

/** In bytes. */
const chunkSize = 1024 * 1024;
/** In bytes: blocks of a long text are about as long. */
const blockSize = 256 * 1024;

/** Where a text stands, or a part of one. */
export interface TextPart {
  readonly chunk: Buffer;
  readonly start: number;
  readonly end: number;
}

export class WaitingTexts {
  #chunk = Buffer.of();
  #used = 0;

  add(text: string): TextPart {
    // A character of UTF-16 becomes three bytes at most.
    const most = text.length * 3;
    if (most > chunkSize) {
      const chunk = Buffer.from(text);
      return { chunk, start: 0, end: chunk.length };
    }
    if (most > this.#chunk.length - this.#used) {
      this.#chunk = Buffer.allocUnsafeSlow(chunkSize);
      this.#used = 0;
    }
    const start = this.#used;
    this.#used += this.#chunk.write(text, start);
    return { chunk: this.#chunk, start, end: this.#used };
  }
}

/** Adds a part to those of a text; one that stands behind the last one goes into it. */
export function appendPart(parts: TextPart[], part: TextPart): void {
  const last = parts.at(-1);
  if (last?.chunk === part.chunk && last.end === part.start) parts[parts.length - 1] = { ...last, end: part.end };
  else parts.push(part);
}

/** Texts in their order, as one; they stay where they are until that is compressed. */
export class OrderedTexts {
  readonly #between = new WaitingTexts();
  readonly #blocks: TextBlock[] = [];
  #parts: TextPart[] = [];
  #size = 0;

  addText(text: string): void {
    this.add(this.#between.add(text));
  }

  add({ chunk, start, end }: TextPart): void {
    for (let from = start; from < end; from += blockSize) {
      const to = Math.min(end, from + blockSize);
      appendPart(this.#parts, { chunk, start: from, end: to });
      this.#size += to - from;
      if (this.#size >= blockSize) this.#endBlock();
    }
  }

  /** Of all that were added. */
  end(): LongText {
    this.#endBlock();
    return LongText.of(this.#blocks);
  }

  #endBlock(): void {
    if (this.#size === 0) return;
    this.#blocks.push(blockOf(this.#parts, this.#size));
    this.#parts = [];
    this.#size = 0;
  }
}

function blockOf(parts: readonly TextPart[], size: number): TextBlock {
  return {
    size,
    bytes() {
      const block = Buffer.allocUnsafeSlow(size);
      let at = 0;
      for (const { chunk, start, end } of parts) at += chunk.copy(block, at, start, end);
      return block;
    },
  };
}
