// Yours: `engine handlers` keeps types and imports of the function up to date, and nothing else.
import type { PlaceOrderPayload_2, string_2 } from "../generated.js";

/** Answers action PlaceOrder. */
export async function placeOrder(_payload: PlaceOrderPayload_2): Promise<string_2 | null> {
  throw new Error("PlaceOrder is not written yet");
}
