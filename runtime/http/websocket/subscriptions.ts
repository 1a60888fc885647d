/** The subscriptions that run on one connection, by the id that the client gave them. */
import type { PreparedOperation, Subscription, SubscriptionSink } from "../../ports/graphql.ts";

interface Running {
  /** `null` until the first result is there. */
  subscription: Subscription | null;
  /** Called when the client, or the end of the connection, stops it. */
  readonly onStop: () => void;
}

export class Subscriptions {
  readonly #running = new Map<string, Running>();

  has(id: string): boolean {
    return this.#running.has(id);
  }

  /**
   * Starts a subscription; what it delivers after its end does not reach the sink. A subscription that is stopped before
   * its first result ends without an error: its statement is cancelled, which is no answer to the client.
   * @throws EngineError when there is no first result
   */
  async start(
    id: string,
    operation: Extract<PreparedOperation, { kind: "subscription" }>,
    sink: SubscriptionSink,
    onStop: () => void,
  ): Promise<void> {
    const running: Running = { subscription: null, onStop };
    this.#running.set(id, running);
    const isRunning = (): boolean => this.#running.get(id) === running;
    const end = (): boolean => isRunning() && this.#running.delete(id);
    try {
      const subscription = await operation.subscribe({
        next: (data) => {
          if (isRunning()) sink.next(data);
        },
        error: (error) => {
          if (isRunning()) sink.error(error);
        },
        complete: () => {
          if (end()) sink.complete();
        },
        isBusy: () => sink.isBusy(),
        get aborted() {
          return !isRunning() || sink.aborted === true;
        },
      });
      // It may have been stopped, or have completed, in the meantime.
      if (isRunning()) running.subscription = subscription;
      else subscription.stop();
    } catch (error) {
      if (end()) throw error;
    }
  }

  /** Ids that nothing runs under are no mistake: a subscription may complete while the client stops it. */
  stop(id: string): void {
    const running = this.#running.get(id);
    if (!running) return;
    this.#running.delete(id);
    running.subscription?.stop();
    running.onStop();
  }

  stopAll(): void {
    for (const id of [...this.#running.keys()]) this.stop(id);
  }
}
