/** One connection to a PostgreSQL server: the driver's client plus the names of what it has prepared. */
import { EventEmitter } from "node:events";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { Client, type ClientConfig, DatabaseError } from "pg";
import type { AnswerMemory } from "../../../values/answer-memory.ts";
import type { EngineError } from "../../../values/errors.ts";
import type { RunSqlResult, TextRow } from "../source.ts";
import { requestCancel } from "./cancel-request.ts";
import { ExtendedQuery, mistakeIn, type Step, type StepCallback, type StepFailure } from "./extended-query.ts";
import { LongRows } from "./long-rows.ts";
import { placeFailure } from "./place-failure.ts";
import { SimpleQuery, SingleStatement } from "./simple-query.ts";
import { StatementNames } from "./statement-names.ts";
import type { Transport } from "./tls.ts";
import {
  type DatabaseErrorContext,
  translateConnectionError,
  translateDatabaseError,
} from "./translate-database-error.ts";

/** A statement failed: the driver's error and the statement it belongs to. */
export class StepError extends Error {
  readonly failure: StepFailure;

  constructor(failure: StepFailure) {
    super(failure.error.message, { cause: failure.error });
    this.failure = failure;
  }
}

/** No connection came about; says which kind of transport was tried. */
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

/** What the server hands out to cancel statements with, which the driver's types leave out. */
interface KeyData {
  readonly processID: number | null;
  readonly secretKey: number | null;
}

interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

export interface TransactionDefaults {
  /** As SQL spells it. */
  readonly isolation: string;
  readonly readOnly: boolean;
}

type Rows = readonly TextRow[];

/** The moment at which the server started, with its microseconds, is another one for every server. */
const serverStatement = "select pg_backend_pid()::text, extract(epoch from pg_postmaster_start_time())::text";

const defaultsStatement =
  "SELECT current_setting('default_transaction_isolation'), current_setting('default_transaction_read_only')";

declare module "pg" {
  interface Client {
    /** What the driver sends when it connects. */
    getStartupConf(): Record<string, string>;
  }
  interface Connection {
    /** Has the driver listen to what the server sends. */
    attachListeners(stream: NodeJS.EventEmitter): void;
  }
}

export interface ConnectionConfiguration extends ClientConfig {
  /** Settings of the session, set while connecting. */
  readonly sessionSettings: Readonly<Record<string, string>>;
  /** Of the answers that long rows become; absent: there is no bound. */
  readonly answerMemory?: AnswerMemory | undefined;
}

export class PostgresConnection extends Client {
  readonly #sessionSettings: Readonly<Record<string, string>>;
  readonly #names = new StatementNames();
  readonly #tls: Transport;
  #lost = false;
  #hasEnded = false;
  #isSuperuser = false;
  #server: string | undefined;
  #hasAskedForServer = false;
  #defaults: TransactionDefaults | undefined;
  /** What was sent last. */
  #statement: ExtendedQuery | SimpleQuery | undefined;
  #cancelling: Promise<void> | undefined;
  #cancelReason: EngineError | undefined;
  #longRows: LongRows | undefined;

  constructor(configuration: ConnectionConfiguration) {
    super(configuration);
    if (configuration.answerMemory !== undefined) this.#boundRows(configuration.answerMemory);
    this.#sessionSettings = configuration.sessionSettings;
    this.#tls = typeof configuration.ssl === "object" ? configuration.ssl : false;
    this.connection.on("parameterStatus", ({ parameterName: name, parameterValue: value }: ParameterStatus) => {
      if (name === "is_superuser") this.#isSuperuser = value === "on";
    });
    // The statement under way gets the same error; without a listener it would end the process.
    this.on("error", () => {
      this.#lost = true;
    });
    this.once("end", () => {
      this.#hasEnded = true;
    });
  }

  /** Comes between the server and the driver. */
  #boundRows(memory: AnswerMemory): void {
    const { connection } = this;
    const attach = connection.attachListeners;
    connection.attachListeners = (stream: Duplex) => {
      const driver = new EventEmitter();
      const rows = new LongRows({ stream, memory, pass: (bytes) => driver.emit("data", bytes) });
      stream.on("data", (bytes: Buffer) => rows.take(bytes)).once("close", () => rows.close());
      this.#longRows = rows;
      attach.call(connection, driver);
    };
  }

  /** Called by the driver. */
  override getStartupConf(): Record<string, string> {
    return { ...super.getStartupConf(), ...this.#sessionSettings };
  }

  /** @throws ConnectError */
  override connect(): Promise<Client> {
    return super.connect().catch((error: Error) => {
      throw new ConnectError(error, this.#tls !== false);
    });
  }

  /** Whether the server hands it what it reserves for superusers. */
  get isSuperuser(): boolean {
    return this.#isSuperuser;
  }

  /**
   * Tells the server of this session from all others; `undefined`: not known, as behind a pooler, which makes up the
   * numbers of its sessions and hands their statements to various sessions of the server.
   */
  get server(): string | undefined {
    return this.#server;
  }

  /** What transactions are like that do not say; `undefined`: not known. */
  get defaults(): TransactionDefaults | undefined {
    return this.#defaults;
  }

  /** Asks the server for the defaults when this connection is used so for the first time, then goes on. */
  whenDefaultsAreKnown(next: () => void): void {
    if (this.#defaults !== undefined) {
      next();
      return;
    }
    this.run([{ text: defaultsStatement, values: [] }], (_, [rows]) => {
      const row = rows?.[0];
      // Where the question fails, what comes next fails, too, or says everything itself.
      if (row) this.#defaults = { isolation: String(row[0]).toUpperCase(), readOnly: row[1] !== "off" };
      next();
    });
  }

  /** Whether the event `end` has passed. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Whether the connection has ended or is about to. */
  get isLost(): boolean {
    return this.#lost;
  }

  /** Takes note of a failed statement: whether it means that the connection has ended or is about to. */
  isLostBy(error: Error): boolean {
    this.#lost ||= error instanceof DatabaseError && endsConnection(error);
    return this.#lost;
  }

  /** Sends a batch. */
  run(steps: readonly Step[], done: StepCallback): void {
    const query = new ExtendedQuery(steps, this.#names, done);
    const canGoTogether = this.#mayAskForServer && steps.every((step) => mistakeIn(step) === undefined);
    this.#statement = this.query(canGoTogether ? this.#afterQuestion(query, []) : query);
  }

  /** Once, and where a refusal does not end a transaction. */
  get #mayAskForServer(): boolean {
    return !this.#hasAskedForServer && this.getTransactionStatus() === "I";
  }

  /** Asks which server this is in the same write. @returns what is to be submitted */
  #afterQuestion(first: ExtendedQuery, others: readonly ExtendedQuery[]): ExtendedQuery {
    this.#hasAskedForServer = true;
    const question = new ExtendedQuery([{ text: serverStatement, values: [] }], this.#names, (failure, [rows]) => {
      const [processId, server] = rows?.[0] ?? [];
      if (processId === String(this.processId)) this.#server = server ?? undefined;
      // What only speaks the protocol of PostgreSQL may refuse the question.
      const isRefused = failure?.error instanceof DatabaseError && !this.isLostBy(failure.error);
      if (failure === undefined || isRefused) this.#statement = this.query(first);
      else first.handleError(failure.error);
    });
    question.sendTogetherWith([first, ...others]);
    return question;
  }

  /**
   * Sends statements in one write, each a transaction of its own, and calls back for each in order. Their values have to
   * be such that they can be sent.
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
    if (!this.#mayAskForServer) first.sendTogetherWith(others);
    this.#statement = this.query(this.#mayAskForServer ? this.#afterQuestion(first, others) : first);
  }

  /** The rows of the last step that is not silent. @throws StepError */
  runSteps(steps: readonly Step[]): Promise<readonly TextRow[]> {
    return new Promise((resolve, reject) => {
      this.run(steps, (failure, results) => {
        if (failure === undefined) resolve(results.at(-1) ?? []);
        else reject(new StepError(failure));
      });
    });
  }

  /** Sends text that may hold several statements. @throws StepError */
  runText(text: string): Promise<RunSqlResult> {
    return new Promise((resolve, reject) => {
      const query = new SimpleQuery(text, (error, result) => {
        if (error === undefined) {
          resolve(result);
          return;
        }
        placeFailure(error, text, query.completed);
        reject(new StepError({ error, step: { text, values: [] }, isUndone: false }));
      });
      this.#statement = this.query(query);
    });
  }

  /** The server's number of the session; a pooler's means nothing to the server. */
  get processId(): number | null {
    return (this as KeyData & this).processID;
  }

  /** Stands for the statement that has been sent and is not answered, if there is one. */
  get running(): object | undefined {
    return this.#statement?.isAnswered === false ? this.#statement : undefined;
  }

  /** How much the server has sent so far. */
  get bytesRead(): number {
    const { stream } = this.connection;
    return stream instanceof Socket ? stream.bytesRead : 0;
  }

  /** Whether the server's answer has to wait for room. */
  get isHeldBack(): boolean {
    return this.#longRows?.isWaiting === true;
  }

  /** Has the server send a sign of life. */
  ping(): void {
    this.run([{ text: "", values: [] }], () => undefined); // who fails is noticed by its loss
  }

  /**
   * Has the server cancel what runs now, which then fails like any statement. Until `cancelled` resolves, nothing else
   * may be sent: it would be cancelled, too. A connection whose server does not take the request in time is destroyed.
   * @param reason what the caller is told
   */
  cancel(milliseconds: number, reason?: EngineError): Promise<void> {
    this.#cancelReason = reason;
    this.#cancelling ??= this.#cancel(milliseconds).finally(() => {
      this.#cancelling = undefined;
    });
    return this.#cancelling;
  }

  /** Resolves when no cancel request is under way; absent: none is. */
  get cancelled(): Promise<void> | undefined {
    return this.#cancelling;
  }

  async #cancel(milliseconds: number): Promise<void> {
    const { host, port, processID, secretKey } = this as KeyData & this;
    if (processID === null || secretKey === null)
      return this.destroy(new Error("the server gave no key to cancel with"));
    const target = { host, port, tls: this.#tls, processId: processID, secretKey };
    await requestCancel(target, milliseconds).catch((error: Error) => this.destroy(error));
  }

  /** Takes leave of the server, but does not wait for it longer than this. */
  async leave(milliseconds: number): Promise<void> {
    const timer = setTimeout(() => this.destroy(new Error("the server did not close the connection")), milliseconds);
    await this.end().catch(() => undefined); // it has ended, one way or another
    clearTimeout(timer);
  }

  /** Ends the connection without a word to the server, which may not hear it; what runs fails with this error. */
  destroy(error: Error): void {
    this.#lost = true;
    this.connection.stream.destroy(error);
  }

  /** Sends the text of one statement; the server refuses several. @throws StepError */
  runStatement(text: string): Promise<RunSqlResult & { readonly tag: string }> {
    return new Promise((resolve, reject) => {
      const query = new SingleStatement(text, (error, result) => {
        if (error === undefined) resolve({ ...result, tag: query.tag });
        else reject(new StepError({ error, step: { text, values: [] }, isUndone: false }));
      });
      this.#statement = this.query(query);
    });
  }

  /** The product's error for a failure on this connection. */
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

  /** Has the statement prepared anew when it is used next. */
  forget(name: string): void {
    this.#names.forget(name);
  }

  /** Gives the session back as it was after connecting: settings, role, temporary tables, prepared statements. */
  async discardSession(): Promise<void> {
    await this.runText("DISCARD ALL");
    this.#names.clear();
  }
}

/** Errors after which the server closes the connection: shutdown, crash, termination, idle time-outs. */
const closingStates = new Set(["57P01", "57P02", "57P03", "57P05", "25P03", "25P04"]);

function endsConnection(error: DatabaseError): boolean {
  // `severity` is in the server's language; the states cover what it does not say in English
  return error.severity === "FATAL" || error.severity === "PANIC" || closingStates.has(error.code ?? "");
}
