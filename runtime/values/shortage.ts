/**
 * Shortages of the process: no descriptor or memory is left. What fails for one is the fault of neither a service
 * nor a call: a queued call is no attempt, and other instances can make it. One object for the process, as its limits are.
 */
import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";

export interface ShortageWatcher {
  /** @param code of the error, as `EMFILE` */
  began(code: string): void;
  ended(): void;
}

/** Of the operating system and of Node: what another process, or this one a little later, does not have to meet. */
const codes: ReadonlySet<string> = new Set([
  "EMFILE",
  "ENFILE",
  "ENOMEM",
  "ENOBUFS",
  "ERR_MODULE_NOT_FOUND",
  "ERR_WORKER_INIT_FAILED",
  "ERR_WORKER_OUT_OF_MEMORY",
]);
/** A name cannot be looked up without descriptors either, and the resolver does not tell one reason from the other. */
const ambiguous: ReadonlySet<string> = new Set(["EAI_AGAIN", "EAI_MEMORY", "EAI_SYSTEM", "ENOTFOUND", "EAI_FAIL"]);

/** Descriptors that have to be free for a shortage to end: enough for a connection, its name and a file. */
const spare = 8;
/** In milliseconds, from one look to the next; doubled up to the longest where the shortage comes back at once. */
const shortestPause = 1000;
const longestPause = 8000;
/** Errors have causes, which have causes. */
const deepest = 5;

export class Shortage {
  readonly #watchers = new Set<ShortageWatcher>();
  readonly #hasSpare: () => boolean;
  #timer: NodeJS.Timeout | undefined;
  #pause = shortestPause;
  #endedAt = Number.NEGATIVE_INFINITY;

  /** @param hasSpare whether descriptors can be opened */
  constructor(hasSpare: () => boolean = canOpen) {
    this.#hasSpare = hasSpare;
  }

  /** Whether new work is better left to others now. */
  get isOn(): boolean {
    return this.#timer !== undefined;
  }

  /**
   * Takes the error of something that failed.
   * @returns whether it failed for a shortage, which has then begun
   */
  isCauseOf(error: unknown): boolean {
    const code = this.#codeOf(error, deepest);
    if (code === undefined) return false;
    if (this.#timer !== undefined) return true;
    const isAgain = performance.now() - this.#endedAt < longestPause;
    this.#pause = isAgain ? Math.min(longestPause, this.#pause * 2) : shortestPause;
    this.#look();
    for (const watcher of this.#watchers) watcher.began(code);
    return true;
  }

  /** @returns stops it */
  watch(watcher: ShortageWatcher): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  #look(): void {
    this.#timer = setTimeout(() => {
      if (!this.#hasSpare()) return this.#look();
      this.#timer = undefined;
      this.#endedAt = performance.now();
      for (const watcher of this.#watchers) watcher.ended();
    }, this.#pause);
    this.#timer.unref();
  }

  #codeOf(error: unknown, depth: number): string | undefined {
    if (!(error instanceof Error) || depth === 0) return undefined;
    const code = "code" in error ? error.code : undefined;
    if (typeof code === "string") {
      if (codes.has(code)) return code;
      if (ambiguous.has(code) && !this.#hasSpare()) return "EMFILE";
    }
    // Of several addresses, each fails.
    const inner = error instanceof AggregateError ? [...error.errors, error.cause] : [error.cause];
    for (const each of inner) {
      const found = this.#codeOf(each, depth - 1);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

function canOpen(): boolean {
  const opened: number[] = [];
  try {
    while (opened.length < spare) opened.push(openSync(devNull, "r"));
    return true;
  } catch {
    return false;
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

/** Of this process. */
export const shortage = new Shortage();
