/** Turns failures that users can fix into values. */
import { EngineError } from "../../values/errors.ts";
import { engineProblem } from "../error-problems.ts";
import type { Problem } from "../problem.ts";

/** Returns an EngineError as a problem and rethrows any other error. */
export async function attempt<T>(
  work: () => Promise<T>,
): Promise<{ readonly value: T } | { readonly problem: Problem }> {
  try {
    return { value: await work() };
  } catch (error) {
    if (error instanceof EngineError) return { problem: engineProblem(error) };
    throw error;
  }
}
