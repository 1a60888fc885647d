/** The results of a subscription, for an executor to take one after the other. */
import type { GraphQLResolveInfo } from "graphql";
import { FieldResult } from "../../model/definitions/root-call.ts";
import type { PreparedOperation, Subscription, SubscriptionSink } from "../../ports/graphql.ts";

/** What came of a field: the JSON text of `data`'s value, or why there is none. */
export type Outcome = { readonly data: string } | { readonly error: unknown };

type Waiter = (result: IteratorResult<FieldResult, undefined>) => void;

export interface ResultsParts {
  /** The value of the field. @throws where there is none */
  readonly valueOf: (outcome: Outcome, info: GraphQLResolveInfo) => unknown;
  /** Called once: it ended by itself, because its reader left, or because it was ended. */
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
   * Lets the results come.
   * @throws EngineError when there is no first one
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

  /** Nothing comes from now on but what waits to be read, and at last this error. */
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
      next: (data) => this.#add({ data }),
      error: (error) => this.#add({ error }),
      complete: () => this.end(),
      // A reader who is slow gets the newest result instead of all.
      isBusy: () => this.#waiting.length > 0,
      get aborted() {
        return isOver();
      },
    };
  }
}
