/**
 * Queues the messages of one socket and handles them one at a time, in order. A full queue pauses the socket, so that
 * unsent messages of a fast client stay in the client's buffers.
 */

export interface Flow {
  pause(): void;
  resume(): void;
}

interface QueuedMessage {
  readonly text: string;
  /** Time of arrival, on the clock of `performance.now`. */
  readonly since: number;
}

const maxQueued = 32;
/** Limit in characters. */
const maxQueuedLength = 1024 * 1024;

export class Inbox {
  readonly #handle: (text: string) => Promise<void>;
  readonly #flow: Flow;
  readonly #onTurn: (waited: number) => void;
  #queued: QueuedMessage[] = [];
  #queuedLength = 0;
  #isPaused = false;
  #isHeld = false;
  #isClosed = false;
  #isHandling = false;
  #onIdle: (() => void) | null = null;

  /**
   * @param handle never rejects
   * @param onTurn receives the time in seconds that each message waited in the queue
   */
  constructor(handle: (text: string) => Promise<void>, flow: Flow, onTurn: (waited: number) => void = () => {}) {
    this.#handle = handle;
    this.#onTurn = onTurn;
    this.#flow = flow;
  }

  /** True if further messages are dropped. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  push(text: string): void {
    if (this.#isClosed) return;
    this.#queued.push({ text, since: performance.now() });
    this.#queuedLength += text.length;
    if (!this.#isPaused && (this.#queued.length > maxQueued || this.#queuedLength > maxQueuedLength)) {
      this.#isPaused = true;
      this.#flow.pause();
    }
    if (!this.#isHandling) void this.#run();
  }

  /** Pauses the socket; queued messages are still handled. */
  hold(): void {
    this.#isHeld = true;
    this.#flow.pause();
  }

  unhold(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    if (!this.#isPaused) this.#flow.resume();
  }

  /** Drops further messages, and calls `whenIdle` when the queued ones have been handled. */
  close(whenIdle: () => void): void {
    this.#isClosed = true;
    if (this.#isHandling) this.#onIdle = whenIdle;
    else whenIdle();
  }

  /** Drops the queued messages. */
  clear(): void {
    this.#queued = [];
    this.#queuedLength = 0;
  }

  async #run(): Promise<void> {
    this.#isHandling = true;
    for (let text = this.#next(); text !== undefined; text = this.#next()) await this.#handle(text);
    this.#isHandling = false;
    this.#onIdle?.();
  }

  #next(): string | undefined {
    const next = this.#queued.shift();
    this.#queuedLength -= next?.text.length ?? 0;
    if (next) this.#onTurn((performance.now() - next.since) / 1000);
    if (this.#isPaused && this.#queued.length === 0) {
      this.#isPaused = false;
      if (!this.#isHeld) this.#flow.resume();
    }
    return next?.text;
  }
}
