// Yours: `engine handlers` keeps types and imports of the function up to date, and nothing else.
import type { _2OClockPayload } from "../generated.js";

/** Is called for cron trigger 2 o'clock. */
export async function _2OClock(_payload: _2OClockPayload): Promise<void> {
  throw new Error("2 o'clock is not written yet");
}
