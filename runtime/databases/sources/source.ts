/** The interface of a database of any kind. Each folder below implements one kind. */

import type { Caller } from "../../values/caller.ts";
import type { ConnectionTarget, RoutedRequest } from "../../values/connection-target.ts";
import type { DatabaseFact, Definitions, EnumTable } from "../../values/database-fact.ts";
import type { EngineError } from "../../values/errors.ts";
import type { ReleasableBytes } from "../../values/releasable-bytes.ts";

/** SQL text with numbered parameters. */
export interface PreparedStatement {
  readonly text: string;
  /**
   * Stable name of the plan behind the text (letters and digits, at most 63 characters); absent if never prepared by
   * name.
   */
  readonly name?: string;
  /** The statement writes nothing, whatever its tables and functions are, and may run twice. */
  readonly onlyReads?: true;
}

/** Values are passed as text and cast in the statement; `null` is SQL NULL. */
export type SqlValue = string | null;
export type TextRow = readonly SqlValue[];

/** The values of a row as the UTF-8 bytes of their texts; short values may be texts, which cost less. */
export type ByteValues = readonly (Buffer | SqlValue)[];

export interface ByteRow {
  readonly values: ByteValues;
  /** The memory of long values, which the receiver may release once no value is in use. */
  readonly memory: readonly ReleasableBytes[];
}

/**
 * The table of error codes for rejected statements: for GraphQL or for the JSON data operations. `runSql` always fails
 * with `postgres-error`.
 */
export type ErrorTable = "graphql" | "dml";

export interface TransactionOptions {
  /** Forbids writes, if the database has such transactions. */
  readonly readOnly?: boolean;
  /** A statement that may write although `readOnly` is set is refused. Only for `executeAlone`. */
  readonly neverWrites?: true;
  /** Session variables for triggers: JSON text for the setting `engine.user`. */
  readonly user?: string | undefined;
  /** Trace context of the request for triggers: JSON text for the setting `engine.tracecontext`. */
  readonly traceContext?: string | undefined;
  /** Timeout of each statement. */
  readonly timeoutMilliseconds?: number | undefined;
  /** Caller whose disconnection cancels the statements. Only for work that need not complete. */
  readonly caller?: Caller | undefined;
  /** The work of `transaction` may run again if the database rolled it back. */
  readonly repeatable?: true;
  /**
   * Called when a connection is available. The statement is sent after the returned promise resolves, and not at all if
   * it rejects. Only for `executeAlone`.
   */
  readonly beforeSending?: (() => Promise<void> | undefined) | undefined;
  /** Overrides the source's `isolation_level`, with the same values. */
  readonly isolation?: string;
  /** Default: `graphql`. */
  readonly errors?: ErrorTable;
}

export interface RunSqlOptions {
  readonly readOnly: boolean;
  /** Session variables for triggers: JSON text for the setting `engine.user`. */
  readonly user?: string;
}

export interface RunSqlResult {
  readonly result_type: "CommandOk" | "TuplesOk";
  /** A header row of column names and rows of cells; `null` with `CommandOk`. */
  readonly result: readonly (readonly unknown[])[] | null;
}

/** Statements inside one transaction of a source. Calls must not overlap. */
export interface SourceTransaction {
  query(statement: PreparedStatement, values: readonly SqlValue[]): Promise<readonly TextRow[]>;
  /** Runs the last statement and commits in the same round trip if the database can. */
  queryLast(statement: PreparedStatement, values: readonly SqlValue[]): Promise<readonly TextRow[]>;
  /**
   * Runs text with several statements and returns the result of the last. SQL failures have the code `postgres-error`.
   */
  runSql(sql: string): Promise<RunSqlResult>;
  /**
   * Runs a read with the settings and role of a new session, whatever `runSql` has set. A failed read leaves the
   * transaction intact.
   */
  probe(statement: PreparedStatement): Promise<readonly TextRow[]>;
  /** True if the text of `runSql` has ended the transaction, so that nothing before it can be rolled back. */
  readonly isEnded: boolean;
}

/** Reports connection events of a source to the log. */
export type SourceReport = (
  level: "info" | "warn",
  message: string,
  info: { readonly source: string; readonly [detail: string]: unknown },
) => void;

/** The role of a connection in metrics. `member`: a member of the connection set. */
export type ConnectionRole = "primary" | "replica" | "member";

/** Measures the connections of a source. Must be fast. Times are in seconds. */
export interface ConnectionMeter {
  opened(seconds: number): void;
  openingFailed(): void;
  /** Records the waiting time of a statement that found no free connection. */
  waited(seconds: number): void;
}

/** A subscription to changes of a statement's tables, or to messages of a channel. */
/** `reported`: the database reported a change; `possible`: there may have been changes without a report. */
export type SourceChange = "reported" | "possible";

export interface ChangeWatch {
  /** True while changes are delivered. Otherwise the subscriber has to poll. */
  readonly isLive: boolean;
  stop(): void;
}

export interface DatabasePlace {
  /** Host name, address, or socket folder of the server. */
  readonly address: string;
  readonly port: number;
  readonly database: string;
}

/** Connection counts of a source, for metrics. */
export interface ConnectionCounts {
  /** Open connections, and the current limit, which is below the configured one while the database rejects more. */
  readonly connections: number;
  readonly limit: number;
  readonly idle: number;
  /** Number of waiters. */
  readonly waiting: number;
}

/** Ways to run one statement. `Row` is the form of its rows. */
export interface Reads<Row> {
  /**
   * Runs one read in its own transaction. It is retried only if the database reported that it had no effect, or if it is
   * known to write nothing.
   */
  query(statement: PreparedStatement, values: readonly SqlValue[], caller?: Caller): Promise<readonly Row[]>;
  /** Runs a transaction of one statement in one round trip. Conditions must be checked inside the statement. */
  executeAlone(
    options: TransactionOptions,
    statement: PreparedStatement,
    values: readonly SqlValue[],
  ): Promise<readonly Row[]>;
}

export type Reader = Pick<DatabaseSource, "query" | "executeAlone" | "bytes">;

/** Routes requests according to the connection template of a source. */
export interface SourceRoutes {
  /**
   * Resolves a request to a connection.
   * @throws EngineError `template-resolution-failed`
   */
  resolve(request: RoutedRequest): ConnectionTarget;
  /** The connection set by name, closed with the source. */
  readonly members: ReadonlyMap<string, DatabaseSource>;
}

/**
 * A database. Every method throws `EngineError` with path `$` if the database rejects the operation or is unreachable.
 */
export interface DatabaseSource extends Reads<TextRow> {
  readonly name: string;
  /** The same reads with rows as bytes. Absent if the driver only returns text. */
  readonly bytes?: Reads<ByteRow>;
  /** Absent if the driver does not report them. */
  readonly connections?: ConnectionCounts;
  /** Name of the server in metrics. */
  readonly server?: string;
  /** SQL may read session variables from a second setting, which only the option `user` of a transaction sets. */
  readonly readsOtherUserSetting?: boolean;
  /** The server cannot run one statement for several subscriptions. */
  readonly isUnbatched?: boolean;
  /** Read replicas; absent if there are none. */
  readonly replicas?: readonly DatabaseSource[];
  /** Absent if all requests go to the database itself and its replicas. */
  readonly routes?: SourceRoutes;
  /**
   * Returns a reader for reads that may be slightly stale: usually from a replica, and always from the same one if
   * possible. Absent without replicas.
   * @param after log position that a replica must have reached; absent: any replica may serve the read
   */
  reader?(after?: string): Reader;
  /** Returns a log position after all completed writes. Absent without replicas. */
  logPosition?(): Promise<string>;
  /** Kind of database in traces. */
  readonly system?: string;
  /** Location for traces; absent if not known in advance. */
  readonly place?: DatabasePlace | undefined;
  /**
   * Checks that the server responds, after replacing connections that were lost silently. Rejects if it does not.
   * Absent if a query has the same effect.
   */
  ping?(): Promise<unknown>;
  /** Runs one write that commits by itself at the database's default isolation level. Never retried. */
  execute(statement: PreparedStatement, values: readonly SqlValue[]): Promise<readonly TextRow[]>;
  /** Runs `work` between `BEGIN` and `COMMIT`. Rolls back and rethrows if it throws. */
  transaction<T>(options: TransactionOptions, work: (transaction: SourceTransaction) => Promise<T>): Promise<T>;
  /**
   * Passes a source to `work` whose statements and transactions run one after the other in a transaction that is always
   * rolled back: when `work` ends, and by the database when the connection is lost. Absent if the kind of database does
   * not support it.
   * @throws EngineError `not-supported` if SQL of `work` has ended the transaction, so that writes may be committed
   */
  rehearse?<T>(work: (rehearsal: Rehearsal) => Promise<T>): Promise<T>;
  /** Runs administrators' SQL in one transaction and returns the result of the last statement. */
  runSql(sql: string, options: RunSqlOptions): Promise<RunSqlResult>;
  /** Runs statements one by one outside a transaction (`no_transaction`). */
  runSqlWithoutTransaction(sql: string): Promise<RunSqlResult>;
  /** Returns the lines of the plan of a statement with these values, without running it. */
  explain(statement: PreparedStatement, values: readonly SqlValue[]): Promise<readonly string[]>;
  /**
   * Returns a dump of the database as SQL. Absent if its kind has no dump program.
   * @throws EngineError at `$.opts[…]` for an option that a request may not use
   */
  dump?(options: readonly string[]): Promise<string>;
  /**
   * Calls `onChange` after each change of a table that the statement reads, made by any client. May modify the database
   * for that purpose, and may call `onChange` without a change. Absent if the kind of database has no notifications.
   * @returns `null` if the statement reads anything other than tables
   */
  watch?(
    statement: PreparedStatement,
    values: readonly SqlValue[],
    onChange: (change: SourceChange) => void,
  ): Promise<ChangeWatch | null>;
  /**
   * Calls `onMessage` after each message of a LISTEN channel, and when messages may have been missed. Absent if the
   * kind of database has no channels.
   * @returns `null` if there is no connection to listen on
   */
  listen?(channel: string, onMessage: () => void): Promise<ChangeWatch | null>;
  /** Reads facts about tables, functions and the values of enum tables, to compare with a shape. */
  facts(enums: readonly EnumTable[]): Promise<readonly DatabaseFact[]>;
  /** Reads hashes of the SQL in the database, to compare with those of a shape. */
  definitions(): Promise<Definitions>;
  /**
   * Cancels all running statements and all waiters, which then fail. Resolves when the database has received the
   * cancel requests; connections that cannot be cancelled are closed.
   * @param reason error for the callers
   * @returns the number of statements
   */
  cancelAll(reason?: EngineError): Promise<number>;
  /** Returns the number of completed statements so far, including errors. */
  completed(): number;
  /** Closes all connections after the requests that use or await one have ended. All later calls fail. */
  close(): Promise<void>;
}

/** Number of rows of a table that a transaction has changed. */
export interface TableChanges {
  readonly schema: string;
  readonly table: string;
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
}

/** A database whose changes are rolled back. */
export interface Rehearsal extends DatabaseSource {
  /**
   * Runs `work` and counts the rows that it changes, including changes by triggers and foreign keys. Partitions count
   * as their table.
   * @returns `null` for the changes if the database does not count them
   */
  counted<T>(work: () => Promise<T>): Promise<readonly [result: T, changes: readonly TableChanges[] | null]>;
}
