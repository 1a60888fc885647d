// Yours: `engine handlers` keeps types and imports of the function up to date, and nothing else.
import type { DeletePayload } from "../../generated.js";

/** Is called for event trigger delete. */
export async function delete_(_payload: DeletePayload): Promise<void> {
  throw new Error("delete is not written yet");
}
