// Yours: `engine handlers` keeps types and imports of the function up to date, and nothing else.
import type { TickPayload } from "../generated.js";

/** Is called for cron trigger tick. */
export async function tick(_payload: TickPayload): Promise<void> {
  throw new Error("tick is not written yet");
}
