// Yours: `engine handlers` keeps types and imports of the function up to date, and nothing else.
import type { OrderChangedPayload } from "../../generated.js";

/** Is called for event trigger order_changed. */
export async function orderChanged(_payload: OrderChangedPayload): Promise<void> {
  throw new Error("order_changed is not written yet");
}
