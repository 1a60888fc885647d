// Yours: `engine handlers` keeps types and imports of the function up to date, and nothing else.
import type { NightlyReportPayload } from "../generated.js";

/** Is called for cron trigger nightly report. */
export async function nightlyReport(_payload: NightlyReportPayload): Promise<void> {
  throw new Error("nightly report is not written yet");
}
