/** Translates errors of the driver and the server to the product's codes and messages. */

import { DatabaseError } from "pg";
import { checkFailedMark } from "../../../model/dialects/postgres/writes.ts";
import type { ErrorCode } from "../../../values/error-codes.ts";
import { EngineError } from "../../../values/errors.ts";
import { messageOf } from "../../../values/message-of.ts";
import type { ErrorTable, SqlValue } from "../source.ts";

export interface DatabaseErrorContext {
  readonly table: ErrorTable | "run_sql";
  readonly statement: string;
  readonly prepared: boolean;
  readonly arguments: readonly SqlValue[];
}

/** Translates a failed statement whose connection survives. `translateConnectionError` handles lost connections. */
export function translateDatabaseError(error: Error, context: DatabaseErrorContext): EngineError {
  if (isFailedCheck(error)) {
    const message = "check constraint of an insert/update permission has failed";
    return new EngineError("permission-error", "$", message, { cause: error });
  }
  const known = error instanceof DatabaseError ? knownError(error, context.table) : undefined;
  const [code, status, message] = known ?? ["unexpected", 500, "database query error"];
  // Errors that a request can cause are described by their message, all others by the statement, for privileged
  // callers.
  const isExplained = known !== undefined && context.table !== "run_sql";
  const internal = isExplained ? undefined : internalDetail(error, context);
  return new EngineError(code, "$", message, { status, internal, cause: error });
}

/** Returns true for the error that a write statement raises if the check of a permission fails. */
function isFailedCheck(error: Error): boolean {
  return error instanceof DatabaseError && error.code === "22P02" && error.message.includes(checkFailedMark);
}

/**
 * Translates the error of a connection that could not be established or was lost. An `EngineError`, such as that of an
 * unresolved setting, is returned unchanged.
 */
export function translateConnectionError(error: Error): EngineError {
  if (error instanceof EngineError) return error;
  const details = { status: 500, internal: driverText(error), cause: error };
  if (isConnectionLimit(error)) {
    return new EngineError("postgres-max-connections-error", "$", "max connections reached on postgres", details);
  }
  return new EngineError("postgres-error", "$", "connection error", details);
}

/** The engine itself detected that the connection limit is reached. */
export class ConnectionLimitError extends Error {}

/** Returns true if the server, or a pooler in front of it, has temporarily reached its connection limit. */
export function isConnectionLimit(error: Error): boolean {
  if (error instanceof ConnectionLimitError) return true;
  return error instanceof DatabaseError && (error.code === "53300" || poolerLimit.test(error.message));
}

/** Matches messages of poolers, which have no error code for a connection limit. */
const poolerLimit = /no more connections allowed|max(imum)? client connections|too many (client )?connections/i;

/**
 * Returns the driver's message. For a host with several addresses, the driver throws an aggregate error without a
 * message.
 */
export function driverText(error: Error): string {
  if (error.message === "" && error instanceof AggregateError) {
    return error.errors.map(messageOf).join("; ");
  }
  return error.message;
}

type Translation = readonly [code: ErrorCode, status: number, message: string];

function knownError(error: DatabaseError, table: DatabaseErrorContext["table"]): Translation | undefined {
  if (table === "run_sql") return ["postgres-error", 400, "query execution failed"];
  const state = error.code ?? "";
  const prefix = integrityPrefixes.get(state);
  if (state === "23514") return ["permission-error", 400, prefix + error.message];
  if (state.startsWith("23")) return ["constraint-violation", 400, (prefix ?? "") + error.message];
  if (state === "22025") return ["bad-request", 400, error.message];
  if (state.startsWith("22")) return ["data-exception", 400, error.message];
  if (state === "42P10") {
    return ["constraint-error", 400, "there is no unique or exclusion constraint on target column(s)"];
  }
  if (state === "42704") return ["constraint-error", 400, error.message];
  if (table === "dml" && state.startsWith("42")) return ["constraint-error", 400, error.message];
  if (table === "dml" && state.startsWith("40")) {
    return ["concurrent-update", 400, "serialization failure due to concurrent update"];
  }
  return undefined;
}

const integrityPrefixes = new Map([
  ["23001", "Can not delete or update due to data being referred. "],
  ["23502", "Not-NULL violation. "],
  ["23503", "Foreign key violation. "],
  ["23505", "Uniqueness violation. "],
  ["23514", "Check constraint violation. "],
  ["23P01", "Exclusion violation. "],
]);

/** Returns the `internal` member of the error. The order of its keys differs between GraphQL and the metadata API. */
function internalDetail(error: Error, context: DatabaseErrorContext): Readonly<Record<string, unknown>> {
  const { statement, prepared, arguments: values, table } = context;
  const detail =
    error instanceof DatabaseError
      ? {
          exec_status: "FatalError",
          status_code: error.code ?? null,
          message: error.message,
          description: error.detail ?? null,
          hint: error.hint ?? null,
          // Position of a character in the statement, counted from 1. Tools derive the line from it.
          ...(table === "run_sql" && error.position !== undefined && { position: Number(error.position) }),
        }
      : driverText(error);
  if (table === "graphql") return { statement, arguments: values, prepared, error: detail };
  return { statement, prepared, arguments: values, error: detail };
}
