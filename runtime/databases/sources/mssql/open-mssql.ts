/** A SQL Server database as a `DatabaseSource`. It connects on first use. */

import { readDefinitions } from "../../../model/dialects/mssql/definitions.ts";
import type { Caller } from "../../../values/caller.ts";
import type { DatabaseFact, Definitions, EnumTable } from "../../../values/database-fact.ts";
import { EngineError } from "../../../values/errors.ts";
import { enumFacts } from "../enum-facts.ts";
import type {
  DatabaseSource,
  PreparedStatement,
  RunSqlResult,
  SourceTransaction,
  SqlValue,
  TextRow,
  TransactionOptions,
} from "../source.ts";
import {
  connectDriver,
  type Driver,
  type DriverSession,
  type DriverTransaction,
  loadDriver,
  type ResultSet,
} from "./driver.ts";
import { enumValuesStatement, factOf, factsStatement } from "./facts.ts";
import { onlyReads, retryOnce } from "./repeatable-failure.ts";
import { type IsolationLevel, isolationLevels, type MssqlSettings } from "./settings.ts";
import { type ErrorContext, firstError, translateError } from "./translate-error.ts";
import { cellOf, declaredType, textOf } from "./values.ts";

export function openMssql(settings: MssqlSettings, connect: typeof connectDriver = connectDriver): DatabaseSource {
  // If loading fails, connecting fails with the same error.
  if (connect === connectDriver) loadDriver().catch(() => undefined);
  return new MssqlSource(settings, connect);
}

/** Idle timeout in seconds: the connection for a plan must survive the pause between two batches. */
const secondsToExplain = 60;

class MssqlSource implements DatabaseSource {
  readonly name: string;
  readonly system = "microsoft.sql_server";
  readonly #settings: MssqlSettings;
  readonly #connect: typeof connectDriver;
  #driver: Promise<Driver> | undefined;
  #isClosed = false;
  #completed = 0;

  constructor(settings: MssqlSettings, connect: typeof connectDriver) {
    this.name = settings.name;
    this.#settings = settings;
    this.#connect = connect;
  }

  definitions(): Promise<Definitions> {
    return this.transaction({ readOnly: true }, (transaction) =>
      readDefinitions((text) => transaction.query({ text }, [])),
    );
  }

  async facts(enums: readonly EnumTable[]): Promise<readonly DatabaseFact[]> {
    const facts = (await this.query({ text: factsStatement }, [])).map(factOf);
    return [
      ...facts,
      ...(await enumFacts(enums, facts, (each) => this.query({ text: enumValuesStatement(each) }, []))),
    ];
  }

  async query(statement: PreparedStatement, values: readonly SqlValue[], caller?: Caller): Promise<readonly TextRow[]> {
    const send = async (): Promise<readonly TextRow[]> =>
      textRows(await (await this.#connected()).execute(statement.text, values, caller));
    const isRepeatable = onlyReads(statement);
    return await this.#run({ table: "query", statement: statement.text }, () =>
      isRepeatable ? retryOnce(send, () => !caller?.aborted) : send(),
    );
  }

  execute(statement: PreparedStatement, values: readonly SqlValue[]): Promise<readonly TextRow[]> {
    return this.executeAlone({}, statement, values);
  }

  async executeAlone(
    options: TransactionOptions,
    statement: PreparedStatement,
    values: readonly SqlValue[],
  ): Promise<readonly TextRow[]> {
    if (options.neverWrites && !onlyReads(statement)) throw mayWrite();
    return this.transaction({ ...options, repeatable: true }, async (transaction) => {
      await options.beforeSending?.();
      return transaction.query(statement, values);
    });
  }

  transaction<T>(options: TransactionOptions, work: (transaction: SourceTransaction) => Promise<T>): Promise<T> {
    let isCommitting = false;
    const attempt = () => {
      isCommitting = false;
      return this.#transact(options, work, () => {
        isCommitting = true;
      });
    };
    // If the response to a commit is lost, the commit may have succeeded.
    return options.repeatable ? retryOnce(attempt, () => !isCommitting && !options.caller?.aborted) : attempt();
  }

  async #transact<T>(
    options: TransactionOptions,
    work: (transaction: SourceTransaction) => Promise<T>,
    onCommit: () => void,
  ): Promise<T> {
    const table = options.errors ?? "graphql";
    const open = await this.#run({ table, statement: "begin transaction" }, async () =>
      (await this.#connected()).begin(isolationOf(options, this.#settings), options.timeoutMilliseconds),
    );
    try {
      const result = await work(new MssqlTransaction(open, table, options.caller));
      onCommit();
      await this.#run({ table, statement: "commit transaction" }, () => open.commit());
      return result;
    } catch (error) {
      // The server may have rolled back already.
      await open.rollback().catch(() => undefined);
      throw error;
    }
  }

  runSql(sql: string): Promise<RunSqlResult> {
    return this.transaction({}, (transaction) => transaction.runSql(sql));
  }

  /** Runs SQL as usual: `no_transaction` concerns PostgreSQL only. */
  runSqlWithoutTransaction(sql: string): Promise<RunSqlResult> {
    return this.runSql(sql);
  }

  /** Returns the plan of the statement text. The server estimates without parameter values. */
  explain({ text }: PreparedStatement, values: readonly SqlValue[]): Promise<readonly string[]> {
    const statement = [...values.map((value, i) => `declare @p${i + 1} ${declaredType(value)};`), text].join("\n");
    return this.#run({ table: "query", statement: text }, async () => {
      // The setting requires a batch of its own and stays on the connection, so a separate connection is used.
      const driver = await this.#connect({
        ...this.#settings,
        maxConnections: 1,
        idleTimeoutSeconds: secondsToExplain,
      });
      try {
        await driver.batch("set showplan_text on");
        const sets = await driver.batch(statement).catch((error: unknown) => {
          throw deniesPlans(error) ? noRightToPlans(error) : error;
        });
        return sets.flatMap(({ rows }) => rows.map(([line]) => textOf(line) ?? ""));
      } finally {
        await driver.close();
      }
    });
  }

  async cancelAll(reason?: EngineError): Promise<number> {
    const driver = await this.#driver?.catch(() => undefined);
    return driver?.cancelAll(reason) ?? 0;
  }

  completed(): number {
    return this.#completed;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const driver = await this.#driver?.catch(() => undefined);
    await driver?.close();
  }

  /** Returns the driver, shared by all statements. A failed connection attempt is repeated by the next statement. */
  #connected(): Promise<Driver> {
    if (this.#isClosed) throw new EngineError("unexpected", "$", `source "${this.name}" is closed`, { status: 500 });
    if (!this.#driver) {
      const driver = this.#connect(this.#settings);
      this.#driver = driver;
      driver.catch(() => {
        if (this.#driver === driver) this.#driver = undefined;
      });
    }
    return this.#driver;
  }

  async #run<T>(context: ErrorContext, work: () => Promise<T>): Promise<T> {
    const result = await translated(context, work);
    this.#completed++;
    return result;
  }
}

class MssqlTransaction implements SourceTransaction {
  readonly #session: DriverSession;
  readonly #table: ErrorContext["table"];
  readonly #caller: Caller | undefined;

  constructor(session: DriverTransaction, table: ErrorContext["table"], caller: Caller | undefined) {
    this.#session = session;
    this.#table = table;
    this.#caller = caller;
  }

  query({ text }: PreparedStatement, values: readonly SqlValue[]): Promise<readonly TextRow[]> {
    return translated({ table: this.#table, statement: text }, async () =>
      textRows(await this.#session.execute(text, values, this.#caller)),
    );
  }

  queryLast(statement: PreparedStatement, values: readonly SqlValue[]): Promise<readonly TextRow[]> {
    return this.query(statement, values);
  }

  /**
   * Runs a read with a lock timeout of 10 seconds. Needs no savepoint, because a failed read leaves the transaction
   * intact and the settings of `runSql` have ended with it.
   */
  probe({ text }: PreparedStatement): Promise<readonly TextRow[]> {
    return this.query({ text: `set lock_timeout 10000;\n${text}` }, []);
  }

  /** A batch of `sp_executesql` that ends the transaction fails (error 266). */
  readonly isEnded = false;

  /** Runs SQL through `sp_executesql`, so that temporary tables, settings and `use` end with the call. */
  runSql(sql: string): Promise<RunSqlResult> {
    return translated({ table: "run_sql", statement: sql }, async () =>
      runSqlResult(await this.#session.execute(sql, [])),
    );
  }
}

/** SQL Server has no transactions that only read. */
function mayWrite(): EngineError {
  const message =
    "stored procedures of SQL Server may write, which is not allowed here: call a tool that runs this one";
  return new EngineError("not-supported", "$", message);
}

/**
 * Returns true if the permission SHOWPLAN is missing. The server checks it when a plan is created, in each database
 * that the statement names.
 */
const deniesPlans = (error: unknown): boolean =>
  firstError(error).number === 262 && /showplan/i.test(firstError(error).message);

function noRightToPlans(error: unknown): EngineError {
  const message = `plans require the permission SHOWPLAN: run "grant showplan to [user]" in the database`;
  return new EngineError("permission-denied", "$", message, { cause: error });
}

async function translated<T>(context: ErrorContext, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw translateError(error, context);
  }
}

function isolationOf({ isolation }: TransactionOptions, settings: MssqlSettings): IsolationLevel {
  return isolationLevels.find((level) => level === isolation) ?? settings.isolation;
}

function textRows(sets: readonly ResultSet[]): readonly TextRow[] {
  return (sets.at(-1)?.rows ?? []).map((row) => row.map(textOf));
}

function runSqlResult(sets: readonly ResultSet[]): RunSqlResult {
  const last = sets.at(-1);
  if (!last || last.rows.length === 0) return { result_type: "CommandOk", result: null };
  return { result_type: "TuplesOk", result: [last.columns, ...last.rows.map((row) => row.map(cellOf))] };
}
