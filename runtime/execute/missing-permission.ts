/**
 * Why a role may not do what it asked for, for `extensions.internal` of development: which permission it lacks, or
 * which one its rows do not meet. The answer that clients rely on stays as it is.
 */
import { EngineError } from "../values/errors.ts";

/**
 * The error of planning, with what the role lacks where `admin` could do the same.
 * @param asAdmin plans the same operation for `admin`
 */
export function explainRefusal(error: unknown, role: string, asAdmin: () => unknown): unknown {
  if (!(error instanceof EngineError) || error.code !== "validation-failed" || role === "admin") return error;
  if (error.internal !== undefined || isRefusedLike(error, asAdmin)) return error;
  const { fault } = error;
  const missing = fault?.kind === "unknown_field" ? `field ${fault.field} of type ${fault.type}` : error.message;
  return error.withInternal({
    message: `role "${role}" has no permission for this, role "admin" could do it`,
    role,
    missing,
  });
}

/** The error of a write, with whose permission the rows do not meet. */
export function explainCheck(error: unknown, role: string): unknown {
  if (!(error instanceof EngineError) || error.code !== "permission-error" || error.internal !== undefined)
    return error;
  return error.withInternal({
    message: `a row does not meet the check of an insert or update permission of role "${role}"`,
    role,
    missing: `a check that holds for the row written at ${error.path}`,
  });
}

function isRefusedLike(error: EngineError, asAdmin: () => unknown): boolean {
  try {
    asAdmin();
    return false;
  } catch (other) {
    return other instanceof EngineError && other.message === error.message && other.path === error.path;
  }
}
