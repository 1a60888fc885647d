/** Errors of the metadata database, as those who ask for calls of actions and who make them are told. */

import { EngineError } from "../../values/errors.ts";
import type { AutomationDatabase } from "../delivery/database.ts";

/** Class 22 of SQL: the database cannot hold a value, such as a text with the character NUL. */
const dataException = "data-exception";

export const isRefusal = (error: unknown): error is EngineError =>
  error instanceof EngineError && error.code === dataException;

/** The same database, whose statements reject with an `EngineError`. */
export function throughDatabaseErrors(database: AutomationDatabase): AutomationDatabase {
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
  const message = error instanceof Error ? error.message : String(error);
  const state = error instanceof Error && "code" in error ? String(error.code) : "";
  if (/^22\w{3}$/.test(state)) return new EngineError(dataException, "$", message);
  return new EngineError("unexpected", "$", "the log of asynchronous actions cannot be reached", {
    status: 500,
    internal: message,
    cause: error,
  });
}
