/** Describes failures of a queue's database for the log. */
import { EngineError } from "../../values/errors.ts";

/** Returns code and message, and the message of the database unless it is part of it, without statements and values. */
export function failureReason(error: unknown): unknown {
  if (!(error instanceof EngineError)) return error;
  const { code, message, cause } = error;
  const database = cause instanceof Error ? cause.message : "";
  return message.includes(database) ? { code, message } : { code, message, database };
}
