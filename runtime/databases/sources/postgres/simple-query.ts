/**
 * Runs text with any number of statements by the simple query protocol. Keeps only the result of the last statement, as
 * text.
 */
import type { Connection, Submittable } from "pg";
import type { RunSqlResult, TextRow } from "../source.ts";
import { type CopyConnection, refuseCopy } from "./extended-query.ts";

export type SimpleCallback = (error: Error | undefined, result: RunSqlResult) => void;

const commandOk: RunSqlResult = { result_type: "CommandOk", result: null };

export class SimpleQuery implements Submittable {
  protected readonly text: string;
  readonly #done: SimpleCallback;
  /** Header and rows of the current statement; `undefined` while it has no result set. */
  #table: string[][] | undefined;
  #result = commandOk;
  #isComplete = false;
  #tag = "";
  #completed = 0;

  constructor(text: string, done: SimpleCallback) {
    this.text = text;
    this.#done = done;
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  submit(connection: Connection): null {
    connection.query(this.text);
    return null;
  }

  handleRowDescription(message: { readonly fields: readonly { readonly name: string }[] }): void {
    this.#table = [message.fields.map((field) => field.name)];
  }

  handleDataRow(message: { readonly fields: TextRow }): void {
    this.#table?.push(message.fields.map((value) => value ?? "NULL"));
  }

  /** Command tag of the last completed statement. */
  get tag(): string {
    return this.#tag;
  }

  /** Number of completed statements. */
  get completed(): number {
    return this.#completed;
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#tag = text;
    this.#completed++;
    this.#result = this.#table === undefined ? commandOk : { result_type: "TuplesOk", result: this.#table };
    this.#table = undefined;
  }

  handleEmptyQuery(): void {}

  handleCopyInResponse(connection: CopyConnection): void {
    refuseCopy(connection);
  }

  /** Ignores rows of `COPY … TO STDOUT`, which are not a result set. */
  handleCopyData(): void {}

  handlePortalSuspended(): void {}

  handleError(error: Error): void {
    this.#isComplete = true;
    this.#done(error, commandOk);
  }

  handleReadyForQuery(): void {
    this.#isComplete = true;
    this.#done(undefined, this.#result);
  }
}

/** Runs one statement by the extended protocol, which rejects a second one. */
export class SingleStatement extends SimpleQuery {
  override submit(connection: Connection): null {
    const { stream } = connection;
    stream.cork();
    connection.parse({ name: "", text: this.text, types: [] }, true);
    connection.bind({ statement: "", values: [] }, true);
    connection.describe({ type: "P", name: "" }, true);
    connection.execute(null, true);
    connection.sync();
    stream.uncork();
    return null;
  }

  override handleCopyInResponse(connection: CopyConnection): void {
    super.handleCopyInResponse(connection);
    // the server has read the first Sync as part of the copy data
    connection.sync();
  }
}
