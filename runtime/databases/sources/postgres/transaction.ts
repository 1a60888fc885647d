/** One transaction on one connection. `BEGIN` is sent with the first statement and costs no round trip. */
import { EngineError, invariant } from "../../../values/errors.ts";
import type { ErrorTable, PreparedStatement, RunSqlResult, SourceTransaction, SqlValue, TextRow } from "../source.ts";
import { type PostgresConnection, StepError } from "./connection.ts";
import type { Step } from "./extended-query.ts";
import { commit } from "./opening-steps.ts";
import type { PreparePolicy } from "./prepare-policy.ts";
import { splitStatements } from "./split-statements.ts";

interface TransactionParts {
  /** `BEGIN …` and other statements that precede the first one. */
  readonly opening: readonly Step[];
  readonly isReadOnly: boolean;
  /** The caller can rerun the whole transaction. */
  readonly isRepeatable: boolean;
  readonly errors: ErrorTable;
}

/** After its first query, a read-only transaction cannot be changed to read-write. */
const readProbe: Step = { text: "SELECT 1", values: [], silent: true };

/** Command tags of statements that end or begin a transaction. */
const transactionTags: ReadonlySet<string> = new Set([
  "BEGIN",
  "START TRANSACTION",
  "COMMIT",
  "ROLLBACK",
  "PREPARE TRANSACTION",
  "COMMIT PREPARED",
  "ROLLBACK PREPARED",
]);

/** Limits on lock waits and statements of a probe, whose transaction holds locks. */
const boundedReads = "SET LOCAL lock_timeout = '10s'; SET LOCAL statement_timeout = '30s'";

/** `RESET ALL` also resets timeouts set for the transaction. */
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

  /** True if administrators' SQL has run, which may have changed the session. */
  get ranText(): boolean {
    return this.#ranText;
  }

  /** True if the transaction failed only because the server rejected the name of a statement. */
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
      // A rejected name aborts the transaction, which must then be rerun from the start.
      const step = this.#policy.step(statement, values, first || this.#isRepeatable);
      const opening = first ? this.#opening.map((each) => this.#own(each)) : [];
      try {
        return await this.#connection.runSteps([...opening, step, ...closing]);
      } catch (error) {
        const replacement =
          error instanceof StepError ? this.#policy.replacement(this.#connection, error.failure) : undefined;
        this.#isToBeRepeated = this.#isRepeatable && replacement !== undefined;
        if (!first || this.#isToBeRepeated || replacement === undefined) throw error;
        await this.#connection.runText("ROLLBACK");
        return await this.#connection.runSteps([...opening, replacement, ...closing]);
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
      const steps = this.#isReadOnly ? [...opening, readProbe] : opening;
      if (steps.length > 0) await this.#connection.runSteps(steps);
      return this.#isReadOnly ? await this.#runEach(sql) : await this.#connection.runText(sql);
    });
  }

  /**
   * Runs text statement by statement, so that a statement that ends the read-only transaction is the last.
   * Security does not depend on the splitting, because the server accepts one statement at a time.
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

  /** Runs a read inside a savepoint. Its failure does not fail the transaction. */
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

  /**
   * Commits the transaction.
   * @throws EngineError, also for failures that the server detects on commit: deferred constraints, serialization
   */
  commit(): Promise<void> {
    return this.#alone(this.#ranText ? "run_sql" : this.#errors, async () => {
      if (!this.#begun || this.#committed) return;
      // the server would respond to COMMIT with a silent ROLLBACK
      invariant(!this.#failed, "a transaction with a failed statement cannot be committed");
      await this.#connection.runText("COMMIT");
    });
  }

  /**
   * Rolls back the transaction. Fails only if the connection is lost.
   * @throws EngineError
   */
  rollback(): Promise<void> {
    return this.#alone(this.#errors, async () => {
      if (this.#begun) await this.#connection.runText("ROLLBACK");
    });
  }

  /** Runs one operation at a time and translates errors. */
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
