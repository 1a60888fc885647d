/**
 * The messages of one socket, handled one at a time in their order. While many wait the socket is not read, so that a
 * client which sends faster than it is served fills its own buffers and not our memory.
 */

export interface Flow {
  pause(): void;
  resume(): void;
}

interface Waiting {
  readonly text: string;
  /** By `performance.now`. */
  readonly since: number;
}

const mostWaiting = 32;
/** In characters. */
const longestWaiting = 1024 * 1024;

export class Inbox {
  readonly #handle: (text: string) => Promise<void>;
  readonly #flow: Flow;
  readonly #onTurn: (waited: number) => void;
  #waiting: Waiting[] = [];
  #waitingLength = 0;
  #isPaused = false;
  #isHeld = false;
  #isClosed = false;
  #isHandling = false;
  #onIdle: (() => void) | null = null;

  /**
   * @param handle never rejects
   * @param onTurn told of each message how long it waited, in seconds
   */
  constructor(handle: (text: string) => Promise<void>, flow: Flow, onTurn: (waited: number) => void = () => {}) {
    this.#handle = handle;
    this.#onTurn = onTurn;
    this.#flow = flow;
  }

  /** Takes no further messages. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  push(text: string): void {
    if (this.#isClosed) return;
    this.#waiting.push({ text, since: performance.now() });
    this.#waitingLength += text.length;
    if (!this.#isPaused && (this.#waiting.length > mostWaiting || this.#waitingLength > longestWaiting)) {
      this.#isPaused = true;
      this.#flow.pause();
    }
    if (!this.#isHandling) void this.#run();
  }

  /** Reads no further messages for now; those that have come are handled. */
  hold(): void {
    this.#isHeld = true;
    this.#flow.pause();
  }

  unhold(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    if (!this.#isPaused) this.#flow.resume();
  }

  /** Takes no further messages and calls `whenIdle` when those that came before are handled. */
  close(whenIdle: () => void): void {
    this.#isClosed = true;
    if (this.#isHandling) this.#onIdle = whenIdle;
    else whenIdle();
  }

  /** Forgets the messages that wait. */
  clear(): void {
    this.#waiting = [];
    this.#waitingLength = 0;
  }

  async #run(): Promise<void> {
    this.#isHandling = true;
    for (let text = this.#next(); text !== undefined; text = this.#next()) await this.#handle(text);
    this.#isHandling = false;
    this.#onIdle?.();
  }

  #next(): string | undefined {
    const next = this.#waiting.shift();
    this.#waitingLength -= next?.text.length ?? 0;
    if (next) this.#onTurn((performance.now() - next.since) / 1000);
    if (this.#isPaused && this.#waiting.length === 0) {
      this.#isPaused = false;
      if (!this.#isHeld) this.#flow.resume();
    }
    return next?.text;
  }
}
