// Yours: `engine handlers` keeps types and imports of the function up to date, and nothing else.
import type { ConPayload } from "../generated.js";

/** Answers action con. */
export async function con(_payload: ConPayload): Promise<boolean | null> {
  throw new Error("con is not written yet");
}
