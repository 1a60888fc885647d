// Yours: `engine handlers` keeps types and imports of the function up to date, and nothing else.
import type { 日本Payload } from "../generated.js";

/** Is called for cron trigger 日本. */
export async function 日本(_payload: 日本Payload): Promise<void> {
  throw new Error("日本 is not written yet");
}
