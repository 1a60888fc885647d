/** A clock that tests turn by hand, a source that answers as they say, and sinks that take notes. */

import type {
  DatabaseSource,
  PreparedStatement,
  SqlValue,
  TextRow,
} from "../../../../runtime/databases/sources/source.ts";
import type { Clock } from "../../../../runtime/execute/subscribe/clock.ts";
import type { LiveQueries } from "../../../../runtime/execute/subscribe/live-queries.ts";
import type { LiveQuery, LiveStatement } from "../../../../runtime/execute/subscribe/live-query.ts";
import type { SubscriptionSink } from "../../../../runtime/ports/graphql.ts";

export class HandClock implements Clock {
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

  /** Calls that wait. */
  get waiting(): number {
    return this.#calls.length;
  }

  /** Lets time pass, and whatever it starts come to its end. */
  async pass(milliseconds: number): Promise<void> {
    this.#now += milliseconds;
    const due = this.#calls.filter(({ at }) => at <= this.#now);
    this.#calls = this.#calls.filter(({ at }) => at > this.#now);
    for (const { call } of due) call();
    await settled();
  }
}

/** Resolves when everything has happened that needs no clock and no network. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** What was asked: the sets of values of each statement. */
export type Question = readonly (readonly SqlValue[])[];

/**
 * A source that knows one query: `answer` gives the row of a set of values, or throws. The query may be asked for many
 * sets at once.
 */
export class ScriptedSource {
  readonly questions: Question[] = [];
  answer: (set: readonly SqlValue[]) => TextRow;
  /** Statements that begin now wait for it. */
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
    const sets: Question = text === "many" ? (JSON.parse(values[0] ?? "") as Question) : [values];
    this.questions.push(sets);
    const { answer, gate } = this;
    // Like a statement of a database it sees what is there when it begins.
    const read = (): readonly TextRow[] => sets.map((set) => answer(set));
    const seen = settle(read);
    await gate;
    const rows = seen();
    return text === "many" ? rows.map((row, i) => [String(i + 1), ...row]) : rows;
  }

  /** Statements that begin from now on do not end before the function that is returned is called. */
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

  /** Takes the questions that were asked so far. */
  take(): readonly Question[] {
    return this.questions.splice(0);
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
        answer: ([text]) => `{"a":${text}}`,
        ...more,
      },
      values,
    };
  }
}

/** What a function does now, to be had later. */
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

export class NotedSink implements SubscriptionSink {
  readonly notes: unknown[] = [];
  busy = false;

  next(data: string): void {
    this.notes.push(data);
  }

  error(error: unknown): void {
    this.notes.push(error);
  }

  complete(): void {
    this.notes.push("complete");
  }

  isBusy(): boolean {
    return this.busy;
  }

  /** Takes the notes so far. */
  take(): readonly unknown[] {
    return this.notes.splice(0);
  }
}

/** Polls each second, three sets of values in a statement. */
export const settings = {
  refetchMilliseconds: 1000,
  batchSize: 3,
  skipEmpty: false,
  watchedSources: new Set<string>(),
};

/** A subscription that has its first answer. @param replan what it asks after a change of the metadata; absent: the same */
export async function subscribed(live: LiveQueries, query: LiveQuery, replan: () => LiveQuery = () => query) {
  const sink = new NotedSink();
  const { stop } = await live.subscribe({ query, replan }, sink);
  await settled();
  return { sink, stop };
}
