/** A clock that tests advance by hand, a source whose responses they define, and sinks that record. */

import type {
  DatabaseSource,
  PreparedStatement,
  SqlValue,
  TextRow,
} from "../../../../runtime/databases/sources/source.ts";
import type { LiveQueries } from "../../../../runtime/execute/subscribe/live-queries.ts";
import type { LiveQuery, LiveStatement } from "../../../../runtime/execute/subscribe/live-query.ts";
import type { Clock } from "../../../../runtime/execute/subscribe/schedule.ts";
import type { SubscriptionSink } from "../../../../runtime/ports/graphql.ts";
import type { JoinedBytes } from "../../../../runtime/values/joined-bytes.ts";

export class ManualClock implements Clock {
  #now = 0;
  #calls: { readonly at: number; readonly call: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, call: () => void): () => void {
    const entry = { at: this.#now + milliseconds, call };
    this.#calls.push(entry);
    return () => {
      this.#calls = this.#calls.filter((each) => each !== entry);
    };
  }

  /** Number of scheduled calls. */
  get waiting(): number {
    return this.#calls.length;
  }

  /** Advances the clock, and waits for all work that this starts. */
  async pass(milliseconds: number): Promise<void> {
    this.#now += milliseconds;
    const due = this.#calls.filter(({ at }) => at <= this.#now);
    this.#calls = this.#calls.filter(({ at }) => at > this.#now);
    for (const { call } of due) call();
    await settled();
  }
}

/** Resolves after all pending work that needs no clock and no network. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** The variable sets of a statement. */
export type VariableSets = readonly (readonly SqlValue[])[];

/**
 * A source with a single query: `answer` returns the row of a variable set, or throws. The query may run as a batch.
 */
export class ScriptedSource {
  readonly statements: VariableSets[] = [];
  answer: (set: readonly SqlValue[]) => TextRow;
  /** Statements that start from now on wait for this promise. */
  gate: Promise<void> = Promise.resolve();

  constructor(answer: (set: readonly SqlValue[]) => TextRow) {
    this.answer = answer;
  }

  readonly source = {
    name: "scripted",
    query: (statement: PreparedStatement, values: readonly SqlValue[]) => this.#query(statement, values),
    executeAlone: (_options: unknown, statement: PreparedStatement, values: readonly SqlValue[]) =>
      this.#query(statement, values),
  } as unknown as DatabaseSource & { watch?: DatabaseSource["watch"] };

  async #query({ text }: PreparedStatement, values: readonly SqlValue[]): Promise<readonly TextRow[]> {
    const sets: VariableSets = text === "many" ? (JSON.parse(values[0] ?? "") as VariableSets) : [values];
    this.statements.push(sets);
    const { answer, gate } = this;
    // Like a database statement, the read sees the state at its start.
    const read = (): readonly TextRow[] => sets.map((set) => answer(set));
    const seen = settle(read);
    await gate;
    const rows = seen();
    return text === "many" ? rows.map((row, i) => [String(i + 1), ...row]) : rows;
  }

  /** Delays the end of later statements until the returned function is called. */
  hold(): () => void {
    let open = (): void => {};
    this.gate = new Promise((resolve) => {
      open = resolve;
    });
    return () => {
      this.gate = Promise.resolve();
      open();
    };
  }

  /** Removes and returns the queries received so far. */
  take(): readonly VariableSets[] {
    return this.statements.splice(0);
  }

  query(values: readonly SqlValue[], more: Partial<LiveStatement> = {}): LiveQuery {
    return {
      statement: {
        kind: "live",
        name: null,
        source: this.source,
        key: "query",
        role: "user",
        single: { text: "one" },
        multiplexed: { text: "many" },
        multiplexedValues: (sets) => [JSON.stringify(sets)],
        encode: ([text]) => `{"a":${text}}`,
        ...more,
      },
      values,
    };
  }
}

/** Runs a function now, and returns a function with its result or error. */
function settle<T>(work: () => T): () => T {
  try {
    const value = work();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

export class RecordingSink implements SubscriptionSink {
  readonly records: unknown[] = [];
  busy = false;

  next(data: string | JoinedBytes): void {
    this.records.push(data.toString());
  }

  error(error: unknown): void {
    this.records.push(error);
  }

  complete(): void {
    this.records.push("complete");
  }

  isBusy(): boolean {
    return this.busy;
  }

  /** Removes and returns the records so far. */
  take(): readonly unknown[] {
    return this.records.splice(0);
  }
}

/** Polls every second with batches of three variable sets. */
export const settings = {
  refetchMilliseconds: 1000,
  batchSize: 3,
  skipEmpty: false,
  watchedSources: new Set<string>(),
};

/**
 * Starts a subscription and waits for its first result.
 * @param replan returns the query after a metadata change; by default, the same query
 */
export async function subscribed(live: LiveQueries, query: LiveQuery, replan: () => LiveQuery = () => query) {
  const sink = new RecordingSink();
  const { stop } = await live.subscribe({ query, replan }, sink);
  await settled();
  return { sink, stop };
}
