/**
 * A batch of statements sent in one write, with results as unparsed text: Parse (unless prepared), Bind and Execute for
 * each, then one Sync. No row descriptions are requested. The driver's own query object describes, parses and wraps
 * every result; without that, throughput is about a third higher.
 */
import { type Connection, DatabaseError, type Submittable } from "pg";
import { textAsByteRow } from "../byte-reads.ts";
import type { ByteRow, SqlValue, TextRow } from "../source.ts";
import type { StatementNames } from "./statement-names.ts";

/** One statement of a batch. */
export interface Step {
  readonly text: string;
  readonly values: readonly SqlValue[];
  /** Name of the prepared statement; absent for an unnamed statement. */
  readonly name?: string;
  /** Discards the rows of the statement. */
  readonly silent?: true;
  /** Receives each row as bytes, which are not among the results. A row of a failed attempt precedes those of its retry. */
  readonly takeRow?: (row: ByteRow) => void;
}

/** A row from the driver, or from `RowReader`. */
type ReceivedRow = { readonly fields: TextRow } | { readonly bytes: ByteRow };

/** A failure and its step in the batch. */
export interface StepFailure {
  readonly error: Error;
  readonly step: Step;
  /** The step had no effect: it was not sent, or the server reported the error before it completed. */
  readonly isUndone: boolean;
}

/**
 * Receives the rows of each completed step that is not silent, in order; after a failure, only the rows of the steps
 * before it.
 */
export type StepCallback = (failure: StepFailure | undefined, results: readonly (readonly TextRow[])[]) => void;

/** Maximum number of parameters, which the protocol counts in 16 bits. */
const maxParameters = 65_535;

/** Returns the reason why values cannot be sent, or `undefined` if they can. */
export function validateStep({ values }: Pick<Step, "values">): Error | undefined {
  if (values.length > maxParameters) {
    return new Error(`a statement can have at most ${maxParameters} parameters, not ${values.length}`);
  }
  for (const value of values) {
    if (typeof value !== "string" && value !== null) return new Error(`a parameter is a ${typeof value}, not text`);
  }
  return undefined;
}

export class ExtendedQuery implements Submittable {
  readonly #steps: readonly Step[];
  readonly #names: StatementNames;
  #done: StepCallback;
  #rows: TextRow[] = [];
  #results: (readonly TextRow[])[] = [];
  #completed = 0;
  #isSent = false;
  #isComplete = false;
  /** The step rejected before anything was sent. */
  #failed: Step | undefined;
  /** Names prepared by this batch. After an error, it is unknown which of them the server has prepared. */
  readonly #parsedNames: string[] = [];

  constructor(steps: readonly Step[], names: StatementNames, done: StepCallback) {
    this.#steps = steps;
    this.#names = names;
    this.#done = done;
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Queries sent in the same write, each with its own Sync. They are submitted once this query has completed. */
  #together: readonly ExtendedQuery[] = [];

  #isTogether = false;

  sendTogetherWith(others: readonly ExtendedQuery[]): void {
    this.#together = others;
    this.#isTogether = true;
    for (const other of others) other.#isTogether = true;
  }

  /** Called by the driver, which reports a returned error through `handleError`. */
  submit(connection: Connection): Error | null {
    if (this.#isSent) return null;
    // checked before anything is sent: half a batch would desynchronize the protocol
    const mistake = this.#validate();
    if (mistake !== undefined) return mistake;
    const { stream } = connection;
    stream.cork();
    this.#write(connection);
    for (const other of this.#together) other.#write(connection);
    stream.uncork();
    return null;
  }

  #write(connection: Connection): void {
    this.#isSent = true;
    for (const step of this.#steps) this.#send(connection, step);
    connection.sync();
  }

  #validate(): Error | undefined {
    for (const step of this.#steps) {
      const mistake = validateStep(step);
      if (mistake === undefined) continue;
      this.#failed = step;
      return mistake;
    }
    return undefined;
  }

  #send(connection: Connection, { text, name = "", values }: Step): void {
    if (name === "" || !this.#names.isPrepared(name, text)) {
      for (const forgotten of this.#names.takeForgotten()) connection.close({ type: "S", name: forgotten }, true);
      connection.parse({ name, text, types: [] }, true);
      if (name !== "") this.#parsedNames.push(name);
    }
    connection.bind({ statement: name, values: values as SqlValue[] }, true);
    connection.execute(null, true);
  }

  /** True if the statement was sent and the step that runs takes its rows as bytes. */
  get takesBytes(): boolean {
    return this.#isSent && this.#steps[this.#completed]?.takeRow !== undefined;
  }

  handleDataRow(row: ReceivedRow): void {
    const { silent, takeRow } = this.#steps[this.#completed] ?? {};
    if (takeRow) takeRow("bytes" in row ? row.bytes : textAsByteRow(row.fields));
    else if (!silent) this.#rows.push("bytes" in row ? decoded(row.bytes) : row.fields);
  }

  handleCommandComplete(): void {
    if (!this.#steps[this.#completed]?.silent) {
      this.#results.push(this.#rows);
      this.#rows = [];
    }
    this.#completed++;
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete();
  }

  handleCopyInResponse(connection: CopyConnection): void {
    if (this.#isTogether) {
      // The server would read the following messages as copy data, and responses would go to the wrong statement.
      connection.stream.destroy(new Error(copyRefusal));
      return;
    }
    refuseCopy(connection);
    // the server has read the first Sync as part of the copy data
    connection.sync();
  }

  handleCopyData(): void {}

  handleRowDescription(): void {}

  handlePortalSuspended(): void {}

  handleError(error: Error): void {
    this.#isComplete = true;
    for (const name of this.#parsedNames) this.#names.forget(name);
    const step = this.#failed ?? (this.#steps[Math.min(this.#completed, this.#steps.length - 1)] as Step);
    const isUndone = !this.#isSent || (error instanceof DatabaseError && this.#completed < this.#steps.length);
    this.#complete({ error, step, isUndone });
  }

  handleReadyForQuery(): void {
    this.#isComplete = true;
    this.#complete(undefined);
  }

  /** Releases the results and the callback, because an idle connection keeps its last query for a long time. */
  #complete(failure: StepFailure | undefined): void {
    const [done, results] = [this.#done, this.#results];
    this.#done = noop;
    this.#results = [];
    this.#together = [];
    done(failure, results);
  }
}

const noop: StepCallback = () => undefined;

function decoded({ values }: ByteRow): TextRow {
  return values.map((value) => value?.toString() ?? null);
}

/** Members of the driver's connection that its types omit. */
export type CopyConnection = Connection & { sendCopyFail(reason: string): void };

const copyRefusal = "COPY FROM STDIN is not available here";

export function refuseCopy(connection: CopyConnection): void {
  connection.sendCopyFail(copyRefusal);
}
