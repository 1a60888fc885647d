/** Which failures leave nothing behind, so that what failed may be sent once more. */
import { EngineError } from "../../../values/errors.ts";
import type { PreparedStatement } from "../source.ts";
import { firstError, isUndone } from "./translate-error.ts";

/** What the driver and the socket below it say when a connection that was open is gone. */
const lost: ReadonlySet<string> = new Set(["ECLOSE", "ECONNCLOSED", "ECONNRESET", "EPIPE", "ESOCKET", "ETIMEDOUT"]);

/** The connection is gone, and with it the transaction, unless that was being committed. */
function isLost(error: unknown): boolean {
  const { name, code = "" } = firstError(error);
  // A server that cannot be reached would not be reached by the next attempt, either.
  return name !== "ConnectionError" && lost.has(code);
}

/** SQL Server's functions write nothing, procedures may: without EXECUTE a read does nothing else. */
export function onlyReads({ text, onlyReads: isKnown }: PreparedStatement): boolean {
  return isKnown === true || !/\bexec/i.test(text);
}

/**
 * Runs an attempt, and another when the first failed so that nothing of it stays.
 * @param mayLoseConnection nothing stays of what ran on a connection that is lost, either
 */
export async function twice<T>(attempt: () => Promise<T>, mayLoseConnection: () => boolean): Promise<T> {
  try {
    return await attempt();
  } catch (thrown) {
    const failure = thrown instanceof EngineError ? thrown.cause : thrown;
    if (failure === undefined) throw thrown;
    if (!isUndone(failure) && !(isLost(failure) && mayLoseConnection())) throw thrown;
    return attempt();
  }
}
