/** The results of a subscription as an async iterator for an executor. */
import type { GraphQLResolveInfo } from "graphql";
import { FieldResult } from "../../model/definitions/root-call.ts";
import type { PreparedOperation, Subscription, SubscriptionSink } from "../../ports/graphql.ts";

/** The outcome of a field: the JSON text of `data`, or an error. */
export type Outcome = { readonly data: string } | { readonly error: unknown };

type Waiter = (result: IteratorResult<FieldResult, undefined>) => void;

export interface ResultsParts {
  /**
   * Returns the value of the field.
   * @throws the error of the outcome
   */
  readonly valueOf: (outcome: Outcome, info: GraphQLResolveInfo) => unknown;
  /** Called once when the iteration has ended for any reason. */
  readonly onEnd: () => void;
}

const over = { done: true, value: undefined } as const;

export class Results implements AsyncIterableIterator<FieldResult, undefined> {
  readonly #waiting: FieldResult[] = [];
  readonly #readers: Waiter[] = [];
  readonly #parts: ResultsParts;
  #subscription: Subscription | undefined;
  #isOver = false;

  constructor(parts: ResultsParts) {
    this.#parts = parts;
  }

  /**
   * Starts the subscription.
   * @throws EngineError if there is no first result
   */
  async start({ subscribe }: Extract<PreparedOperation, { kind: "subscription" }>): Promise<void> {
    try {
      this.#subscription = await subscribe(this.#sink());
    } catch (error) {
      this.end();
      throw error;
    }
    if (this.#isOver) this.#subscription.stop();
  }

  /** Ends the iteration after the waiting results and the error, if any. */
  end(error?: unknown): void {
    if (this.#isOver) return;
    if (error !== undefined) this.#add({ error });
    this.#isOver = true;
    this.#subscription?.stop();
    for (const read of this.#readers.splice(0)) read(over);
    this.#parts.onEnd();
  }

  next(): Promise<IteratorResult<FieldResult, undefined>> {
    const value = this.#waiting.shift();
    if (value) return Promise.resolve({ done: false, value });
    if (this.#isOver) return Promise.resolve(over);
    return new Promise((resolve) => this.#readers.push(resolve));
  }

  async return(): Promise<IteratorResult<FieldResult, undefined>> {
    this.#waiting.length = 0;
    this.end();
    return over;
  }

  async throw(error: unknown): Promise<IteratorResult<FieldResult, undefined>> {
    await this.return();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #add(outcome: Outcome): void {
    if (this.#isOver) return;
    const result = new FieldResult((info) => this.#parts.valueOf(outcome, info));
    const read = this.#readers.shift();
    if (read) read({ done: false, value: result });
    else this.#waiting.push(result);
  }

  #sink(): SubscriptionSink {
    const isOver = (): boolean => this.#isOver;
    return {
      // Other executors accept either a value or an error for a field, not both.
      next: (data, errors) => this.#add(errors?.[0] ? { error: errors[0] } : { data: data.toString() }),
      error: (error) => this.#add({ error }),
      complete: () => this.end(),
      // A slow reader gets only the newest result.
      isBusy: () => this.#waiting.length > 0,
      get aborted() {
        return isOver();
      },
    };
  }
}
