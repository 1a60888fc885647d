/** The results of a subscription: its query → a sink that takes them. */
import type { Subscription, SubscriptionSink } from "../http/services.ts";

/**
 * Delivers one result and completes.
 * @param run answers the JSON text of `data`'s value
 * @throws EngineError when the query fails
 */
export async function deliverOnce(run: () => Promise<string>, sink: SubscriptionSink): Promise<Subscription> {
  sink.next(await run());
  sink.complete();
  return { stop: () => {} };
}
