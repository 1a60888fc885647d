/** Errors that nobody foresaw: the log gets them with their stack, the client an answer that says nothing of them. */
import { EngineError } from "../../values/errors.ts";
import type { Log } from "./log.ts";

export function bugReporter(log: Log): (error: unknown, requestId: string) => EngineError {
  return (error, requestId) => {
    log.error("unhandled-internal-error", { request_id: requestId, error });
    return new EngineError("unexpected", "$", "Internal Server Error", { status: 500, cause: error });
  };
}
