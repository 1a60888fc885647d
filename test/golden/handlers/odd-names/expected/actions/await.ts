// Yours: `engine handlers` keeps types and imports of the function up to date, and nothing else.
import type { AwaitPayload, Promise_2 } from "../generated.js";

/** Answers action await. */
export async function await_(
  _payload: AwaitPayload,
): Promise<readonly (readonly (Promise_2 | null)[])[] | null> {
  throw new Error("await is not written yet");
}
