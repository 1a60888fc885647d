// Yours: `engine handlers` keeps types and imports of the function up to date, and nothing else.
import type { AwaitPayload_2 } from "../generated.js";

/** Is called for cron trigger await. */
export async function await_(_payload: AwaitPayload_2): Promise<void> {
  throw new Error("await is not written yet");
}
