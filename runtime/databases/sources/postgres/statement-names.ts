/**
 * The statements that one connection has prepared by name: a bounded LRU cache. Evicted statements are closed on the
 * server together with the next Parse, without a round trip of their own.
 *
 * The server keeps the plan of a prepared statement until its tables are analysed or altered. A plan made while a table
 * had a few pages reads the whole table, even after it has grown, until the next ANALYZE (autovacuum runs once a
 * minute, `autovacuum_naptime`). A frequent statement is therefore prepared and planned again at intervals that make
 * the cost of planning negligible.
 */
import { LRUCache } from "lru-cache";

/** Maximum number of named statements per connection, because each one uses memory in its server process. */
const maxNamedStatements = 256;

/** Number of runs before a statement is prepared again. Smaller the first time, because new tables grow fastest. */
export const firstRuns = 100;
export const laterRuns = 1000;

interface NamedStatement {
  readonly name: string;
  readonly text: string;
  /** Number of runs before it is prepared again. */
  runsLeft: number;
}

export class StatementNames {
  readonly #statements: LRUCache<string, NamedStatement>;
  #forgotten: string[] = [];
  /** The last statement used. Under load, the next one is usually the same. */
  #last: NamedStatement | undefined;

  constructor(max: number = maxNamedStatements) {
    this.#statements = new LRUCache({ max, dispose: (_statement, name) => this.#forgotten.push(name) });
  }

  /**
   * Returns true if the statement can be bound. Otherwise it counts as prepared from now on: the caller sends Close for
   * `takeForgotten` and then Parse. A name with another text is prepared again.
   */
  isPrepared(name: string, text: string): boolean {
    const statement = this.#last?.name === name ? this.#last : this.#statements.get(name);
    if (statement?.text !== text) {
      this.#last = { name, text, runsLeft: firstRuns - 1 };
      this.#statements.set(name, this.#last);
      return false;
    }
    this.#last = statement;
    if (statement.runsLeft-- > 0) return true;
    statement.runsLeft = laterRuns - 1;
    this.#forgotten.push(name);
    return false;
  }

  /** Forgets a statement that the server may or may not have. The next use closes and prepares it again. */
  forget(name: string): void {
    this.#statements.delete(name);
    this.#last = undefined;
  }

  /** Forgets all statements after the server has discarded them. */
  clear(): void {
    this.#statements.clear();
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
