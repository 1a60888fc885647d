import { EngineError } from "../../values/errors.ts";

/** Nobody waits for the answer, or the server shuts down. */
export function cancelledError(): EngineError {
  return new EngineError("unexpected", "$", "the request was cancelled", { status: 499 });
}
