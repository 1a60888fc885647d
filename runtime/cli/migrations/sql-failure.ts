/** Why SQL of a file failed, with the line: what the server answers → one line for editors and people. */
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { printable } from "../project/output.ts";
import type { SqlFile } from "./sql-file.ts";

/** The same error, saying where in the file it is and what the database said; others as they are. */
export function locateSqlFailure(error: unknown, file: SqlFile): unknown {
  if (!(error instanceof EngineError)) return error;
  const { statement, error: reason } = isObject(error.internal) ? error.internal : {};
  const details = isObject(reason) ? reason : {};
  const place = placeOf(file, statement, details.position);
  const said = [details.message, details.description, details.hint].filter((text) => typeof text === "string");
  const why = said.length === 0 ? [error.message] : said;
  const state = typeof details.status_code === "string" ? ` (${details.status_code})` : "";
  const message = `${place}: ${printable(why.join(" – "))}${state}`;
  return new EngineError(error.code, error.path, message, { status: error.status, cause: error });
}

/** `file:line:column` of a character, counted from 1, of a statement in the file; without it, of the statement. */
function placeOf({ path, sql }: SqlFile, statement: unknown, position: unknown): string {
  const start = typeof statement === "string" ? sql.indexOf(statement) : -1;
  const isWhole = start === 0 && statement === sql;
  if (start < 0 || (isWhole && typeof position !== "number")) return path;
  const characters = typeof position === "number" && typeof statement === "string" ? position - 1 : 0;
  // The database counts characters, a string has two units for some.
  const before = sql.slice(0, start) + [...sql.slice(start)].slice(0, characters).join("");
  const lines = before.split("\n");
  return `${path}:${lines.length}:${[...(lines.at(-1) ?? "")].length + 1}`;
}
