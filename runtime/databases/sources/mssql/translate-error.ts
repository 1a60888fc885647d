/** Translates errors of the driver and the server to the product's codes and messages. */

import { checkFailedNumber } from "../../../model/dialects/mssql/writes.ts";
import type { ErrorCode } from "../../../values/error-codes.ts";
import { EngineError } from "../../../values/errors.ts";
import type { ErrorTable } from "../source.ts";

/** Common properties of the driver's errors. */
export interface DriverError extends Error {
  /** `EREQUEST` for errors of the server. */
  readonly code?: string;
  /** Error number of the server as in `sys.messages`. For errors of the driver: its `code`, or absent. */
  readonly number?: number | string;
  /** Earlier errors of the same request. The last error often only reports that the batch was aborted. */
  readonly precedingErrors?: readonly DriverError[];
}

export interface ErrorContext {
  readonly table: ErrorTable | "run_sql" | "query";
  readonly statement: string;
}

export function translateError(error: unknown, { table, statement }: ErrorContext): EngineError {
  if (error instanceof EngineError) return error;
  const failure = firstError(error);
  if (failure.number === checkFailedNumber) {
    return new EngineError("permission-error", "$", failure.message, { cause: error });
  }
  if (isOfConnection(failure)) return connectionError(failure);
  if (failure.number === sameNames) {
    const message =
      "the collation of this database treats two field names of one object as equal: use aliases that differ in more than case";
    return new EngineError("not-supported", "$", message, { internal: { query: statement }, cause: error });
  }
  if (table !== "run_sql" && isUndone(error)) {
    const internal = { query: statement, exception: { type: "unsuccessful_return_code", message: failure.message } };
    const message = "serialization failure due to concurrent update";
    return new EngineError("concurrent-update", "$", message, { internal, cause: error });
  }
  const found = typeof failure.number === "number" ? classOf(failure.number) : undefined;
  if (found === undefined || table === "query" || (table !== "run_sql" && !isBlamedOnValues(found.state))) {
    const internal = { query: statement, exception: { type: "unsuccessful_return_code", message: failure.message } };
    return new EngineError("unexpected", "$", "database query error", { status: 500, internal, cause: error });
  }
  const message = [found.text, found.detail, failure.message].filter((part) => part !== undefined).join(" ");
  return new EngineError(found.code, "$", message, { internal: { query: statement }, cause: error });
}

/** Error number for equal member names, which FOR JSON compares with the collation of the database. */
const sameNames = 13_601;

/** Returns the first error of a request. The last one often only reports that the batch was aborted. */
export function firstError(error: unknown): DriverError {
  const last = error as DriverError;
  return last.precedingErrors?.[0] ?? last;
}

/**
 * Errors after which the server has rolled back the transaction because of another transaction: deadlocks, snapshot
 * conflicts, and conflicts on memory-optimized tables
 * (https://learn.microsoft.com/sql/relational-databases/in-memory-oltp/transactions-with-memory-optimized-tables).
 */
const undone: ReadonlySet<number> = new Set([1205, 3960, 41_301, 41_302, 41_305, 41_325]);

/** Returns true if the server rolled back the transaction because of another transaction. */
export function isUndone(error: unknown): boolean {
  const { number, precedingErrors = [] } = error as DriverError;
  return [number, ...precedingErrors.map((each) => each.number)].some((n) => typeof n === "number" && undone.has(n));
}

/** Errors of the driver for statements whose connection survives, such as timeouts and cancellations. */
const ofStatements: ReadonlySet<string> = new Set(["ETIMEOUT", "ECANCEL", "EABORT", "EREQINPROG", "EPARAM", "EINJECT"]);

/** Errors with which the server rejects a connection: failed logins, missing databases, connection limits. */
const ofConnections: ReadonlySet<number> = new Set([
  ...[4060, 4064, 17_142, 17_187, 17_806, 17_809, 18_401, 18_452, 18_456, 18_470, 18_487, 18_488],
  // Azure SQL: busy, moved, or out of connections.
  ...[10_928, 10_929, 40_197, 40_501, 40_532, 40_549, 40_550, 40_613, 49_918, 49_919, 49_920],
]);

function isOfConnection({ name, code = "", number }: DriverError): boolean {
  if (typeof number === "number") return ofConnections.has(number);
  // A connection timeout has the same code as a statement timeout.
  return name === "ConnectionError" || !ofStatements.has(code);
}

/** Returns the error of a connection that could not be established or was lost. */
function connectionError(failure: DriverError): EngineError {
  const internal = { exception: { type: "unsuccessful_return_code", message: failure.message } };
  return new EngineError("unexpected", "$", "mssql connection error", { status: 500, internal, cause: failure });
}

/** Returns true for errors of values and constraints. Mutations report no other errors in detail. */
const isBlamedOnValues = (state: string): boolean => state.startsWith("22") || state.startsWith("23");

interface StateClass {
  readonly state: string;
  readonly code: ErrorCode;
  readonly text: string;
  readonly detail?: string;
}

/**
 * Maps error numbers of the server to SQLSTATEs, as its ODBC driver does
 * (https://learn.microsoft.com/sql/relational-databases/errors-events/database-engine-events-and-errors).
 */
const states: ReadonlyMap<number, string> = new Map([
  ...[2628, 8152].map((number) => [number, "22001"] as const),
  ...[220, 232, 8115, 1007].map((number) => [number, "22003"] as const),
  ...[241, 242, 295, 296, 9807].map((number) => [number, "22007"] as const),
  [517, "22008"],
  [8134, "22012"],
  ...[245, 235, 236, 8114, 8169, 8117].map((number) => [number, "22018"] as const),
  [506, "22019"],
  ...[515, 547, 2601, 2627, 2626, 334, 544].map((number) => [number, "23000"] as const),
  [2714, "42S01"],
  ...[208, 3701, 4902, 15_225].map((number) => [number, "42S02"] as const),
  [1913, "42S11"],
  ...[307, 3723].map((number) => [number, "42S12"] as const),
  [2705, "42S21"],
  ...[207, 4924, 1911].map((number) => [number, "42S22"] as const),
  [1222, "HYT00"],
]);

/** SQLSTATE of all other errors of a statement: syntax or access violation. */
const otherState = "42000";

const details: Readonly<Record<string, string>> = {
  "22001": "String data, right-truncated.",
  "22003": "Numeric value out of range.",
  "22007": "Invalid datetime format.",
  "22008": "Datetime field overflow.",
  "22015": "Interval field overflow.",
  "22019": "Invalid escape character.",
  "22025": "Invalid escape sequence.",
  "42S01": "Table or view already exists.",
  "42S02": "Table or view not found.",
  "42S11": "Index already exists.",
  "42S12": "Index not found.",
  "42S21": "Column already exists.",
  "42S22": "Column not found.",
};

const syntaxCodes: Readonly<Record<string, ErrorCode>> = {
  "42S01": "already-exists",
  "42S11": "already-exists",
  "42S21": "already-exists",
  "42S02": "not-found",
  "42S12": "not-found",
  "42S22": "not-found",
};

/** Returns the class of an error, or `undefined` if no request can cause it. */
function classOf(number: number): StateClass | undefined {
  const state = states.get(number) ?? otherState;
  const detail = details[state];
  const more = detail === undefined ? {} : { detail };
  if (state.startsWith("22")) return { state, code: "data-exception", text: "Data exception.", ...more };
  if (state.startsWith("23")) {
    return { state, code: "constraint-violation", text: "Integrity constraint violation.", ...more };
  }
  if (!state.startsWith("42")) return undefined;
  return { state, code: syntaxCodes[state] ?? "bad-request", text: "Syntax error or access violation.", ...more };
}
