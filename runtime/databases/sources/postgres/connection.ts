/** One connection to a PostgreSQL server: the driver's client and the names of its prepared statements. */
import { EventEmitter } from "node:events";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { Client, type ClientConfig, DatabaseError } from "pg";
import type { EngineError } from "../../../values/errors.ts";
import { ResponseMemory } from "../../../values/response-memory.ts";
import type { RunSqlResult, TextRow } from "../source.ts";
import { requestCancel } from "./cancel-request.ts";
import { ExtendedQuery, type Step, type StepCallback, type StepFailure, validateStep } from "./extended-query.ts";
import { locateFailure } from "./locate-failure.ts";
import { RowReader } from "./row-reader.ts";
import { SimpleQuery, SingleStatement } from "./simple-query.ts";
import { StatementNames } from "./statement-names.ts";
import type { Transport } from "./tls.ts";
import {
  type DatabaseErrorContext,
  translateConnectionError,
  translateDatabaseError,
} from "./translate-database-error.ts";

/** A failed statement with the driver's error. */
export class StepError extends Error {
  readonly failure: StepFailure;

  constructor(failure: StepFailure) {
    super(failure.error.message, { cause: failure.error });
    this.failure = failure;
  }
}

/** A failed connection attempt and its transport. */
export class ConnectError extends Error {
  override readonly cause: Error;
  readonly encrypted: boolean;

  constructor(cause: Error, encrypted: boolean) {
    super(cause.message, { cause });
    this.cause = cause;
    this.encrypted = encrypted;
  }
}

const queryCanceled = "57014";

/** Cancellation key of the session, missing in the driver's types. */
interface KeyData {
  readonly processID: number | null;
  readonly secretKey: number | null;
}

interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

export interface TransactionDefaults {
  /** Isolation level in SQL. */
  readonly isolation: string;
  readonly readOnly: boolean;
}

type Rows = readonly TextRow[];

/** Identifies the server: its start time in microseconds differs from that of any other server. */
const serverStatement = "select pg_backend_pid()::text, extract(epoch from pg_postmaster_start_time())::text";

const defaultsStatement =
  "SELECT current_setting('default_transaction_isolation'), current_setting('default_transaction_read_only')";

declare module "pg" {
  interface Client {
    /** Returns the startup parameters sent by the driver. */
    getStartupConf(): Record<string, string>;
  }
  interface Connection {
    /** Attaches the driver to data of the server. */
    attachListeners(stream: NodeJS.EventEmitter): void;
  }
}

export interface ConnectionConfiguration extends ClientConfig {
  /** Session settings, sent as startup parameters. */
  readonly sessionSettings: Readonly<Record<string, string>>;
  /** Memory budget for long rows; absent for no limit. */
  readonly responseMemory?: ResponseMemory | undefined;
  /** Minimum length in bytes of rows that stay bytes; absent for the default. */
  readonly minByteRow?: number | undefined;
}

export class PostgresConnection extends Client {
  readonly #sessionSettings: Readonly<Record<string, string>>;
  readonly #names = new StatementNames();
  readonly #tls: Transport;
  #lost = false;
  #hasEnded = false;
  #isSuperuser = false;
  #server: string | undefined;
  #hasReadServer = false;
  #defaults: TransactionDefaults | undefined;
  /** The last statement sent. */
  #statement: ExtendedQuery | SimpleQuery | undefined;
  #cancelling: Promise<void> | undefined;
  #cancelReason: EngineError | undefined;
  #rows: RowReader | undefined;
  #isUtf8 = false;

  constructor(configuration: ConnectionConfiguration) {
    super(configuration);
    this.#readRows(configuration);
    this.#sessionSettings = configuration.sessionSettings;
    this.#tls = typeof configuration.ssl === "object" ? configuration.ssl : false;
    this.connection.on("parameterStatus", ({ parameterName: name, parameterValue: value }: ParameterStatus) => {
      if (name === "is_superuser") this.#isSuperuser = value === "on";
      if (name === "client_encoding") this.#isUtf8 = value === "UTF8";
    });
    // The running statement rejects with the same error. Without a listener, the process would end.
    this.on("error", () => {
      this.#lost = true;
    });
    this.once("end", () => {
      this.#hasEnded = true;
    });
  }

  /** Inserts a `RowReader` between the server and the driver. */
  #readRows({ responseMemory, minByteRow }: Pick<ConnectionConfiguration, "responseMemory" | "minByteRow">): void {
    const memory = responseMemory ?? new ResponseMemory(Number.POSITIVE_INFINITY);
    const { connection } = this;
    const attach = connection.attachListeners;
    connection.attachListeners = (stream: Duplex) => {
      const driver = new EventEmitter();
      const rows = new RowReader({
        stream,
        memory,
        minByteRow,
        pass: (bytes) => driver.emit("data", bytes),
        takesBytes: () => this.#takesBytes,
        onRow: (bytes) => connection.emit("dataRow", { bytes }),
      });
      stream.on("data", (bytes: Buffer) => rows.take(bytes)).once("close", () => rows.close());
      this.#rows = rows;
      attach.call(connection, driver);
    };
  }

  /**
   * True if the running statement takes bytes. The driver requests UTF-8, which PostgreSQL then validates, but SQL of the
   * session can change its encoding.
   */
  get #takesBytes(): boolean {
    return this.#isUtf8 && this.#statement instanceof ExtendedQuery && this.#statement.takesBytes;
  }

  /** Called by the driver. */
  override getStartupConf(): Record<string, string> {
    return { ...super.getStartupConf(), ...this.#sessionSettings };
  }

  /**
   * Connects to the server.
   * @throws ConnectError
   */
  override connect(): Promise<Client> {
    return super.connect().catch((error: Error) => {
      throw new ConnectError(error, this.#tls !== false);
    });
  }

  /** True if the session user is a superuser, who may use reserved connection slots. */
  get isSuperuser(): boolean {
    return this.#isSuperuser;
  }

  /**
   * Identifies the server of the session; `undefined` if unknown, as behind a pooler, which invents process ids and
   * runs statements on changing server sessions.
   */
  get server(): string | undefined {
    return this.#server;
  }

  /** Transaction defaults of the session; `undefined` if not yet known. */
  get defaults(): TransactionDefaults | undefined {
    return this.#defaults;
  }

  /** Reads the transaction defaults on first use, then calls `next`. */
  withDefaults(next: () => void): void {
    if (this.#defaults !== undefined) {
      next();
      return;
    }
    this.run([{ text: defaultsStatement, values: [] }], (_, [rows]) => {
      const row = rows?.[0];
      // If this statement fails, the next one either fails too or sets all properties itself.
      if (row) this.#defaults = { isolation: String(row[0]).toUpperCase(), readOnly: row[1] !== "off" };
      next();
    });
  }

  /** True after the event `end`. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** True if the connection has ended or is about to. */
  get isLost(): boolean {
    return this.#lost;
  }

  /** Records a failed statement. Returns true if the connection has ended or is about to. */
  isLostBy(error: Error): boolean {
    this.#lost ||= error instanceof DatabaseError && endsConnection(error);
    return this.#lost;
  }

  /** Sends a batch. */
  run(steps: readonly Step[], done: StepCallback): void {
    const query = new ExtendedQuery(steps, this.#names, done);
    const canGoTogether = this.#mayReadServer && steps.every((step) => validateStep(step) === undefined);
    this.#statement = this.query(canGoTogether ? this.#afterServerQuery(query, []) : query);
  }

  /** True if the server identity has not been read, and an error would not abort a transaction. */
  get #mayReadServer(): boolean {
    return !this.#hasReadServer && this.getTransactionStatus() === "I";
  }

  /** Reads the server identity in the same write. Returns the query to submit. */
  #afterServerQuery(first: ExtendedQuery, others: readonly ExtendedQuery[]): ExtendedQuery {
    this.#hasReadServer = true;
    const serverQuery = new ExtendedQuery([{ text: serverStatement, values: [] }], this.#names, (failure, [rows]) => {
      const [processId, server] = rows?.[0] ?? [];
      if (processId === String(this.processId)) this.#server = server ?? undefined;
      // Servers that only speak the PostgreSQL protocol may reject this statement.
      const isRefused = failure?.error instanceof DatabaseError && !this.isLostBy(failure.error);
      if (failure === undefined || isRefused) this.#statement = this.query(first);
      else first.handleError(failure.error);
    });
    serverQuery.sendTogetherWith([first, ...others]);
    return serverQuery;
  }

  /**
   * Sends statements in one write, each in its own transaction, and calls back for each in order. The values must be
   * valid.
   */
  runEach(steps: readonly Step[], done: (index: number, failure: StepFailure | undefined, rows: Rows) => void): void {
    const queries = steps.map(
      (step, i) =>
        new ExtendedQuery([step], this.#names, (failure, [rows = []]) => {
          const next = queries[i + 1];
          if (next) this.#statement = this.query(next);
          done(i, failure, rows);
        }),
    );
    const [first, ...others] = queries;
    if (!first) return;
    if (!this.#mayReadServer) first.sendTogetherWith(others);
    this.#statement = this.query(this.#mayReadServer ? this.#afterServerQuery(first, others) : first);
  }

  /**
   * Runs a batch and returns the rows of the last step that is not silent.
   * @throws StepError
   */
  runSteps(steps: readonly Step[]): Promise<readonly TextRow[]> {
    return new Promise((resolve, reject) => {
      this.run(steps, (failure, results) => {
        if (failure === undefined) resolve(results.at(-1) ?? []);
        else reject(new StepError(failure));
      });
    });
  }

  /**
   * Runs text that may contain several statements.
   * @throws StepError
   */
  runText(text: string): Promise<RunSqlResult> {
    return new Promise((resolve, reject) => {
      const query = new SimpleQuery(text, (error, result) => {
        if (error === undefined) {
          resolve(result);
          return;
        }
        locateFailure(error, text, query.completed);
        reject(new StepError({ error, step: { text, values: [] }, isUndone: false }));
      });
      this.#statement = this.query(query);
    });
  }

  /** Process id of the session. Behind a pooler, it is unknown to the server. */
  get processId(): number | null {
    return (this as KeyData & this).processID;
  }

  /** The statement that was sent and has not completed, if any. */
  get running(): object | undefined {
    return this.#statement?.isComplete === false ? this.#statement : undefined;
  }

  /** Number of bytes received so far. */
  get bytesRead(): number {
    const { stream } = this.connection;
    return stream instanceof Socket ? stream.bytesRead : 0;
  }

  /** True while reading is paused because a row waits for memory. */
  get isHeldBack(): boolean {
    return this.#rows?.isWaiting === true;
  }

  /** Makes the server send some data. */
  ping(): void {
    this.run([{ text: "", values: [] }], () => undefined); // a failure shows as a lost connection
  }

  /**
   * Cancels the running statement, which then fails. Nothing may be sent until `cancelled` resolves, because the cancel
   * request could hit a later statement. The connection is destroyed if the server does not accept the request in time.
   * @param reason error for the caller
   */
  cancel(milliseconds: number, reason?: EngineError): Promise<void> {
    this.#cancelReason = reason;
    this.#cancelling ??= this.#cancel(milliseconds).finally(() => {
      this.#cancelling = undefined;
    });
    return this.#cancelling;
  }

  /** Resolves when the cancel request has ended; `undefined` if there is none. */
  get cancelled(): Promise<void> | undefined {
    return this.#cancelling;
  }

  async #cancel(milliseconds: number): Promise<void> {
    const { host, port, processID, secretKey } = this as KeyData & this;
    if (processID === null || secretKey === null) return this.destroy(new Error("the server sent no cancellation key"));
    const target = { host, port, tls: this.#tls, processId: processID, secretKey };
    await requestCancel(target, milliseconds).catch((error: Error) => this.destroy(error));
  }

  /** Closes the connection, waiting for the server for at most `milliseconds`. */
  async leave(milliseconds: number): Promise<void> {
    const timer = setTimeout(() => this.destroy(new Error("the server did not close the connection")), milliseconds);
    await this.end().catch(() => undefined); // the connection has ended in any case
    clearTimeout(timer);
  }

  /** Closes the socket without notifying the server. The running statement fails with this error. */
  destroy(error: Error): void {
    this.#lost = true;
    this.connection.stream.destroy(error);
  }

  /**
   * Runs the text of one statement. The server rejects text with several statements.
   * @throws StepError
   */
  runStatement(text: string): Promise<RunSqlResult & { readonly tag: string }> {
    return new Promise((resolve, reject) => {
      const query = new SingleStatement(text, (error, result) => {
        if (error === undefined) resolve({ ...result, tag: query.tag });
        else reject(new StepError({ error, step: { text, values: [] }, isUndone: false }));
      });
      this.#statement = this.query(query);
    });
  }

  /** Translates a failure on this connection to the product's error. */
  translate({ error, step }: StepFailure, table: DatabaseErrorContext["table"]): EngineError {
    const isCancelled = this.isLostBy(error) || (error instanceof DatabaseError && error.code === queryCanceled);
    if (isCancelled && this.#cancelReason !== undefined) return this.#cancelReason;
    if (this.isLostBy(error)) return translateConnectionError(error);
    return translateDatabaseError(error, {
      table,
      statement: step.text,
      prepared: step.name !== undefined,
      arguments: step.values,
    });
  }

  /** Forgets a prepared statement, so that it is prepared again on its next use. */
  forget(name: string): void {
    this.#names.forget(name);
  }

  /** Resets the session: settings, role, temporary tables, prepared statements. */
  async discardSession(): Promise<void> {
    await this.runText("DISCARD ALL");
    this.#names.clear();
  }
}

/** SQLSTATEs after which the server closes the connection: shutdown, crash, termination, idle timeouts. */
const closingStates = new Set(["57P01", "57P02", "57P03", "57P05", "25P03", "25P04"]);

function endsConnection(error: DatabaseError): boolean {
  // `severity` is localized; the states cover servers that use other languages
  return error.severity === "FATAL" || error.severity === "PANIC" || closingStates.has(error.code ?? "");
}
