/** One transaction on one connection. `BEGIN` travels with the first statement, so opening costs no round trip. */
import { EngineError, invariant } from "../../../values/errors.ts";
import type { ErrorTable, PreparedStatement, RunSqlResult, SourceTransaction, SqlValue, TextRow } from "../source.ts";
import { type PostgresConnection, StepError } from "./connection.ts";
import type { Step } from "./extended-query.ts";
import { commit } from "./opening-steps.ts";
import type { PreparePolicy } from "./prepare-policy.ts";
import { splitStatements } from "./split-statements.ts";

interface TransactionParts {
  /** `BEGIN …` and what else comes before the first statement. */
  readonly opening: readonly Step[];
  readonly isReadOnly: boolean;
  /** Whoever runs it can run all of it again. */
  readonly isRepeatable: boolean;
  readonly errors: ErrorTable;
}

/** A transaction that has looked at the database cannot be made one that writes. */
const look: Step = { text: "SELECT 1", values: [], silent: true };

/** What ends a transaction or begins another, by the tag of the server's answer. */
const transactionTags: ReadonlySet<string> = new Set([
  "BEGIN",
  "START TRANSACTION",
  "COMMIT",
  "ROLLBACK",
  "PREPARE TRANSACTION",
  "COMMIT PREPARED",
  "ROLLBACK PREPARED",
]);

/** So that a check waits for no lock and no statement for long while its transaction holds locks itself. */
const boundedReads = "SET LOCAL lock_timeout = '10s'; SET LOCAL statement_timeout = '30s'";

/** `RESET ALL` also resets timeouts that were set for the transaction. */
const openProbe = `SAVEPOINT engine_probe; RESET SESSION AUTHORIZATION; RESET ALL; ${boundedReads}`;
const closeProbe = "ROLLBACK TO SAVEPOINT engine_probe; RELEASE SAVEPOINT engine_probe";

export class PostgresTransaction implements SourceTransaction {
  readonly #connection: PostgresConnection;
  readonly #policy: PreparePolicy;
  readonly #opening: readonly Step[];
  readonly #errors: ErrorTable;
  readonly #isReadOnly: boolean;
  readonly #isRepeatable: boolean;
  #begun = false;
  #committed = false;
  #isToBeRepeated = false;
  #busy = false;
  #failed = false;
  #ranText = false;

  constructor(
    connection: PostgresConnection,
    policy: PreparePolicy,
    { opening, isReadOnly, isRepeatable, errors }: TransactionParts,
  ) {
    this.#isReadOnly = isReadOnly;
    this.#isRepeatable = isRepeatable;
    this.#connection = connection;
    this.#policy = policy;
    this.#opening = opening;
    this.#errors = errors;
  }

  /** Whether administrator's SQL ran, which may have changed the session. */
  get ranText(): boolean {
    return this.#ranText;
  }

  /** Whether it failed only because the server refused the name of a statement. */
  get isToBeRepeated(): boolean {
    return this.#isToBeRepeated;
  }

  query(statement: PreparedStatement, values: readonly SqlValue[]): Promise<readonly TextRow[]> {
    return this.#query(statement, values, []);
  }

  async queryLast(statement: PreparedStatement, values: readonly SqlValue[]): Promise<readonly TextRow[]> {
    const rows = await this.#query(statement, values, [this.#own(commit)]);
    this.#committed = true;
    return rows;
  }

  #query(
    statement: PreparedStatement,
    values: readonly SqlValue[],
    closing: readonly Step[],
  ): Promise<readonly TextRow[]> {
    return this.#alone(this.#errors, async () => {
      const first = !this.#begun;
      this.#begun = true;
      // A refused name aborts the transaction: it has to begin again, with all that has run in it.
      const step = this.#policy.step(statement, values, first || this.#isRepeatable);
      const opening = first ? this.#opening.map((each) => this.#own(each)) : [];
      try {
        return await this.#connection.runSteps([...opening, step, ...closing]);
      } catch (error) {
        const instead = error instanceof StepError ? this.#policy.instead(this.#connection, error.failure) : undefined;
        this.#isToBeRepeated = this.#isRepeatable && instead !== undefined;
        if (!first || this.#isToBeRepeated || instead === undefined) throw error;
        await this.#connection.runText("ROLLBACK");
        return await this.#connection.runSteps([...opening, instead, ...closing]);
      }
    });
  }

  #own(step: Step): Step {
    return this.#policy.own(step, this.#isRepeatable);
  }

  runSql(sql: string): Promise<RunSqlResult> {
    return this.#alone("run_sql", async () => {
      this.#ranText = true;
      const opening = this.#begun ? [] : this.#opening;
      this.#begun = true;
      const steps = this.#isReadOnly ? [...opening, look] : opening;
      if (steps.length > 0) await this.#connection.runSteps(steps);
      return this.#isReadOnly ? await this.#runEach(sql) : await this.#connection.runText(sql);
    });
  }

  /**
   * Statement by statement, so that none runs after one that has ended the read-only transaction. How the text is split
   * is no matter of trust: the server takes one statement at a time.
   */
  async #runEach(sql: string): Promise<RunSqlResult> {
    let result: RunSqlResult = { result_type: "CommandOk", result: null };
    for (const statement of splitStatements(sql)) {
      const { tag, ...each } = await this.#connection.runStatement(statement);
      if (transactionTags.has(tag)) {
        throw new EngineError("not-supported", "$", `${tag} is not allowed in a read-only transaction`);
      }
      result = each;
    }
    return result;
  }

  /** The caller's own failures are not failures of the transaction. */
  async probe(statement: PreparedStatement): Promise<readonly TextRow[]> {
    await this.#alone(this.#errors, async () => {
      if (!this.#begun) await this.#connection.runSteps(this.#opening);
      this.#begun = true;
      await this.#connection.runText(openProbe);
    });
    try {
      return await this.query(statement, []);
    } finally {
      await this.#alone(this.#errors, () => this.#connection.runText(closeProbe));
      this.#failed = false;
    }
  }

  get isEnded(): boolean {
    return this.#ranText && this.#connection.getTransactionStatus() === "I";
  }

  /** @throws EngineError also what the server checks only now: deferred constraints, serialisation */
  commit(): Promise<void> {
    return this.#alone(this.#ranText ? "run_sql" : this.#errors, async () => {
      if (!this.#begun || this.#committed) return;
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
