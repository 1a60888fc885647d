/**
 * Writes lines to a file descriptor, many per write, because a write per line would cost more than the request. Lines
 * are written after 50 ms at the latest, and remaining lines when the process exits.
 */
import { write, writeSync } from "node:fs";

/** Number of buffered bytes that triggers a write before the timer does. */
const writeThreshold = 65_536;
/**
 * Lines are encoded into chunks immediately, because strings kept until the write would burden the garbage collector.
 */
const chunkSize = 2 * writeThreshold;
const delayMilliseconds = 50;
/** Limit in bytes for a reader that has stopped reading. Beyond it, lines are dropped and counted. */
const maxWaitingBytes = 32 * 1024 * 1024;
const retryMilliseconds = 20;
/** Default time in milliseconds that an exiting process waits for the reader. */
const defaultTimeout = 1000;

interface Chunk {
  readonly bytes: Buffer;
  used: number;
}

export class LineBuffer {
  readonly #descriptor: number;
  readonly #droppedLine: (count: number) => string;
  readonly #timeout: number;
  /** Chunks in the order of their lines. The first is being written; new lines are added to the last. */
  #chunks: Chunk[] = [];
  #spare: Chunk | null = null;
  #waiting = 0;
  #dropped = 0;
  #isWriting = false;
  #timer: NodeJS.Timeout | null = null;
  #closed = false;
  /** Callbacks that run when everything has been written. */
  #idle: (() => void)[] = [];

  /**
   * Creates a buffer.
   * @param droppedLine formats the line that reports dropped lines
   * @param timeout time in milliseconds that `drained` and `flush` each wait for the reader
   */
  constructor(descriptor: number, droppedLine: (count: number) => string, timeout = defaultTimeout) {
    this.#descriptor = descriptor;
    this.#droppedLine = droppedLine;
    this.#timeout = timeout;
    if (descriptor === 1) openWithoutBlocking();
    process.once("exit", () => this.flush());
  }

  write(line: string): void {
    if (this.#closed) return;
    if (this.#waiting > maxWaitingBytes) {
      this.#dropped++;
      return;
    }
    this.#append(line);
    if (!this.#isWriting) this.#schedule();
  }

  /**
   * Resolves when all lines have been written, or after the timeout. Must be called before a process exits: `flush`
   * alone would write the data of a write in progress twice.
   */
  async drained(): Promise<void> {
    if (this.#waiting === 0 || this.#closed) return;
    if (!this.#isWriting) this.#start();
    let limit: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#idle.push(resolve);
      limit = setTimeout(resolve, this.#timeout);
    });
    clearTimeout(limit);
  }

  /**
   * Writes the buffer synchronously. Data of a write in progress may be written twice, which is better than losing the
   * reason why a process ended.
   */
  flush(): void {
    let rest = Buffer.concat(this.#chunks.map(({ bytes, used }) => bytes.subarray(0, used)));
    this.#chunks = [];
    this.#waiting = 0;
    const tries = Math.ceil(this.#timeout / retryMilliseconds);
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
    // One UTF-16 unit takes at most three bytes in UTF-8.
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
        // The output itself fails, so the error cannot be reported.
        this.#closed = true;
        this.#chunks = [];
        this.#resolveIdle();
      } else if (from + written < chunk.used && this.#chunks[0] === chunk) {
        this.#continue(chunk, from + written);
      } else {
        this.#done(chunk);
      }
    });
  }

  #done(chunk: Chunk): void {
    this.#isWriting = false;
    // `flush` may have written the chunk in the meantime.
    if (this.#chunks[0] !== chunk) return;
    this.#chunks.shift();
    this.#waiting -= chunk.used;
    chunk.used = 0;
    if (chunk.bytes.length === chunkSize) this.#spare = chunk;
    if (this.#dropped > 0) this.#append(this.#droppedLine(this.#dropped));
    this.#dropped = 0;
    if (this.#waiting === 0) this.#resolveIdle();
    else if (this.#idle.length > 0) this.#start();
    else this.#schedule();
  }

  #resolveIdle(): void {
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}

/**
 * Opens the stream of standard output. Until then, writes to a pipe block, and a process could hang on exit if the pipe
 * is not read.
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
