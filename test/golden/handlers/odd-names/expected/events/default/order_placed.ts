// Yours: `engine handlers` keeps types and imports of the function up to date, and nothing else.
import type { OrderPlacedPayload_3 } from "../../generated.js";

/** Is called for event trigger order_placed. */
export async function orderPlaced(_payload: OrderPlacedPayload_3): Promise<void> {
  throw new Error("order_placed is not written yet");
}
