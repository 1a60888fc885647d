// Yours: `engine handlers` keeps types and imports of the function up to date, and nothing else.
import type { CountPayload } from "../generated.js";

/** Answers action count. */
export async function count(_payload: CountPayload): Promise<number> {
  throw new Error("count is not written yet");
}
