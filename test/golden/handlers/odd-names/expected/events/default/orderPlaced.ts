// Yours: `engine handlers` keeps types and imports of the function up to date, and nothing else.
import type { OrderPlacedPayload_2 } from "../../generated.js";

/** Is called for event trigger orderPlaced. */
export async function orderPlaced(_payload: OrderPlacedPayload_2): Promise<void> {
  throw new Error("orderPlaced is not written yet");
}
