/** Classifies failures that leave no effect, after which a statement may be sent again. */
import { EngineError } from "../../../values/errors.ts";
import type { PreparedStatement } from "../source.ts";
import { firstError, isUndone } from "./translate-error.ts";

/** Error codes of the driver and the socket for a lost connection. */
const lost: ReadonlySet<string> = new Set(["ECLOSE", "ECONNCLOSED", "ECONNRESET", "EPIPE", "ESOCKET", "ETIMEDOUT"]);

/** Returns true if the connection was lost. Its transaction was rolled back, unless it was being committed. */
function isLost(error: unknown): boolean {
  const { name, code = "" } = firstError(error);
  // An unreachable server would not be reached by an immediate retry either.
  return name !== "ConnectionError" && lost.has(code);
}

/** Returns true if a statement only reads. Functions of SQL Server cannot write, but procedures can. */
export function onlyReads({ text, onlyReads: isKnown }: PreparedStatement): boolean {
  return isKnown === true || !/\bexec/i.test(text);
}

/**
 * Runs an attempt, and a second one if the first failed without any effect.
 * @param mayLoseConnection returns true if an attempt on a lost connection has no effect
 */
export async function retryOnce<T>(attempt: () => Promise<T>, mayLoseConnection: () => boolean): Promise<T> {
  try {
    return await attempt();
  } catch (thrown) {
    const failure = thrown instanceof EngineError ? thrown.cause : thrown;
    if (failure === undefined) throw thrown;
    if (!isUndone(failure) && !(isLost(failure) && mayLoseConnection())) throw thrown;
    return attempt();
  }
}
