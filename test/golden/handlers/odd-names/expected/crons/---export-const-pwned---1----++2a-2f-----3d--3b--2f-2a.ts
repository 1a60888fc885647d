// Yours: `engine handlers` keeps types and imports of the function up to date, and nothing else.
import type { ExportConstPwned1Payload } from "../generated.js";

/** Is called for cron trigger *\/ export const pwned = 1; /*. */
export async function exportConstPwned1(_payload: ExportConstPwned1Payload): Promise<void> {
  throw new Error("*/ export const pwned = 1; /* is not written yet");
}
