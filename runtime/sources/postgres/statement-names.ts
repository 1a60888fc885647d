/**
 * Which statements one connection has prepared by name: a bounded, least-recently-used set. What falls out is closed
 * on the server together with the next statement that is parsed, without a round trip of its own.
 */
import { LRUCache } from "lru-cache";

/** Each named statement holds memory in its server process, so this bounds `connections × statements`. */
export const maxNamedStatements = 256;

export class StatementNames {
  readonly #texts: LRUCache<string, string>;
  #forgotten: string[] = [];

  constructor(max: number = maxNamedStatements) {
    this.#texts = new LRUCache({ max, dispose: (_text, name) => this.#forgotten.push(name) });
  }

  /**
   * Whether the statement can be bound as it is. If not, it counts as prepared from now on: the caller sends Close for
   * `takeForgotten` and then Parse. A name that comes with another text is prepared anew.
   */
  isPrepared(name: string, text: string): boolean {
    if (this.#texts.get(name) === text) return true;
    this.#texts.set(name, text);
    return false;
  }

  /** The server may or may not have the statement: the next use closes and prepares it again. */
  forget(name: string): void {
    this.#texts.delete(name);
  }

  /** The server has none of the statements any more. */
  clear(): void {
    this.#texts.clear();
    this.#forgotten = [];
  }

  takeForgotten(): readonly string[] {
    if (this.#forgotten.length === 0) return this.#forgotten;
    const names = this.#forgotten;
    this.#forgotten = [];
    return names;
  }
}
