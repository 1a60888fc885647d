/** One transaction on one connection. `BEGIN` travels with the first statement, so opening costs no round trip. */
import { invariant } from "../../support/errors.ts";
import type { ErrorTable, PreparedStatement, RunSqlResult, SourceTransaction, SqlValue, TextRow } from "../source.ts";
import { type PostgresConnection, StepError } from "./connection.ts";
import type { Step } from "./extended-query.ts";
import type { PreparePolicy } from "./prepare-policy.ts";

export class PostgresTransaction implements SourceTransaction {
  readonly #connection: PostgresConnection;
  readonly #policy: PreparePolicy;
  readonly #opening: readonly Step[];
  readonly #errors: ErrorTable;
  #begun = false;
  #busy = false;
  #failed = false;
  #ranText = false;

  /** @param opening `BEGIN …` and what else comes before the first statement */
  constructor(connection: PostgresConnection, policy: PreparePolicy, opening: readonly Step[], errors: ErrorTable) {
    this.#connection = connection;
    this.#policy = policy;
    this.#opening = opening;
    this.#errors = errors;
  }

  /** Whether administrator's SQL ran, which may have changed the session. */
  get ranText(): boolean {
    return this.#ranText;
  }

  query(statement: PreparedStatement, values: readonly SqlValue[]): Promise<readonly TextRow[]> {
    return this.#alone(this.#errors, async () => {
      const first = !this.#begun;
      this.#begun = true;
      // A refused name aborts the transaction; only before anything else has run can it simply begin again.
      const step = this.#policy.step(statement, values, first);
      try {
        return await this.#connection.runSteps(first ? [...this.#opening, step] : [step]);
      } catch (error) {
        const instead = error instanceof StepError ? this.#policy.instead(this.#connection, error.failure) : undefined;
        if (!first || instead === undefined) throw error;
        await this.#connection.runText("ROLLBACK");
        return await this.#connection.runSteps([...this.#opening, instead]);
      }
    });
  }

  runSql(sql: string): Promise<RunSqlResult> {
    return this.#alone("run_sql", async () => {
      this.#ranText = true;
      if (!this.#begun) {
        this.#begun = true;
        await this.#connection.runSteps(this.#opening);
      }
      return await this.#connection.runText(sql);
    });
  }

  /** @throws EngineError also what the server checks only now: deferred constraints, serialisation */
  commit(): Promise<void> {
    return this.#alone(this.#ranText ? "run_sql" : this.#errors, async () => {
      if (!this.#begun) return;
      // the server would answer COMMIT with a silent ROLLBACK
      invariant(!this.#failed, "a transaction with a failed statement cannot be committed");
      await this.#connection.runText("COMMIT");
    });
  }

  /** Fails only with its connection. @throws EngineError */
  rollback(): Promise<void> {
    return this.#alone(this.#errors, async () => {
      if (this.#begun) await this.#connection.runText("ROLLBACK");
    });
  }

  /** One statement at a time, and errors as the product's. */
  async #alone<T>(errors: ErrorTable | "run_sql", work: () => Promise<T>): Promise<T> {
    invariant(!this.#busy, "the statements of a transaction run one after the other");
    this.#busy = true;
    try {
      return await work();
    } catch (error) {
      this.#failed = true;
      throw error instanceof StepError ? this.#connection.translate(error.failure, errors) : error;
    } finally {
      this.#busy = false;
    }
  }
}
