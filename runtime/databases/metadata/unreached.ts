/** Tells a metadata database that cannot be reached from what it says of a statement, and from mistakes of ours. */
import { DatabaseError } from "pg";
import { EngineError } from "../../values/errors.ts";
import { driverText } from "../sources/postgres/translate-database-error.ts";

/** The server shuts down, starts, or takes no more connections. */
const refusals = new Set(["57P01", "57P02", "57P03", "57P05", "53300"]);

/** @returns an EngineError with the driver's words as `internal`; every other error as it is */
export function unreachedOr(error: unknown): unknown {
  if (!isUnreached(error)) return error;
  const details = { status: 500, internal: driverText(error), cause: error };
  return new EngineError("postgres-error", "$", "the metadata database cannot be reached", details);
}

/** The driver has no class of its own for connections: what is neither the server's word nor ours is theirs. */
function isUnreached(error: unknown): error is Error {
  if (!(error instanceof Error) || error instanceof EngineError) return false;
  if (error instanceof DatabaseError) return refusals.has(error.code ?? "");
  return !(error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError);
}
