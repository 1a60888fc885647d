// Yours: `engine handlers` keeps types and imports of the function up to date, and nothing else.
import type { KeepPromisePayload, Promise_2 } from "../generated.js";

/** Answers action keepPromise. */
export async function keepPromise(_payload: KeepPromisePayload): Promise<Promise_2 | null> {
  throw new Error("keepPromise is not written yet");
}
