/** Locates SQL errors of a server in the file that it ran. */
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { printable } from "../project/output.ts";

/** Returns an EngineError with file, line and the database's message; any other error is returned unchanged. */
export function locateSqlFailure(error: unknown, file: SqlFile): unknown {
  if (!(error instanceof EngineError)) return error;
  const { statement, error: reason } = isObject(error.internal) ? error.internal : {};
  const details = isObject(reason) ? reason : {};
  const place = placeOf(file, statement, details.position);
  const texts = [details.message, details.description, details.hint].filter((text) => typeof text === "string");
  const reasons = texts.length === 0 ? [error.message] : texts;
  const state = typeof details.status_code === "string" ? ` (${details.status_code})` : "";
  const message = `${place}: ${printable(reasons.join(" – "))}${state}`;
  return new EngineError(error.code, error.path, message, { status: error.status, cause: error });
}

/**
 * Returns `file:line:column` of an error.
 * @param position character of the statement, counted from 1; by default, the statement's start is located
 */
function placeOf({ path, sql }: SqlFile, statement: unknown, position: unknown): string {
  const start = typeof statement === "string" ? sql.indexOf(statement) : -1;
  const isWhole = start === 0 && statement === sql;
  if (start < 0 || (isWhole && typeof position !== "number")) return path;
  const characters = typeof position === "number" && typeof statement === "string" ? position - 1 : 0;
  // The database counts code points, not UTF-16 units.
  const before = sql.slice(0, start) + [...sql.slice(start)].slice(0, characters).join("");
  const lines = before.split("\n");
  return `${path}:${lines.length}:${[...(lines.at(-1) ?? "")].length + 1}`;
}

/** SQL of a migration or a seed, with its file. */
export interface SqlFile {
  readonly path: string;
  readonly sql: string;
}

/** Returns false if the first line of the SQL is `-- engine:no-transaction`. */
export const needsTransaction = ({ sql }: SqlFile): boolean =>
  !/^\uFEFF?[ \t]*--[ \t]*engine:no-transaction[ \t]*(?:\r?\n|$)/.test(sql);
