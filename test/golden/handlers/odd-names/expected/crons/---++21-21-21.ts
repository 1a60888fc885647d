// Yours: `engine handlers` keeps types and imports of the function up to date, and nothing else.
import type { Payload_2 } from "../generated.js";

/** Is called for cron trigger !!!. */
export async function _(_payload: Payload_2): Promise<void> {
  throw new Error("!!! is not written yet");
}
