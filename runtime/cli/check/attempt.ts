/** Turns failures that users can fix into values. */
import { errorLine } from "../../server/parts/failure.ts";
import { EngineError } from "../../values/errors.ts";

/** Returns an EngineError as a line of text and rethrows any other error. */
export async function attempt<T>(
  work: () => Promise<T>,
): Promise<{ readonly value: T } | { readonly problem: string }> {
  try {
    return { value: await work() };
  } catch (error) {
    if (error instanceof EngineError) return { problem: errorLine(error.message) };
    throw error;
  }
}
