/** Errors of the driver and the server → the product's codes and messages (`metadata-api.md` 1.10, `graphql-api.md` 1.5). */

import { checkFailedNumber } from "../../../model/dialects/mssql/writes.ts";
import { EngineError } from "../../../values/errors.ts";
import type { ErrorTable } from "../source.ts";

/** What the driver's errors have in common. */
export interface DriverError extends Error {
  /** `EREQUEST` for what the server says. */
  readonly code?: string;
  /** The server's number, as in `sys.messages`; of what the driver itself says, its `code` or nothing. */
  readonly number?: number | string;
  /** What the server said of the same request before: the last error is often that the batch was aborted. */
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
      "this database takes two names of fields in one object for the same: they need aliases that differ in more than case";
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

/** FOR JSON compares the names of members by the collation of the database. */
const sameNames = 13_601;

/** What the server said first: the last error is often that the batch was aborted. */
export function firstError(error: unknown): DriverError {
  const last = error as DriverError;
  return last.precedingErrors?.[0] ?? last;
}

/**
 * The server undid the transaction because of another one: a deadlock, an update of a row that changed since the
 * snapshot, the same of memory-optimized tables
 * (https://learn.microsoft.com/sql/relational-databases/in-memory-oltp/transactions-with-memory-optimized-tables).
 */
const undone: ReadonlySet<number> = new Set([1205, 3960, 41_301, 41_302, 41_305, 41_325]);

/** The server undid the transaction that the statement belongs to, so that others could go on. */
export function isUndone(error: unknown): boolean {
  const { number, precedingErrors = [] } = error as DriverError;
  return [number, ...precedingErrors.map((each) => each.number)].some((n) => typeof n === "number" && undone.has(n));
}

/** What the driver says of a statement on a connection that goes on living: it took too long, or was cancelled. */
const ofStatements: ReadonlySet<string> = new Set(["ETIMEOUT", "ECANCEL", "EABORT", "EREQINPROG", "EPARAM", "EINJECT"]);

/** The server refuses the connection itself: a login, a database that is not there, or one that takes no more. */
const ofConnections: ReadonlySet<number> = new Set([
  ...[4060, 4064, 17_142, 17_187, 17_806, 17_809, 18_401, 18_452, 18_456, 18_470, 18_487, 18_488],
  // Azure SQL: busy, moved, or out of connections.
  ...[10_928, 10_929, 40_197, 40_501, 40_532, 40_549, 40_550, 40_613, 49_918, 49_919, 49_920],
]);

function isOfConnection({ name, code = "", number }: DriverError): boolean {
  if (typeof number === "number") return ofConnections.has(number);
  // A connection that is not made in time has the same code as a statement that takes too long.
  return name === "ConnectionError" || !ofStatements.has(code);
}

/** No connection could be made or kept. */
function connectionError(failure: DriverError): EngineError {
  const internal = { exception: { type: "unsuccessful_return_code", message: failure.message } };
  return new EngineError("unexpected", "$", "mssql connection error", { status: 500, internal, cause: failure });
}

/** Mutations tell of bad values and of constraints, and of nothing else. */
const isBlamedOnValues = (state: string): boolean => state.startsWith("22") || state.startsWith("23");

interface StateClass {
  readonly state: string;
  readonly code: string;
  readonly text: string;
  readonly detail?: string;
}

/**
 * SQLSTATE by the server's number, as the server's ODBC driver assigns them
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

/** Everything else that the server says of a statement, it says of its syntax or of rights. */
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

const syntaxCodes: Readonly<Record<string, string>> = {
  "42S01": "already-exists",
  "42S11": "already-exists",
  "42S21": "already-exists",
  "42S02": "not-found",
  "42S12": "not-found",
  "42S22": "not-found",
};

/** `undefined`: an error that no request is to blame for. */
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
