/**
 * Which statements one connection has prepared by name: a bounded, least-recently-used set. What falls out is closed
 * on the server together with the next statement that is parsed, without a round trip of its own.
 *
 * The server keeps the plan of a prepared statement until statistics are taken of its tables or their definition
 * changes. A plan that was made while a table had a few pages reads all of it, and goes on to when the table has grown,
 * for as long as nobody analyses it (autovacuum looks once a minute, `autovacuum_naptime`). So a frequent statement is
 * prepared, and with it planned, again and again, too seldom for what planning costs to be seen.
 */
import { LRUCache } from "lru-cache";

/** Each named statement holds memory in its server process, so this bounds `connections × statements`. */
const maxNamedStatements = 256;

/** So often a statement runs until it is prepared again: soon for the first time, because new tables grow fastest. */
export const firstRuns = 100;
export const laterRuns = 1000;

interface NamedStatement {
  readonly name: string;
  readonly text: string;
  /** Until it is prepared again. */
  runsLeft: number;
}

export class StatementNames {
  readonly #statements: LRUCache<string, NamedStatement>;
  #forgotten: string[] = [];
  /** The statement that was used last: under load mostly the next one, too. */
  #last: NamedStatement | undefined;

  constructor(max: number = maxNamedStatements) {
    this.#statements = new LRUCache({ max, dispose: (_statement, name) => this.#forgotten.push(name) });
  }

  /**
   * Whether the statement can be bound as it is. If not, it counts as prepared from now on: the caller sends Close for
   * `takeForgotten` and then Parse. A name that comes with another text is prepared anew.
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

  /** The server may or may not have the statement: the next use closes and prepares it again. */
  forget(name: string): void {
    this.#statements.delete(name);
    this.#last = undefined;
  }

  /** The server has none of the statements any more. */
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
