/** Distinguishes an unreachable metadata database from errors of statements and bugs. */
import { DatabaseError } from "pg";
import { EngineError } from "../../values/errors.ts";
import { driverText } from "../sources/postgres/translate-database-error.ts";

/** SQLSTATEs of a server that is starting, shutting down or out of connections. */
const refusals = new Set(["57P01", "57P02", "57P03", "57P05", "53300"]);

/**
 * Returns an EngineError with the driver's message as `internal` if the database is unreachable. Other errors are
 * returned unchanged.
 */
export function asUnreachable(error: unknown): unknown {
  if (!isUnreachable(error)) return error;
  const details = { status: 500, internal: driverText(error), cause: error };
  return new EngineError("postgres-error", "$", "the metadata database cannot be reached", details);
}

/**
 * Returns true for connection errors. The driver has no class for them: they are all errors that are neither from the
 * server nor from a bug.
 */
function isUnreachable(error: unknown): error is Error {
  if (!(error instanceof Error) || error instanceof EngineError) return false;
  if (error instanceof DatabaseError) return refusals.has(error.code ?? "");
  return !(error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError);
}
