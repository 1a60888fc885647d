/**
 * Detects shortages of file descriptors and memory in this process. A failure caused by a shortage is not the fault of
 * the called service: a queued delivery does not count it as an attempt, and another instance can make the delivery.
 * Limits apply to the process, so there is one `shortage` object.
 */
import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";

export interface ShortageWatcher {
  /**
   * Called when a shortage begins.
   * @param code the error code, for example `EMFILE`
   */
  began(code: string): void;
  ended(): void;
}

/** Error codes of the operating system and of Node for a shortage. */
const codes: ReadonlySet<string> = new Set([
  "EMFILE",
  "ENFILE",
  "ENOMEM",
  "ENOBUFS",
  "ERR_MODULE_NOT_FOUND",
  "ERR_WORKER_INIT_FAILED",
  "ERR_WORKER_OUT_OF_MEMORY",
]);
/** Error codes of failed name lookups, which the resolver also returns if it lacks descriptors. */
const ambiguous: ReadonlySet<string> = new Set(["EAI_AGAIN", "EAI_MEMORY", "EAI_SYSTEM", "ENOTFOUND", "EAI_FAIL"]);

/** A shortage ends when this many descriptors are free: enough for a connection, its name lookup and a file. */
const spareDescriptors = 8;
/** Milliseconds between checks. Doubled, up to the maximum, if the shortage returns soon. */
const minPause = 1000;
const maxPause = 8000;
/** The maximum depth of `cause` chains. */
const maxCauses = 5;

export class Shortage {
  readonly #watchers = new Set<ShortageWatcher>();
  readonly #hasSpare: () => boolean;
  #timer: NodeJS.Timeout | undefined;
  #pause = minPause;
  #endedAt = Number.NEGATIVE_INFINITY;

  /** @param hasSpare returns true if descriptors can be opened */
  constructor(hasSpare: () => boolean = canOpen) {
    this.#hasSpare = hasSpare;
  }

  /** True during a shortage, when new work should be left to other instances. */
  get isOn(): boolean {
    return this.#timer !== undefined;
  }

  /**
   * Checks whether a shortage caused an error. If so, the shortage begins.
   * @returns true if a shortage is the cause
   */
  isCauseOf(error: unknown): boolean {
    const code = this.#codeOf(error, maxCauses);
    if (code === undefined) return false;
    if (this.#timer !== undefined) return true;
    const hasReturned = performance.now() - this.#endedAt < maxPause;
    this.#pause = hasReturned ? Math.min(maxPause, this.#pause * 2) : minPause;
    this.#scheduleCheck();
    for (const watcher of this.#watchers) watcher.began(code);
    return true;
  }

  /**
   * Notifies the watcher of shortages.
   * @returns a function that ends the watch
   */
  watch(watcher: ShortageWatcher): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  #scheduleCheck(): void {
    this.#timer = setTimeout(() => {
      if (!this.#hasSpare()) return this.#scheduleCheck();
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
    // Connecting to several addresses fails with one error per address.
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
    while (opened.length < spareDescriptors) opened.push(openSync(devNull, "r"));
    return true;
  } catch {
    return false;
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

/** The shortage of this process. */
export const shortage = new Shortage();
