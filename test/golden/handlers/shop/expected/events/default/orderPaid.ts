// Yours: `engine handlers` keeps types and imports of the function up to date, and nothing else.
import type { OrderPaidPayload } from "../../generated.js";

/** Is called for event trigger orderPaid. */
export async function orderPaid(_payload: OrderPaidPayload): Promise<void> {
  throw new Error("orderPaid is not written yet");
}
