import { EngineError } from "../../values/errors.ts";

/** Returns the error of a statement whose caller disconnected or that a shutdown cancelled. */
export function cancelledError(): EngineError {
  return new EngineError("unexpected", "$", "the request was cancelled", { status: 499 });
}
