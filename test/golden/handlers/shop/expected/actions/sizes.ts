// Yours: `engine handlers` keeps types and imports of the function up to date, and nothing else.
import type { Size, SizesPayload } from "../generated.js";

/** Answers action sizes. */
export async function sizes(_payload: SizesPayload): Promise<readonly Size[] | null> {
  throw new Error("sizes is not written yet");
}
