/**
 * A batch of statements sent to the server in one write and answered as text, unparsed: Parse (unless already
 * prepared), Bind and Execute for each, then one Sync. No row descriptions are asked for. The driver's own query object
 * describes, parses and wraps every result; skipping that gives about a third more statements per second.
 */
import { type Connection, DatabaseError, type Submittable } from "pg";
import type { SqlValue, TextRow } from "../source.ts";
import type { StatementNames } from "./statement-names.ts";

/** One statement of a batch. */
export interface Step {
  readonly text: string;
  readonly values: readonly SqlValue[];
  /** The name to prepare it by; absent: sent as an unnamed statement. */
  readonly name?: string;
  /** Its rows are of no interest. */
  readonly silent?: true;
}

/** What went wrong, and at which step of the batch. */
export interface StepFailure {
  readonly error: Error;
  readonly step: Step;
  /** The step was not sent, or the server reported the error before it was complete: nothing of it took effect. */
  readonly isUndone: boolean;
}

/** Gets the rows of each completed step that is not silent, in order; with a failure, of those before it. */
export type StepCallback = (failure: StepFailure | undefined, results: readonly (readonly TextRow[])[]) => void;

/** The protocol counts parameters in 16 bits. */
const maxParameters = 65_535;

/** Why values cannot be sent; absent: they can. */
export function mistakeIn({ values }: Pick<Step, "values">): Error | undefined {
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
  #isAnswered = false;
  /** The step that was found to be wrong before anything was sent. */
  #failed: Step | undefined;
  /** Prepared by this batch; after an error nobody knows how far the server got. */
  readonly #parsedNames: string[] = [];

  constructor(steps: readonly Step[], names: StatementNames, done: StepCallback) {
    this.#steps = steps;
    this.#names = names;
    this.#done = done;
  }

  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  /** Those that are sent together with this one, each with a Sync of its own; they are submitted once it is answered. */
  #together: readonly ExtendedQuery[] = [];

  #isTogether = false;

  sendTogetherWith(others: readonly ExtendedQuery[]): void {
    this.#together = others;
    this.#isTogether = true;
    for (const other of others) other.#isTogether = true;
  }

  /** Called by the driver; an error that is returned is reported through `handleError`. */
  submit(connection: Connection): Error | null {
    if (this.#isSent) return null;
    // checked before anything is sent: half a batch would leave the protocol out of step
    const mistake = this.#mistake();
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

  #mistake(): Error | undefined {
    for (const step of this.#steps) {
      const mistake = mistakeIn(step);
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

  handleDataRow(message: { readonly fields: TextRow }): void {
    if (!this.#steps[this.#completed]?.silent) this.#rows.push(message.fields);
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
      // It would take what follows for parts of the copy, and answers would go to the wrong statement.
      connection.stream.destroy(new Error(copyRefusal));
      return;
    }
    refuseCopy(connection);
    // the server has taken the first Sync for a part of the copy
    connection.sync();
  }

  handleCopyData(): void {}

  handleRowDescription(): void {}

  handlePortalSuspended(): void {}

  handleError(error: Error): void {
    this.#isAnswered = true;
    for (const name of this.#parsedNames) this.#names.forget(name);
    const step = this.#failed ?? (this.#steps[Math.min(this.#completed, this.#steps.length - 1)] as Step);
    const isUndone = !this.#isSent || (error instanceof DatabaseError && this.#completed < this.#steps.length);
    this.#answer({ error, step, isUndone });
  }

  handleReadyForQuery(): void {
    this.#isAnswered = true;
    this.#answer(undefined);
  }

  /** An idle connection keeps its last query for long, but not what was answered, nor who was told. */
  #answer(failure: StepFailure | undefined): void {
    const [done, results] = [this.#done, this.#results];
    this.#done = nobody;
    this.#results = [];
    this.#together = [];
    done(failure, results);
  }
}

const nobody: StepCallback = () => undefined;

/** What the driver's connection has beyond its published types. */
export type CopyConnection = Connection & { sendCopyFail(reason: string): void };

const copyRefusal = "COPY FROM STDIN is not available here";

export function refuseCopy(connection: CopyConnection): void {
  connection.sendCopyFail(copyRefusal);
}
