// Yours: `engine handlers` keeps types and imports of the function up to date, and nothing else.
import type { OrderPlacedPayload } from "../../generated.js";

/** Is called for event trigger order-placed. */
export async function orderPlaced(_payload: OrderPlacedPayload): Promise<void> {
  throw new Error("order-placed is not written yet");
}
