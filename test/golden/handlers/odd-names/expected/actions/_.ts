// Yours: `engine handlers` keeps types and imports of the function up to date, and nothing else.
import type { Payload, z_2 } from "../generated.js";

/** Answers action _. */
export async function _(_payload: Payload): Promise<z_2 | null> {
  throw new Error("_ is not written yet");
}
