/** A subscription → the events of an answer that goes on. */
import type { PreparedOperation } from "../../ports/graphql.ts";
import type { EventChannel, Events } from "../../ports/request.ts";
import type { EngineError } from "../../values/errors.ts";
import type { FailedOperation } from "../graphql-request.ts";
import { completeEvent, nextEvent, type ResultEvents } from "./event-text.ts";

export interface SubscriptionParts {
  readonly prepared: Extract<PreparedOperation, { kind: "subscription" }>;
  /** Those that all streams share. */
  readonly results: ResultEvents;
  /** When the session of the subscription ends; absent: never. */
  readonly expiresAt: number | undefined;
  readonly failure: (thrown: unknown) => FailedOperation;
}

export function subscriptionEvents({ prepared, results, expiresAt, failure }: SubscriptionParts): Events {
  let last: EngineError | null = null;
  const start = async (channel: EventChannel): Promise<void> => {
    const fail = (thrown: unknown): void => {
      if (channel.isEnded) return;
      const { error, body } = failure(thrown);
      last = error;
      channel.send(nextEvent(body));
    };
    const complete = (): void => {
      channel.send(completeEvent);
      channel.end();
    };
    try {
      const subscription = await prepared.subscribe({
        next: (data) => channel.send(results.of(data)),
        error: fail,
        complete,
        isBusy: () => channel.isBusy(),
        get aborted() {
          return channel.isEnded;
        },
      });
      void channel.ended.then(() => subscription.stop());
    } catch (thrown) {
      fail(thrown);
      complete();
    }
  };
  return {
    expiresAt,
    start,
    get error() {
      return last;
    },
  };
}
