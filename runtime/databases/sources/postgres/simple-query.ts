/**
 * Text with any number of statements, sent by the simple query protocol; keeps the result of the last one only, as
 * text (`metadata-api.md` 4.2).
 */
import type { Connection, Submittable } from "pg";
import type { RunSqlResult, TextRow } from "../source.ts";
import { type CopyConnection, refuseCopy } from "./extended-query.ts";

export type SimpleCallback = (error: Error | undefined, result: RunSqlResult) => void;

const commandOk: RunSqlResult = { result_type: "CommandOk", result: null };

export class SimpleQuery implements Submittable {
  protected readonly text: string;
  readonly #done: SimpleCallback;
  /** Header and rows of the statement that is being answered; absent while it has none. */
  #table: string[][] | undefined;
  #result = commandOk;
  #isAnswered = false;
  #tag = "";
  #completed = 0;

  constructor(text: string, done: SimpleCallback) {
    this.text = text;
    this.#done = done;
  }

  get isAnswered(): boolean {
    return this.#isAnswered;
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

  /** What the server calls the command that it completed last. */
  get tag(): string {
    return this.#tag;
  }

  /** How many statements have ended well. */
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

  /** Rows of `COPY … TO STDOUT` are no result set. */
  handleCopyData(): void {}

  handlePortalSuspended(): void {}

  handleError(error: Error): void {
    this.#isAnswered = true;
    this.#done(error, commandOk);
  }

  handleReadyForQuery(): void {
    this.#isAnswered = true;
    this.#done(undefined, this.#result);
  }
}

/** One statement by the extended protocol, in which the server takes no second one. */
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
    // the server has taken the first Sync for a part of the copy
    connection.sync();
  }
}
