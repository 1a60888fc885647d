/** Gathers what is to be exported and sends it together, within bounds: what does not fit is counted and dropped. */

export interface BatchParts<T> {
  /** Most of one request. */
  readonly size: number;
  /** @throws Error where the collector did not take them */
  readonly send: (items: readonly T[]) => Promise<void>;
  readonly onSent: (count: number) => void;
  readonly onDropped: (count: number, reason: "buffer_full" | "send_failed") => void;
  /** Told what the collector said. */
  readonly onFailed: (error: unknown) => void;
}

/** In batches: what waits while the collector is slow. */
const mostBatches = 8;
const leastWaiting = 2048;
/** In milliseconds: what waits is sent so soon though it is no whole batch. */
const delay = 5000;

export class Batch<T> {
  readonly #parts: BatchParts<T>;
  #waiting: T[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #isClosed = false;

  constructor(parts: BatchParts<T>) {
    this.#parts = parts;
  }

  add(item: T): void {
    const { size, onDropped } = this.#parts;
    if (this.#isClosed || this.#waiting.length >= Math.max(leastWaiting, mostBatches * size)) {
      onDropped(1, "buffer_full");
      return;
    }
    this.#waiting.push(item);
    if (this.#waiting.length >= size) this.#start();
    else this.#timer ??= setTimeout(() => this.#start(), delay).unref();
  }

  /** Sends what waits; resolves when that is done, or could not be. */
  async flush(): Promise<void> {
    this.#start();
    await this.#sending;
  }

  /** Sends what waits, and takes nothing more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.flush();
  }

  #start(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
  }

  async #sendAll(): Promise<void> {
    const { size, send, onSent, onDropped, onFailed } = this.#parts;
    while (this.#waiting.length > 0) {
      const items = this.#waiting.splice(0, size);
      try {
        await send(items);
        onSent(items.length);
      } catch (error) {
        onDropped(items.length, "send_failed");
        onFailed(error);
      }
    }
  }
}
