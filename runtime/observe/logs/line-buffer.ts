/**
 * Lines → a file descriptor, many lines per write: a write of its own for each request's line costs more than the
 * request. Lines are on their way after 50 ms; what is left when the process exits is written then.
 */
import { write, writeSync } from "node:fs";

/** So many bytes are written without waiting for the timer. */
const writeThreshold = 65_536;
/** Lines are encoded into chunks as they come: texts kept until the write would burden the garbage collector. */
const chunkSize = 2 * writeThreshold;
const delayMilliseconds = 50;
/** A reader that has stopped reading must not fill our memory: beyond this, lines are dropped and counted. */
const maximumWaiting = 32 * 1024 * 1024;
const retryMilliseconds = 20;
/** A process that ends waits no longer for a reader, unless told otherwise. */
const usualPatience = 1000;

interface Chunk {
  readonly bytes: Buffer;
  used: number;
}

export class LineBuffer {
  readonly #descriptor: number;
  readonly #droppedLine: (count: number) => string;
  readonly #patience: number;
  /** Chunks in the order of their lines; the first is the one being written, the last takes new lines. */
  #chunks: Chunk[] = [];
  #spare: Chunk | null = null;
  #waiting = 0;
  #dropped = 0;
  #isWriting = false;
  #timer: NodeJS.Timeout | null = null;
  #closed = false;
  /** What waits until nothing is being written. */
  #idle: (() => void)[] = [];

  /**
   * @param droppedLine the line that says how many lines were dropped
   * @param patience in milliseconds: so long `drained` and `flush` each wait for a reader
   */
  constructor(descriptor: number, droppedLine: (count: number) => string, patience = usualPatience) {
    this.#descriptor = descriptor;
    this.#droppedLine = droppedLine;
    this.#patience = patience;
    if (descriptor === 1) openWithoutBlocking();
    process.once("exit", () => this.flush());
  }

  write(line: string): void {
    if (this.#closed) return;
    if (this.#waiting > maximumWaiting) {
      this.#dropped++;
      return;
    }
    this.#append(line);
    if (!this.#isWriting) this.#schedule();
  }

  /**
   * Resolves when the lines so far are written, or when the patience with a reader is over. Before a process ends:
   * `flush` alone would write a second time what a write under way has taken.
   */
  async drained(): Promise<void> {
    if (this.#waiting === 0 || this.#closed) return;
    if (!this.#isWriting) this.#start();
    let limit: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#idle.push(resolve);
      limit = setTimeout(resolve, this.#patience);
    });
    clearTimeout(limit);
  }

  /**
   * Writes what is buffered before it returns. What an unfinished write took is written again and may stand twice in
   * the output, which is better than losing why a process ended.
   */
  flush(): void {
    let rest = Buffer.concat(this.#chunks.map(({ bytes, used }) => bytes.subarray(0, used)));
    this.#chunks = [];
    this.#waiting = 0;
    const tries = Math.ceil(this.#patience / retryMilliseconds);
    for (let failures = 0; rest.length > 0 && failures < tries && !this.#closed; ) {
      try {
        rest = rest.subarray(writeSync(this.#descriptor, rest));
      } catch (error) {
        if (!isTemporary(error)) this.#closed = true;
        failures++;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMilliseconds);
      }
    }
  }

  #append(line: string): void {
    // One character is at most three bytes of UTF-8.
    const room = line.length * 3;
    let chunk = this.#chunks.at(-1);
    const isTaken = this.#isWriting && this.#chunks.length === 1;
    if (chunk === undefined || isTaken || chunk.bytes.length - chunk.used < room) {
      chunk = room <= chunkSize && this.#spare !== null ? this.#spare : newChunk(Math.max(chunkSize, room));
      if (chunk === this.#spare) this.#spare = null;
      this.#chunks.push(chunk);
    }
    const bytes = chunk.bytes.write(line, chunk.used);
    chunk.used += bytes;
    this.#waiting += bytes;
  }

  #schedule(): void {
    if (this.#waiting >= writeThreshold) this.#start();
    else this.#timer ??= setTimeout(() => this.#start(), delayMilliseconds).unref();
  }

  #start(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const [chunk] = this.#chunks;
    if (chunk === undefined) return;
    this.#isWriting = true;
    this.#continue(chunk, 0);
  }

  #continue(chunk: Chunk, from: number): void {
    write(this.#descriptor, chunk.bytes, from, chunk.used - from, null, (error, written) => {
      if (error !== null && isTemporary(error)) {
        setTimeout(() => this.#continue(chunk, from), retryMilliseconds);
      } else if (error !== null) {
        // The output is where this would be reported: nobody is left to tell.
        this.#closed = true;
        this.#chunks = [];
        this.#tellIdle();
      } else if (from + written < chunk.used && this.#chunks[0] === chunk) {
        this.#continue(chunk, from + written);
      } else {
        this.#done(chunk);
      }
    });
  }

  #done(chunk: Chunk): void {
    this.#isWriting = false;
    // `flush` may have written it in the meantime.
    if (this.#chunks[0] !== chunk) return;
    this.#chunks.shift();
    this.#waiting -= chunk.used;
    chunk.used = 0;
    if (chunk.bytes.length === chunkSize) this.#spare = chunk;
    if (this.#dropped > 0) this.#append(this.#droppedLine(this.#dropped));
    this.#dropped = 0;
    if (this.#waiting === 0) this.#tellIdle();
    else if (this.#idle.length > 0) this.#start();
    else this.#schedule();
  }

  #tellIdle(): void {
    for (const tell of this.#idle.splice(0)) tell();
  }
}

/**
 * A pipe blocks until Node opens the stream over it: a process whose last write nobody reads would wait for that write
 * when it ends.
 */
function openWithoutBlocking(): void {
  void process.stdout;
}

function newChunk(size: number): Chunk {
  return { bytes: Buffer.allocUnsafeSlow(size), used: 0 };
}

function isTemporary(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "EAGAIN" || error.code === "EBUSY");
}
