/**
 * The last lines of the log in memory, for `get_log_lines`. Lines are bytes in one ring, because strings kept for long
 * would burden the garbage collector.
 */

/** A line with its number in this process, which grows by one per line. */
export interface NumberedLine {
  readonly number: number;
  /** JSON text, or its beginning if the line was longer than the limit. */
  readonly text: string;
  readonly isCut: boolean;
}

const defaultSizes = { maxBytes: 2 * 1024 * 1024, maxLines: 5000, maxLineBytes: 32 * 1024 };

const lineBreak = 0x0a;

export class RecentLines {
  readonly #sizes: typeof defaultSizes;
  readonly #bytes: Buffer;
  /** Position and size of each line, by its number modulo the maximum number of lines. */
  readonly #starts: Uint32Array;
  readonly #lengths: Uint32Array;
  #first = 0;
  #next = 0;
  #end = 0;

  /** @param sizes limits of the ring; a longer line is cut */
  constructor(sizes: Partial<typeof defaultSizes> = {}) {
    this.#sizes = { ...defaultSizes, ...sizes };
    this.#bytes = Buffer.allocUnsafeSlow(this.#sizes.maxBytes);
    this.#starts = new Uint32Array(this.#sizes.maxLines);
    this.#lengths = new Uint32Array(this.#sizes.maxLines);
  }

  /** Number of the oldest line; equal to `next` without lines. */
  get first(): number {
    return this.#first;
  }

  /** Number of the next line. */
  get next(): number {
    return this.#next;
  }

  /** @param line the complete line with its line break */
  add(line: string): void {
    const { maxBytes, maxLines, maxLineBytes } = this.#sizes;
    // One UTF-16 unit takes at most three bytes in UTF-8.
    const room = Math.min(line.length * 3, maxLineBytes);
    if (this.#end + room > maxBytes) {
      this.#evict(this.#end, maxBytes);
      this.#end = 0;
    }
    this.#evict(this.#end, this.#end + room);
    if (this.#next - this.#first === maxLines) this.#first++;
    const length = this.#bytes.write(line, this.#end, room);
    const slot = this.#next % maxLines;
    this.#starts[slot] = this.#end;
    this.#lengths[slot] = length;
    this.#end += length;
    this.#next++;
  }

  /** Returns a line that the ring contains. */
  line(number: number): NumberedLine {
    const slot = number % this.#sizes.maxLines;
    const start = this.#starts[slot] ?? 0;
    const end = start + (this.#lengths[slot] ?? 0);
    const isCut = this.#bytes[end - 1] !== lineBreak;
    return { number, text: this.#bytes.toString("utf8", start, isCut ? end : end - 1), isCut };
  }

  /** Removes the oldest lines that begin between two positions. */
  #evict(from: number, to: number): void {
    for (; this.#first < this.#next; this.#first++) {
      const start = this.#starts[this.#first % this.#sizes.maxLines] ?? 0;
      if (start < from || start >= to) return;
    }
  }
}
