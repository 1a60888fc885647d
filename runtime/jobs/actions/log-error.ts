/** Converts errors of the metadata database to the errors of asynchronous actions. */

import { EngineError } from "../../values/errors.ts";
import { messageOf } from "../../values/message-of.ts";
import type { AutomationDatabase } from "../delivery/database.ts";

/** SQLSTATE class 22: the database cannot store a value, such as text with a NUL character. */
const dataException = "data-exception";

export const isRefusal = (error: unknown): error is EngineError =>
  error instanceof EngineError && error.code === dataException;

/** Wraps a database so that its statements reject with `EngineError`. */
export function withEngineErrors(database: AutomationDatabase): AutomationDatabase {
  return {
    time: () => database.time(),
    async query(text, values) {
      try {
        return await database.query(text, values);
      } catch (error) {
        throw error instanceof EngineError ? error : logError(error);
      }
    },
  };
}

function logError(error: unknown): EngineError {
  const message = messageOf(error);
  const state = error instanceof Error && "code" in error ? String(error.code) : "";
  if (/^22\w{3}$/.test(state)) return new EngineError(dataException, "$", message);
  return new EngineError("unexpected", "$", "the log of asynchronous actions is unreachable", {
    status: 500,
    internal: message,
    cause: error,
  });
}
