/** A PostgreSQL database as a `DatabaseSource`: settings in, statements run over a pool, errors as the product's. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { readDefinitions } from "../../dialects/postgres/definitions.ts";
import type { Caller } from "../../values/caller.ts";
import type { DatabaseFact, Definitions, EnumTable } from "../../values/database-fact.ts";
import { EngineError } from "../../values/errors.ts";
import { cancelledError } from "../cancelled-error.ts";
import { enumFacts } from "../enum-facts.ts";
import type {
  ChangeWatch,
  ConnectionCounts,
  DatabaseSource,
  ErrorTable,
  PreparedStatement,
  RunSqlOptions,
  RunSqlResult,
  SourceTransaction,
  SqlValue,
  TextRow,
  TransactionOptions,
} from "../source.ts";
import { type BatchFailure, BatchFailures } from "./batch-failures.ts";
import { ChangeFeed } from "./change-feed.ts";
import { type PostgresConnection, StepError } from "./connection.ts";
import { ConnectionPool, type PoolEvents } from "./connection-pool.ts";
import { type ConnectionTimes, connectionTimes } from "./connection-times.ts";
import { dumpPostgres } from "./dump.ts";
import { mistakeIn, type Step, type StepFailure } from "./extended-query.ts";
import { enumValuesStatement, factOf, factsStatement } from "./facts.ts";
import { Listener, type ListenerParts } from "./listener.ts";
import { PreparePolicy } from "./prepare-policy.ts";
import { type Read, ReadBatches, type Sent } from "./read-batches.ts";
import { serverLabel } from "./server-label.ts";
import { isolationLevel, isolationLevels, type PostgresSettings } from "./settings.ts";
import { splitStatements } from "./split-statements.ts";
import type { Use } from "./taker-queue.ts";
import { PostgresTransaction } from "./transaction.ts";

type Events = PoolEvents & Pick<ListenerParts, "onHearing">;

/** What a source tells of its connections. */
export type PostgresEvents = Partial<Events>;

/** Opens a source without connecting: the first statement does. */
export function openPostgres(
  settings: PostgresSettings,
  events: PostgresEvents = {},
  times: Partial<ConnectionTimes> = {},
): DatabaseSource {
  return new PostgresSource(settings, { ...noEvents, ...events }, { ...connectionTimes, ...times });
}

const nothing = (): void => undefined;
const noEvents: Events = { onIdleLoss: nothing, onReduced: nothing, onRestored: nothing, onHearing: nothing };
const readUse: Use = { kind: "read" };
const writeUse: Use = { kind: "write" };

const timeLimit = "SELECT set_config('statement_timeout', $1, true)";

/** A compiling server does not look at the time. Off already, unless a pooler kept the setting from the server. */
const timeLimitWithoutJit = `${timeLimit}, CASE current_setting('jit', true) WHEN 'on' THEN set_config('jit', 'off', true) END`;

const setUser = "SELECT set_config('engine.user', $1, true)";
const setBoth = `${setUser}, set_config($2, $1, true)`;
const setTrace = "SELECT set_config('engine.tracecontext', $1, true)";

const commit: Step = { text: "COMMIT", values: [], silent: true };

/** How a statement runs. */
interface Running {
  readonly use: Use;
  /** How often a read whose connection was lost is repeated. */
  readonly retries: number;
  readonly sent?: Sent;
}

function useOf({ caller }: Read): Use {
  return caller === undefined ? readUse : { kind: "read", caller };
}

/** A batch is cancelled when nobody waits for any of it. */
function useOfAll(reads: readonly Read[]): Use {
  const caller: Caller = {
    get aborted() {
      return reads.every((read) => read.caller?.aborted);
    },
  };
  return { kind: "read", caller };
}

/** Only what need not run to its end has a caller: a query, though it may call functions that write. */
function useFor({ readOnly = false, caller, timeoutMilliseconds: limitMilliseconds }: TransactionOptions): Use {
  return { kind: readOnly || caller !== undefined ? "read" : "write", caller, limitMilliseconds };
}

class PostgresSource implements DatabaseSource {
  readonly name: string;
  readonly server: string;
  readonly system = "postgresql";
  readonly readsUserElsewhere: boolean;
  readonly #settings: PostgresSettings;
  readonly #events: Events;
  readonly #pool: ConnectionPool;
  readonly #policy: PreparePolicy;
  readonly #batches = new ReadBatches((reads, sent) => this.#runTogether(reads, sent));
  #listener: Listener | undefined;
  #feed: ChangeFeed | undefined;

  constructor(settings: PostgresSettings, events: Events, times: ConnectionTimes) {
    this.name = settings.name;
    this.server = serverLabel(settings);
    this.readsUserElsewhere = settings.otherUserSetting !== undefined;
    this.#settings = settings;
    this.#events = events;
    this.#pool = new ConnectionPool(settings, times, events);
    this.#policy = new PreparePolicy(settings.prepare);
  }

  query(statement: PreparedStatement, values: readonly SqlValue[], caller?: Caller): Promise<readonly TextRow[]> {
    if (this.#settings.readOnly) return this.executeAlone({ readOnly: true, caller }, statement, values);
    return new Promise((resolve, reject) => this.#batches.add({ statement, values, caller, resolve, reject }));
  }

  execute(statement: PreparedStatement, values: readonly SqlValue[]): Promise<readonly TextRow[]> {
    if (this.#settings.readOnly) return this.executeAlone({}, statement, values);
    return this.#run({ statement, values }, { use: writeUse, retries: 0 });
  }

  ping(): Promise<unknown> {
    const statement: PreparedStatement = { text: "select 1", onlyReads: true };
    return this.#run({ statement, values: [] }, { use: { kind: "ping" }, retries: this.#settings.retries });
  }

  #run(work: Omit<Read, "resolve" | "reject">, running: Running): Promise<readonly TextRow[]> {
    return new Promise((resolve, reject) => this.#runAlone({ ...work, resolve, reject }, running));
  }

  /** The path of most requests: callbacks, because each promise more costs a measurable part of a small statement. */
  #runAlone(read: Read, running: Running): void {
    this.#pool.take(running.use, (unreachable, connection) => {
      if (connection === undefined) {
        read.reject(unreachable);
        return;
      }
      const step = this.#policy.step(read.statement, read.values, true);
      const answered = running.sent?.();
      connection.run([step], (failure, [rows = []]) => {
        answered?.();
        if (failure !== undefined) {
          this.#recoverRead(connection, failure, read, running);
          return;
        }
        this.#pool.give(connection);
        read.resolve(rows);
      });
    });
  }

  /** Runs reads on one connection, sent in one write, each a transaction of its own. */
  #runTogether(reads: readonly Read[], sent: Sent): void {
    const { retries } = this.#settings;
    const [only] = reads;
    if (only && reads.length === 1) {
      this.#runAlone(only, { use: useOf(only), retries, sent });
      return;
    }
    if (reads.some((read) => mistakeIn(read) !== undefined)) {
      for (const read of reads) this.#runAlone(read, { use: useOf(read), retries });
      return;
    }
    this.#pool.take(useOfAll(reads), (unreachable, connection) => {
      if (connection === undefined) {
        for (const { reject } of reads) reject(unreachable);
        return;
      }
      const steps = reads.map(({ statement, values }) => this.#policy.step(statement, values, true));
      const batch = new BatchFailures(connection, this.#policy);
      const answered = sent(() => batch.cancel());
      connection.runEach(steps, (i, failure, rows) => {
        const read = reads[i];
        if (read === undefined) return;
        answered();
        if (failure === undefined) read.resolve(rows);
        else batch.add(read, failure);
        if (i < reads.length - 1) return;
        this.#pool.give(connection, connection.isLost);
        for (const each of batch.failures) this.#recoverFromBatch(connection, each);
      });
    });
  }

  #recoverFromBatch(connection: PostgresConnection, { read, failure, again }: BatchFailure): void {
    const { retries } = this.#settings;
    const use = useOf(read);
    if (read.caller?.aborted) read.reject(cancelledError());
    else if (again === "now") this.#runAlone(read, { use, retries });
    else if (again === "elsewhere" && retries > 0)
      void nextTurn().then(() => this.#runAlone(read, { use, retries: retries - 1 })); // as in `#recover`
    else read.reject(connection.translate(failure, "graphql"));
  }

  #recoverRead(connection: PostgresConnection, failure: StepFailure, read: Read, { use, retries }: Running): void {
    const mayRepeat = retries > 0 && !read.caller?.aborted && (failure.isUndone || read.statement.onlyReads);
    const again = mayRepeat ? () => this.#run(read, { use, retries: retries - 1 }) : undefined;
    const reject = (error: unknown): void => read.reject(read.caller?.aborted ? cancelledError() : error);
    this.#recover(connection, failure, again).then(read.resolve, reject);
  }

  /**
   * After a failed statement: repeats it where that can help, gives the connection back, translates the error.
   * @param again runs it on another connection; absent: it must not run twice
   */
  async #recover(
    connection: PostgresConnection,
    failure: StepFailure,
    again: (() => Promise<readonly TextRow[]>) | undefined,
  ): Promise<readonly TextRow[]> {
    const instead = this.#policy.instead(connection, failure);
    let final = failure;
    if (instead !== undefined) {
      try {
        const rows = await connection.runSteps([instead]);
        this.#pool.give(connection);
        return rows;
      } catch (error) {
        if (error instanceof StepError) final = error.failure;
      }
    }
    const lost = connection.isLostBy(final.error);
    this.#pool.give(connection, lost);
    // The second attempt was sent for certain, and may have run.
    const mayRepeat = final === failure || final.isUndone;
    if (!lost || again === undefined || !mayRepeat) throw connection.translate(final, "graphql");
    // when the server went away, the pool hears of its other connections in the same turn
    await nextTurn();
    return await again();
  }

  async explain({ text }: PreparedStatement, values: readonly SqlValue[]): Promise<readonly string[]> {
    const rows = await this.query({ text: `explain ${text}` }, values);
    return rows.map(([line]) => line ?? "");
  }

  definitions(): Promise<Definitions> {
    return this.transaction({ readOnly: true }, (transaction) =>
      readDefinitions((text) => transaction.query({ text }, [])),
    );
  }

  async facts(enums: readonly EnumTable[]): Promise<readonly DatabaseFact[]> {
    const facts = (await this.query({ text: factsStatement, onlyReads: true }, [])).map(factOf);
    return [
      ...facts,
      ...(await enumFacts(enums, facts, (each) => this.query({ text: enumValuesStatement(each) }, []))),
    ];
  }

  dump(options: readonly string[]): Promise<string> {
    return dumpPostgres(this.#settings, options);
  }

  executeAlone(
    options: TransactionOptions,
    statement: PreparedStatement,
    values: readonly SqlValue[],
  ): Promise<readonly TextRow[]> {
    const errors = options.errors ?? "graphql";
    const steps = (connection: PostgresConnection) => {
      const step = this.#policy.step(statement, values, true);
      if (this.#isDefault(options, connection)) return [step];
      return [...this.#opening(options).map((each) => this.#named(each)), step, this.#named(commit)];
    };
    return new Promise((resolve, reject) => {
      this.#pool.take(useFor(options), (unreachable, connection) => {
        if (connection === undefined) {
          reject(unreachable);
          return;
        }
        const refuse = (error: unknown): void => {
          this.#pool.give(connection);
          reject(error);
        };
        const run = () =>
          connection.run(steps(connection), (failure, results) => {
            if (failure === undefined) {
              this.#pool.give(connection);
              resolve(results.at(-1) ?? []);
            } else {
              const fail = (error: unknown): void => reject(options.caller?.aborted ? cancelledError() : error);
              this.#undo(connection, failure, () => steps(connection), errors).then(resolve, fail);
            }
          });
        const waiting = (): void => {
          const permitted = options.beforeSending?.();
          if (permitted === undefined) run();
          else permitted.then(run, refuse);
        };
        connection.whenDefaultsAreKnown(waiting);
      });
    });
  }

  /** Whether a statement on its own is the transaction that is asked for. */
  #isDefault(
    { user, traceContext, readOnly, isolation, timeoutMilliseconds }: TransactionOptions,
    { defaults }: PostgresConnection,
  ): boolean {
    if (this.#settings.readOnly || user !== undefined || readOnly || isolation !== undefined || defaults === undefined)
      return false;
    if (timeoutMilliseconds !== undefined || traceContext !== undefined) return false;
    return !defaults.readOnly && defaults.isolation === isolationLevels[this.#settings.isolation];
  }

  /** After a failed batch: runs it once more where only a name was refused, and never hands on an open transaction. */
  async #undo(
    connection: PostgresConnection,
    failure: StepFailure,
    steps: () => readonly Step[],
    errors: ErrorTable,
  ): Promise<readonly TextRow[]> {
    let final = failure;
    const undoTransaction = async (): Promise<void> => {
      if (steps().length > 1) await connection.runText("ROLLBACK");
    };
    try {
      if (!connection.isLostBy(failure.error)) {
        await undoTransaction();
        if (this.#policy.instead(connection, failure) !== undefined) return await connection.runSteps(steps());
      }
    } catch (error) {
      if (!(error instanceof StepError)) throw error;
      final = error.failure;
      if (!connection.isLostBy(final.error)) await undoTransaction().catch(() => undefined); // or it is ended below
    } finally {
      await this.#giveBack(connection, false);
    }
    throw connection.translate(final, errors);
  }

  /** A statement of our own, whose text is always the same. */
  #named({ text, values, silent }: Step): Step {
    const name = `engine_${text.toLowerCase().replace(/[^a-z0-9]+/g, "_")}`.slice(0, 63);
    return { ...this.#policy.step({ text, name }, values, true), ...(silent && { silent }) };
  }

  async transaction<T>(options: TransactionOptions, work: (transaction: SourceTransaction) => Promise<T>): Promise<T> {
    const opening = this.#opening(options);
    const isReadOnly = this.#isReadOnly(options);
    const connection = await this.#pool.takeOne(useFor(options));
    const transaction = new PostgresTransaction(connection, this.#policy, {
      opening,
      isReadOnly,
      errors: options.errors ?? "graphql",
    });
    try {
      const result = await work(transaction);
      await transaction.commit();
      return result;
    } catch (error) {
      // the first error tells more; a rollback that fails has lost its connection, which ends below
      await transaction.rollback().catch(() => undefined);
      throw error;
    } finally {
      await this.#giveBack(connection, transaction.ranText);
    }
  }

  runSql(sql: string, { readOnly, user }: RunSqlOptions): Promise<RunSqlResult> {
    return this.transaction({ readOnly, ...(user !== undefined && { user }) }, (transaction) =>
      transaction.runSql(sql),
    );
  }

  async runSqlWithoutTransaction(sql: string): Promise<RunSqlResult> {
    if (this.#settings.readOnly) {
      throw new EngineError("not-supported", "$", "SQL outside a transaction is not allowed in read-only mode");
    }
    const connection = await this.#pool.takeOne(writeUse);
    try {
      let result: RunSqlResult = { result_type: "CommandOk", result: null };
      for (const statement of splitStatements(sql)) result = await connection.runText(statement);
      return result;
    } catch (error) {
      throw error instanceof StepError ? connection.translate(error.failure, "run_sql") : error;
    } finally {
      await this.#giveBack(connection, true);
    }
  }

  async watch(
    statement: PreparedStatement,
    values: readonly SqlValue[],
    onChange: () => void,
  ): Promise<ChangeWatch | null> {
    // Triggers have to be made first.
    const listener = this.#settings.readOnly ? null : this.#openListener();
    if (listener === null) return null;
    this.#feed ??= new ChangeFeed({
      listener,
      query: (read, parameters) => this.query(read, parameters),
      write: (work) => this.transaction({}, work),
    });
    return this.#feed.watch(statement, values, onChange);
  }

  async listen(channel: string, onMessage: () => void): Promise<ChangeWatch | null> {
    return (await this.#openListener()?.listen(channel, () => onMessage())) ?? null;
  }

  #openListener(): Listener | null {
    // The connection that listens would be the only one.
    if (this.#settings.maxConnections < 2) return null;
    this.#listener ??= new Listener({
      take: () => this.#pool.takeOne({ kind: "listen" }),
      give: (connection) => this.#pool.give(connection, true),
      query: (read, parameters) => this.query(read, parameters),
      onHearing: this.#events.onHearing,
    });
    return this.#listener;
  }

  get connections(): ConnectionCounts {
    return this.#pool.counts;
  }

  cancelAll(reason?: EngineError): Promise<number> {
    return this.#pool.cancelAll(reason);
  }

  answered(): number {
    return this.#pool.answered;
  }

  close(): Promise<void> {
    this.#listener?.close();
    return this.#pool.close();
  }

  #isReadOnly({ readOnly = false }: TransactionOptions): boolean {
    return readOnly || this.#settings.readOnly;
  }

  #opening(options: TransactionOptions): readonly Step[] {
    const { user, traceContext, isolation, timeoutMilliseconds } = options;
    const level = isolationLevels[isolation === undefined ? this.#settings.isolation : isolationLevel(isolation)];
    const begin: Step = {
      text: `BEGIN ISOLATION LEVEL ${level} ${this.#isReadOnly(options) ? "READ ONLY" : "READ WRITE"}`,
      values: [],
      silent: true,
    };
    const settings: Step[] = [];
    if (user !== undefined) {
      const other = this.#settings.otherUserSetting;
      const step = other === undefined ? { text: setUser, values: [user] } : { text: setBoth, values: [user, other] };
      settings.push({ ...step, silent: true });
    }
    if (traceContext !== undefined) {
      settings.push({ text: setTrace, values: [traceContext], silent: true });
    }
    if (timeoutMilliseconds !== undefined) {
      const values = [String(timeoutMilliseconds)];
      settings.push({ text: this.#settings.jit ? timeLimit : timeLimitWithoutJit, values, silent: true });
    }
    return [begin, ...settings];
  }

  /** Never hands on a connection inside a transaction, nor one whose session administrator's SQL has changed. */
  async #giveBack(connection: PostgresConnection, ranText: boolean): Promise<void> {
    let usable = !connection.isLost && connection.getTransactionStatus() === "I";
    if (usable && ranText) {
      try {
        await connection.discardSession();
      } catch {
        usable = false;
      }
    }
    this.#pool.give(connection, !usable);
  }
}
