// Yours: `engine handlers` keeps types and imports of the function up to date, and nothing else.
import type { EveryTypePayload } from "../../generated.js";

/** Is called for event trigger every_type. */
export async function everyType(_payload: EveryTypePayload): Promise<void> {
  throw new Error("every_type is not written yet");
}
