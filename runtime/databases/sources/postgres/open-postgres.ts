/** A PostgreSQL database as a `DatabaseSource`: runs statements on a pool and translates errors. */
import { readDefinitions } from "../../../model/dialects/postgres/definitions.ts";
import type { Caller } from "../../../values/caller.ts";
import type { DatabaseFact, Definitions, EnumTable } from "../../../values/database-fact.ts";
import { EngineError } from "../../../values/errors.ts";
import { enumFacts } from "../enum-facts.ts";
import { Replicas } from "../replicas.ts";
import type {
  ByteRow,
  ChangeWatch,
  ConnectionCounts,
  DatabaseSource,
  PreparedStatement,
  Reads,
  Rehearsal,
  RunSqlOptions,
  RunSqlResult,
  SourceChange,
  SourceRoutes,
  SourceTransaction,
  SqlValue,
  TextRow,
  TransactionOptions,
} from "../source.ts";
import { ByteRows } from "./byte-rows.ts";
import { ChangeFeed } from "./change-feed.ts";
import { StepError } from "./connection.ts";
import { ConnectionPool, type PoolEvents } from "./connection-pool.ts";
import { type ConnectionTimes, connectionTimes } from "./connection-times.ts";
import { dumpPostgres } from "./dump.ts";
import { enumValuesStatement, factOf, factsStatement } from "./facts.ts";
import { Listener, type ListenerParts } from "./listener.ts";
import { currentLogPosition, hasReached } from "./log-position.ts";
import { isReadOnly, openingSteps } from "./opening-steps.ts";
import { PreparePolicy } from "./prepare-policy.ts";
import { rehearse } from "./rehearsal.ts";
import { classifyReplicaFailure } from "./replica-failure.ts";
import { giveBack, runAlone, useFor } from "./run-alone.ts";
import { databasePlace, serverLabel } from "./server-label.ts";
import type { PostgresSettings } from "./settings.ts";
import { splitStatements } from "./split-statements.ts";
import { type SourceParts, StatementRunner } from "./statement-runner.ts";
import { PostgresTransaction } from "./transaction.ts";

type Events = PoolEvents &
  Pick<ListenerParts, "onDelivery"> & {
    /**
     * Reports whether a replica is in use.
     * @param server name of the server in metrics
     */
    onReplica(server: string, isInUse: boolean): void;
  };

/** Connection events of a source. */
export type PostgresEvents = Partial<Events>;

export interface PostgresParts {
  readonly events?: PostgresEvents;
  readonly times?: Partial<ConnectionTimes>;
  /** Read replicas, closed with the source. */
  readonly replicas?: readonly DatabaseSource[];
  /** Routes whose members are closed with the source. */
  readonly routes?: SourceRoutes | undefined;
}

/** Opens a source. It connects on first use. */
export function openPostgres(
  settings: PostgresSettings,
  { events = {}, times = {}, replicas = [], routes }: PostgresParts = {},
): DatabaseSource {
  return new PostgresSource(settings, {
    events: { ...noEvents, ...events },
    times: { ...connectionTimes, ...times },
    replicas,
    routes,
  });
}

const nothing = (): void => undefined;
const noEvents: Events = {
  onIdleLoss: nothing,
  onReduced: nothing,
  onRestored: nothing,
  onDelivery: nothing,
  onReplica: nothing,
};

class PostgresSource implements DatabaseSource {
  readonly name: string;
  readonly server: string;
  readonly system = "postgresql";
  readonly place: DatabaseSource["place"];
  readonly readsOtherUserSetting: boolean;
  readonly isUnbatched: boolean;
  readonly #settings: PostgresSettings;
  readonly #events: Events;
  readonly #pool: ConnectionPool;
  readonly #policy: PreparePolicy;
  readonly #parts: SourceParts;
  readonly #runner: StatementRunner;
  readonly replicas: readonly DatabaseSource[];
  readonly routes?: SourceRoutes;
  readonly bytes: Reads<ByteRow>;
  readonly reader?: NonNullable<DatabaseSource["reader"]>;
  readonly logPosition?: NonNullable<DatabaseSource["logPosition"]>;
  readonly #copies: Replicas | undefined;
  #listener: Listener | undefined;
  #feed: ChangeFeed | undefined;

  constructor(
    settings: PostgresSettings,
    {
      events,
      times,
      replicas,
      routes,
    }: { readonly events: Events; readonly times: ConnectionTimes } & Required<
      Pick<PostgresParts, "replicas" | "routes">
    >,
  ) {
    this.name = settings.name;
    this.server = serverLabel(settings);
    this.place = databasePlace(settings);
    this.readsOtherUserSetting = settings.otherUserSetting !== undefined;
    this.isUnbatched = settings.disabledFeatures.has("multiplexing");
    this.#settings = settings;
    this.#events = events;
    this.#pool = new ConnectionPool(settings, times, events);
    this.#policy = new PreparePolicy(settings.prepare);
    this.#parts = { settings, pool: this.#pool, policy: this.#policy };
    this.#runner = new StatementRunner(this.#parts);
    this.replicas = replicas;
    if (routes) this.routes = routes;
    this.bytes = this.#byteReads();
    if (replicas.length === 0) return;
    const onChange = ({ server = "" }: DatabaseSource, isInUse: boolean): void => events.onReplica(server, isInUse);
    const copies = new Replicas({
      primary: this,
      copies: replicas,
      classify: classifyReplicaFailure,
      hasReached,
      onChange,
    });
    this.#copies = copies;
    this.reader = (after) => copies.reader(after);
    this.logPosition = () => currentLogPosition(this);
  }

  query(statement: PreparedStatement, values: readonly SqlValue[], caller?: Caller): Promise<readonly TextRow[]> {
    if (this.#settings.readOnly) return this.executeAlone({ readOnly: true, caller }, statement, values);
    return this.#runner.read(statement, values, caller);
  }

  execute(statement: PreparedStatement, values: readonly SqlValue[]): Promise<readonly TextRow[]> {
    if (this.#settings.readOnly) return this.executeAlone({}, statement, values);
    return this.#runner.write(statement, values);
  }

  executeAlone(
    options: TransactionOptions,
    statement: PreparedStatement,
    values: readonly SqlValue[],
  ): Promise<readonly TextRow[]> {
    return runAlone(this.#parts, options, statement, values);
  }

  #byteReads(): Reads<ByteRow> {
    const executeAlone: Reads<ByteRow>["executeAlone"] = async (options, statement, values) => {
      const byteRows = new ByteRows();
      await runAlone(this.#parts, options, statement, values, byteRows);
      return byteRows.rows;
    };
    return {
      executeAlone,
      query: (statement, values, caller) =>
        this.#settings.readOnly
          ? executeAlone({ readOnly: true, caller }, statement, values)
          : this.#runner.readBytes(statement, values, caller),
    };
  }

  ping(): Promise<unknown> {
    return this.#runner.ping();
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

  async transaction<T>(options: TransactionOptions, work: (transaction: SourceTransaction) => Promise<T>): Promise<T> {
    const opening = openingSteps(this.#settings, options); // may throw, so it runs before a connection is taken
    const connection = await this.#pool.takeOne(useFor(options));
    const transaction = new PostgresTransaction(connection, this.#policy, {
      opening,
      isReadOnly: isReadOnly(this.#settings, options),
      isRepeatable: options.repeatable === true,
      errors: options.errors ?? "graphql",
    });
    try {
      const result = await work(transaction);
      await transaction.commit();
      return result;
    } catch (error) {
      // the first error is more informative; a failed rollback has lost its connection, which is closed below
      await transaction.rollback().catch(() => undefined);
      if (!transaction.isToBeRepeated) throw error;
    } finally {
      await giveBack(this.#pool, connection, transaction.ranText);
    }
    const { repeatable, ...once } = options;
    return this.transaction(once, work);
  }

  async rehearse<T>(work: (rehearsal: Rehearsal) => Promise<T>): Promise<T> {
    const opening = openingSteps(this.#settings, {});
    const connection = await this.#pool.takeOne({ kind: "write" });
    const parts = { opening, isReadOnly: false, isRepeatable: false, errors: "graphql" } as const;
    const transaction = new PostgresTransaction(connection, this.#policy, parts);
    try {
      return await rehearse({ source: this, settings: this.#settings, transaction }, work);
    } finally {
      // a failed rollback has lost its connection, which is closed below
      await transaction.rollback().catch(() => undefined);
      await giveBack(this.#pool, connection, transaction.ranText);
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
    const connection = await this.#pool.takeOne({ kind: "write" });
    try {
      let result: RunSqlResult = { result_type: "CommandOk", result: null };
      for (const statement of splitStatements(sql)) result = await connection.runText(statement);
      return result;
    } catch (error) {
      throw error instanceof StepError ? connection.translate(error.failure, "run_sql") : error;
    } finally {
      await giveBack(this.#pool, connection, true);
    }
  }

  async watch(
    statement: PreparedStatement,
    values: readonly SqlValue[],
    onChange: (change: SourceChange) => void,
  ): Promise<ChangeWatch | null> {
    // Triggers must be created first.
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
    const { maxConnections, disabledFeatures } = this.#settings;
    // The listening connection would be the only one.
    if (maxConnections < 2 || disabledFeatures.has("notifications")) return null;
    this.#listener ??= new Listener({
      take: () => this.#pool.takeOne({ kind: "listen" }),
      give: (connection) => this.#pool.give(connection, true),
      query: (read, parameters) => this.query(read, parameters),
      onDelivery: this.#events.onDelivery,
    });
    return this.#listener;
  }

  get connections(): ConnectionCounts {
    return this.#pool.counts;
  }

  async cancelAll(reason?: EngineError): Promise<number> {
    const others = [...this.replicas, ...this.#members];
    const cancelled = [this.#pool.cancelAll(reason), ...others.map((other) => other.cancelAll(reason))];
    return (await Promise.all(cancelled)).reduce((sum, count) => sum + count, 0);
  }

  completed(): number {
    return this.#pool.completed;
  }

  async close(): Promise<void> {
    this.#listener?.close();
    const members = this.#members.map((member) => member.close());
    await Promise.all([this.#pool.close(), this.#copies?.close(), ...members]);
  }

  get #members(): readonly DatabaseSource[] {
    return [...(this.routes?.members.values() ?? [])];
  }
}
