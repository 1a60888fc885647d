/** Reports unexpected exceptions: the log gets the stack, and the client a generic error. */
import { EngineError } from "../../values/errors.ts";
import type { Log } from "./log.ts";

export function bugReporter(log: Log): (error: unknown, requestId: string) => EngineError {
  return (error, requestId) => {
    log.error("unhandled-internal-error", { request_id: requestId, error });
    return new EngineError("unexpected", "$", "Internal Server Error", { status: 500, cause: error });
  };
}
