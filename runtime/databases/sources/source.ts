/** What the runtime needs of a database, whatever its kind; one implementation per folder below this one. */

import type { Caller } from "../../values/caller.ts";
import type { ConnectionTarget, RoutedRequest } from "../../values/connection-target.ts";
import type { DatabaseFact, Definitions, EnumTable } from "../../values/database-fact.ts";
import type { EngineError } from "../../values/errors.ts";

/** SQL text with numbered parameters. */
export interface PreparedStatement {
  readonly text: string;
  /** Stable name of the plan behind the text (letters and digits, at most 63); absent: never prepared by name. */
  readonly name?: string;
  /** It certainly writes nothing, whatever its tables and functions are: it may run twice. */
  readonly onlyReads?: true;
}

/** Values travel as text and are cast in the statement; `null` is SQL NULL. */
export type SqlValue = string | null;
export type TextRow = readonly SqlValue[];

/**
 * Whose table of error codes applies to a rejected statement: GraphQL's (`graphql-api.md` 1.5) or that of the JSON
 * data operations (`metadata-api.md` 1.10). `runSql` always answers `postgres-error`.
 */
export type ErrorTable = "graphql" | "dml";

export interface TransactionOptions {
  readonly readOnly?: boolean;
  /** Session variables for triggers: JSON text for the setting `engine.user`. */
  readonly user?: string | undefined;
  /** Where the trace of the request stands, for triggers: JSON text for the setting `engine.tracecontext`. */
  readonly traceContext?: string | undefined;
  /** Each statement that takes longer is cancelled. */
  readonly timeoutMilliseconds?: number | undefined;
  /** Only for what need not run to its end. */
  readonly caller?: Caller | undefined;
  /** The work of `transaction` may run once more, when the database undid what it did so far. */
  readonly repeatable?: true;
  /**
   * Called when there is a connection, before the statement is sent: it waits for what comes back, and is not sent when
   * that fails. Only of `executeAlone`.
   */
  readonly beforeSending?: (() => Promise<void> | undefined) | undefined;
  /** Overrides the source's `isolation_level`, in the same spelling. */
  readonly isolation?: string;
  /** `graphql` unless given. */
  readonly errors?: ErrorTable;
}

export interface RunSqlOptions {
  readonly readOnly: boolean;
  /** Session variables for triggers: JSON text for the setting `engine.user`. */
  readonly user?: string;
}

export interface RunSqlResult {
  readonly result_type: "CommandOk" | "TuplesOk";
  /** The header row of column names, then rows of cells; `null` with `CommandOk` (`metadata-api.md` 4.2). */
  readonly result: readonly (readonly unknown[])[] | null;
}

/** Statements inside one transaction of a source; each call waits for the one before. */
export interface SourceTransaction {
  query(statement: PreparedStatement, values: readonly SqlValue[]): Promise<readonly TextRow[]>;
  /** As `query`, and commits in the same round trip where the database can: nothing may come after it. */
  queryLast(statement: PreparedStatement, values: readonly SqlValue[]): Promise<readonly TextRow[]>;
  /** Several statements at once, as text; the result of the last. SQL failures are `postgres-error`. */
  runSql(sql: string): Promise<RunSqlResult>;
  /**
   * Runs a read with the settings and the role of a new session, whatever `runSql` has set. A read that fails leaves the
   * transaction as it was.
   */
  probe(statement: PreparedStatement): Promise<readonly TextRow[]>;
  /** Whether the text given to `runSql` has ended the transaction, so that nothing before it can be rolled back. */
  readonly isEnded: boolean;
}

/** Tells an operator what happens to the connections of a source. */
export type SourceReport = (
  level: "info" | "warn",
  message: string,
  info: { readonly source: string; readonly [detail: string]: unknown },
) => void;

/** What connections are to their source, as metrics call it; `member`: of its connection set. */
export type ConnectionRole = "primary" | "replica" | "member";

/** What is measured of the connections of a source; to be quick. Times are in seconds. */
export interface ConnectionMeter {
  opened(seconds: number): void;
  openingFailed(): void;
  /** A statement waited for a connection; of those that found one free nothing is said. */
  waited(seconds: number): void;
}

/** Waits for changes: of what a statement reads, or that a channel tells of. */
export interface ChangeWatch {
  /** Changes are heard of now; otherwise they have to be looked for. */
  readonly isLive: boolean;
  stop(): void;
}

/** Where a database is. */
export interface DatabasePlace {
  /** Of the server: a name, an address, or the folder of a socket. */
  readonly address: string;
  readonly port: number;
  readonly database: string;
}

/** How many connections a source has, for metrics. */
export interface ConnectionCounts {
  /** Those that there are, and those that there may be now: less than was set while the database refuses more. */
  readonly connections: number;
  readonly limit: number;
  readonly idle: number;
  /** Those who wait for one. */
  readonly waiting: number;
}

/** What runs reads. */
export type Reader = Pick<DatabaseSource, "query" | "executeAlone">;

/** Where requests of roles go, by the connection template of a source. */
export interface SourceRoutes {
  /** @throws EngineError `template-resolution-failed` */
  resolve(request: RoutedRequest): ConnectionTarget;
  /** The connection set by name, closed with the source. */
  readonly members: ReadonlyMap<string, DatabaseSource>;
}

/** Every method throws `EngineError` with path `$`: the database's refusal, or that it cannot be reached. */
export interface DatabaseSource {
  readonly name: string;
  /** Absent: the driver of its kind does not say. */
  readonly connections?: ConnectionCounts;
  /** What metrics call its server; absent: nothing. */
  readonly server?: string;
  /**
   * SQL may look for session variables in another setting than `engine.user`, which only the option `user` of a
   * transaction gives a value; absent: it does not.
   */
  readonly readsUserElsewhere?: boolean;
  /** Its server does not take statements for several subscriptions at once; absent: it does. */
  readonly isAskedOneByOne?: boolean;
  /** Copies of the database that answer reads; absent: there are none. */
  readonly replicas?: readonly DatabaseSource[];
  /** Absent: all go to the database itself and its replicas. */
  readonly routes?: SourceRoutes;
  /**
   * For reads that may be answered with what was there a moment ago: mostly by a copy, always the same if that can. Absent:
   * there are no copies.
   * @param after a place of the log that a copy has to have reached; absent: any may answer
   */
  reader?(after?: string): Reader;
  /** A place of the log, after all that has been written so far; absent where there are no copies. */
  logPlace?(): Promise<string>;
  /** The kind of database, as traces call it; absent: they do not say. */
  readonly system?: string;
  /** For traces; absent: it is not known beforehand. */
  readonly place?: DatabasePlace | undefined;
  /**
   * Whether the server answers; rejects where it does not. Connections that were lost without a word are replaced first.
   * Absent: a query says as much.
   */
  ping?(): Promise<unknown>;
  /**
   * Runs one read as a transaction of its own and answers its rows as text. It is sent again only when the database
   * reported that nothing of it took effect, or when it certainly writes nothing.
   */
  query(statement: PreparedStatement, values: readonly SqlValue[], caller?: Caller): Promise<readonly TextRow[]>;
  /** Runs one write that commits by itself, at the database's default isolation: as `query`, but never run twice. */
  execute(statement: PreparedStatement, values: readonly SqlValue[]): Promise<readonly TextRow[]>;
  /** A transaction of one statement, in one round trip: what fails has to fail inside the statement. */
  executeAlone(
    options: TransactionOptions,
    statement: PreparedStatement,
    values: readonly SqlValue[],
  ): Promise<readonly TextRow[]>;
  /** `BEGIN … COMMIT` around `work`, rolled back when it throws; its error is rethrown as it is. */
  transaction<T>(options: TransactionOptions, work: (transaction: SourceTransaction) => Promise<T>): Promise<T>;
  /** Runs administrator's SQL (`metadata-api.md` 4.2): one transaction, result of the last statement. */
  runSql(sql: string, options: RunSqlOptions): Promise<RunSqlResult>;
  /** Statement by statement outside a transaction (`no_transaction`). */
  runSqlWithoutTransaction(sql: string): Promise<RunSqlResult>;
  /** How the database would run a statement with these values, in lines; it is not run. */
  explain(statement: PreparedStatement, values: readonly SqlValue[]): Promise<readonly string[]>;
  /**
   * The database as SQL, by the dump program of its kind; absent: there is none.
   * @throws EngineError at `$.opts[…]` for an option that a request may not use
   */
  dump?(options: readonly string[]): Promise<string>;
  /**
   * Calls after each change of a table that a read reads, by whomever. It may prepare the database for that, and be
   * called although nothing changed. Absent: databases of this kind do not tell.
   * @returns `null` when the statement reads what cannot be watched
   */
  watch?(statement: PreparedStatement, values: readonly SqlValue[], onChange: () => void): Promise<ChangeWatch | null>;
  /**
   * Calls after each message of a channel of LISTEN, and when messages may have been missed. Absent: databases of this
   * kind have no channels.
   * @returns `null` where there is no connection to listen with
   */
  listen?(channel: string, onMessage: () => void): Promise<ChangeWatch | null>;
  /** What the database says of its tables and functions, and of the values of these enums, to compare with a Shape. */
  facts(enums: readonly EnumTable[]): Promise<readonly DatabaseFact[]>;
  /** Hashes of the SQL in the database, to compare with those of a Shape. */
  definitions(): Promise<Definitions>;
  /**
   * Cancels in the database whatever runs now; it fails like any statement, and so does what waits for a connection.
   * Resolves when the database has been told of all of it, or cannot be: then its connection is ended.
   * @param reason what callers are told
   * @returns how many statements
   */
  cancelAll(reason?: EngineError): Promise<number>;
  /** How many takers of a connection the database has answered so far, also with an error. */
  answered(): number;
  /** Ends the connections once the requests that hold or await one are done; then every call fails. */
  close(): Promise<void>;
}
