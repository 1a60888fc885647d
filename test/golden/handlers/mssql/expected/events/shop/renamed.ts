// Yours: `engine handlers` keeps types and imports of the function up to date, and nothing else.
import type { RenamedPayload } from "../../generated.js";

/** Is called for event trigger renamed. */
export async function renamed(_payload: RenamedPayload): Promise<void> {
  throw new Error("renamed is not written yet");
}
