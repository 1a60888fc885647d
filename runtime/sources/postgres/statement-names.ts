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
  /** The statement that was used last: under load mostly the next one, too. */
  #last: { readonly name: string; readonly text: string } | undefined;

  constructor(max: number = maxNamedStatements) {
    this.#texts = new LRUCache({ max, dispose: (_text, name) => this.#forgotten.push(name) });
  }

  /**
   * Whether the statement can be bound as it is. If not, it counts as prepared from now on: the caller sends Close for
   * `takeForgotten` and then Parse. A name that comes with another text is prepared anew.
   */
  isPrepared(name: string, text: string): boolean {
    if (this.#last?.name === name && this.#last.text === text) return true;
    const known = this.#texts.get(name) === text;
    if (!known) this.#texts.set(name, text);
    this.#last = { name, text };
    return known;
  }

  /** The server may or may not have the statement: the next use closes and prepares it again. */
  forget(name: string): void {
    this.#texts.delete(name);
    this.#last = undefined;
  }

  /** The server has none of the statements any more. */
  clear(): void {
    this.#texts.clear();
    this.#last = undefined;
    this.#forgotten = [];
  }

  takeForgotten(): readonly string[] {
    if (this.#forgotten.length === 0) return this.#forgotten;
    const names = this.#forgotten;
    this.#forgotten = [];
    return names;
  }
}
