/** Work that may fail for reasons that a user can mend. */
import { EngineError } from "../../values/errors.ts";

/** The reason as a line; bugs stay bugs. */
export async function attempt<T>(
  work: () => Promise<T>,
): Promise<{ readonly value: T } | { readonly problem: string }> {
  try {
    return { value: await work() };
  } catch (error) {
    if (error instanceof EngineError) return { problem: `${error.code}: ${error.message}` };
    throw error;
  }
}
