/** Turns exceptions of commands into problems. */
import { existsSync } from "node:fs";
import { CommanderError } from "commander";
import { ConfigurationError } from "../config/configuration-error.ts";
import { EmbeddedPostgresError } from "../databases/embedded-postgres/embedded-postgres-error.ts";
import { errorLine, splitPlace } from "../server/parts/failure.ts";
import { EngineError } from "../values/errors.ts";
import { commandFailure } from "./failure.ts";
import { InvalidFiles } from "./invalid-files.ts";
import { locationOf, type Problem } from "./problem.ts";
import type { ProblemCode } from "./problem-codes.ts";

/** Returns the problems of an exception: one for each invalid setting and each error in files, otherwise one. */
export function problemsOf(error: unknown): readonly Problem[] {
  if (error instanceof InvalidFiles) return error.problems;
  if (error instanceof ConfigurationError)
    return error.message.split("\n").map((line) => ofText("invalid-setting", line));
  if (error instanceof EngineError) return [engineProblem(error)];
  const line = commandFailure(error);
  // The text of usage errors ends with the command of the help.
  const command = error instanceof CommanderError ? /; see `(engine [^`]+)`$/.exec(line)?.[1] : undefined;
  const message = line.replace(/^error: /, "");
  return [{ severity: "error", code: codeOf(error), message, ...(command !== undefined && { command }), line }];
}

export function engineProblem({ code, path, message, hint }: EngineError): Problem {
  const about = { ...(path !== "$" && { path }), ...(hint !== undefined && { hint }) };
  const line = hint === undefined ? message : `${message}; ${hint}`;
  return { ...ofText(code, message), ...about, line: errorLine(line) };
}

/** @param text message, which may begin with the place of an error in a file */
function ofText(code: string, text: string): Problem {
  const { place, message } = splitPlace(text);
  const location = place === undefined ? undefined : locationOf(place);
  // `host:port: message` has the form of a place.
  const isFile = location !== undefined && existsSync(location.file);
  const line = errorLine(text);
  return isFile
    ? { severity: "error", code, message, location, line }
    : { severity: "error", code, message: text, line };
}

function codeOf(error: unknown): ProblemCode | "start-failed" | "unwritable" {
  if (error instanceof CommanderError) return "usage";
  if (error instanceof EmbeddedPostgresError) return "start-failed";
  return error instanceof Error && "syscall" in error ? "unwritable" : "bug";
}
