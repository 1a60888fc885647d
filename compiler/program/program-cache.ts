/**
 * A cache of values by path, shared by a program and its successors. Evicts values that several successive programs did
 * not use. Values created for a traversal of a whole schema are in a small LRU cache instead.
 */
import { LRUCache } from "lru-cache";
import { lazy } from "../../runtime/values/lazy.ts";
import { maxTransientModules } from "../../runtime/values/transient-modules.ts";

interface Shared<T> {
  /** Number of programs that have used the cache. */
  programs: number;
  readonly entries: Map<string, { readonly value: T; usedBy: number }>;
  readonly passing: LRUCache<string, { readonly value: T }>;
}

/** Number of successive programs without use after which a value is evicted. */
const maxUnusedPrograms = 8;

export class ProgramCache<T> {
  readonly #shared: Shared<T>;
  /** The number of this program. Assigned on first use, since most drafts of a change never need a file. */
  readonly #number = lazy(() => this.#begin());

  /** @param previous the cache of the previous program */
  constructor(previous?: ProgramCache<T>) {
    this.#shared = previous
      ? previous.#shared
      : { programs: 0, entries: new Map(), passing: new LRUCache({ max: maxTransientModules }) };
  }

  get(path: string): T | undefined {
    const entry = this.#shared.entries.get(path);
    if (entry === undefined) return this.#shared.passing.get(path)?.value;
    entry.usedBy = Math.max(entry.usedBy, this.#number());
    return entry.value;
  }

  set(path: string, value: T): void {
    this.#shared.entries.set(path, { value, usedBy: this.#number() });
  }

  /** Adds a value created for a traversal. */
  setPassing(path: string, value: T): void {
    if (this.#shared.entries.has(path)) this.set(path, value);
    else this.#shared.passing.set(path, { value });
  }

  #begin(): number {
    const number = ++this.#shared.programs;
    for (const [path, { usedBy }] of this.#shared.entries) {
      if (usedBy < number - maxUnusedPrograms) this.#shared.entries.delete(path);
    }
    return number;
  }
}
