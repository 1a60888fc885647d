// Yours: `engine handlers` keeps types and imports of the function up to date, and nothing else.
import type { ÜberNachtPayload } from "../generated.js";

/** Is called for cron trigger über nacht. */
export async function überNacht(_payload: ÜberNachtPayload): Promise<void> {
  throw new Error("über nacht is not written yet");
}
