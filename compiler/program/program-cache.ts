/**
 * What was made for one program and may serve the next: values by path, shared by a program and those made from it.
 * What several programs in a row did not ask for is dropped. Of what is made for walks of a whole schema, the latest
 * are kept.
 */
import { LRUCache } from "lru-cache";
import { lazy } from "../../runtime/values/lazy.ts";
import { passingKept } from "../../runtime/values/passing.ts";

interface Shared<T> {
  /** How many programs have asked for something. */
  programs: number;
  readonly entries: Map<string, { readonly value: T; usedBy: number }>;
  readonly passing: LRUCache<string, { readonly value: T }>;
}

/** Values that so many programs did not ask for are forgotten. */
const programsKept = 8;

export class ProgramCache<T> {
  readonly #shared: Shared<T>;
  /** Of the program, which counts from its first question on: most drafts of a change are never asked for a file. */
  readonly #number = lazy(() => this.#begin());

  /** @param previous that of the program before */
  constructor(previous?: ProgramCache<T>) {
    this.#shared = previous
      ? previous.#shared
      : { programs: 0, entries: new Map(), passing: new LRUCache({ max: passingKept }) };
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

  /** One that was made for a walk. */
  setPassing(path: string, value: T): void {
    if (this.#shared.entries.has(path)) this.set(path, value);
    else this.#shared.passing.set(path, { value });
  }

  #begin(): number {
    const number = ++this.#shared.programs;
    for (const [path, { usedBy }] of this.#shared.entries) {
      if (usedBy < number - programsKept) this.#shared.entries.delete(path);
    }
    return number;
  }
}
