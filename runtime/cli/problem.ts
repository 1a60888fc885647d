/**
 * Problems that commands report: errors, warnings and notices, with the line that people read. `--json` prints the other
 * members (`json-report.ts`).
 */
import type { Inconsistency } from "../../compiler/2-analyze/inconsistency.ts";
import { objectPath } from "../../compiler/2-analyze/object-path.ts";
import type { Catalog } from "../../compiler/catalog/catalog.ts";
import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.ts";
import { type FileWarning, fileWarningText, type Location } from "../metadata-text/locations.ts";
import type { ProblemCode } from "./problem-codes.ts";
import { verboseFlag } from "./project/choices.ts";

export interface Problem {
  readonly severity: "error" | "warning" | "notice";
  /** A code of `problemCodes`, `errorCodes`, a handler or a server. */
  readonly code: string;
  readonly message: string;
  /** JSONPath in the metadata, or in the arguments of a call. */
  readonly path?: string;
  readonly location?: ProblemLocation;
  /** The remedy, for example the nearest valid name. */
  readonly hint?: string;
  /** Name of the inconsistent object. */
  readonly object?: string;
  /** Name of the inconsistent object whose repair also repairs this one. */
  readonly causedBy?: string;
  /** True for an inconsistent object that is omitted. */
  readonly isLeftOut?: true;
  /** Command that helps to correct it. */
  readonly command?: string;
  /** The line for people. */
  readonly line: string;
}

/** Line and column start at 1. */
export type ProblemLocation = Pick<Location, "file"> & Partial<Location>;

/** Returns `file:line:column` of a JSONPath; the path itself if its location is unknown. */
export type Place = (path: string) => string;

/** @param about members that the line does not have */
export function problem(
  severity: Problem["severity"],
  code: ProblemCode,
  message: string,
  about: Pick<Problem, "path" | "location" | "hint"> = {},
): Problem {
  return { severity, code, message, ...about, line: `${severity}: ${message}` };
}

/**
 * A problem at `place`, `file:line:column` or `file`.
 * @param prefix of the message in the line, for example the kind of the problem
 */
export function problemAt(
  place: string,
  { prefix = "", ...members }: Omit<Problem, "line" | "location"> & { readonly prefix?: string },
): Problem {
  const location = locationOf(place);
  return { ...members, ...(location && { location }), line: `${place}: ${prefix}${members.message}` };
}

/** A diagnostic of this program or of a server. */
type LocatedDiagnostic = Pick<Diagnostic, "path" | "message" | "hint"> & { readonly code: string };

export function diagnosticProblem(diagnostic: LocatedDiagnostic, place: Place): Problem {
  return inMetadata({ ...diagnostic, what: diagnostic.code }, place);
}

export function inconsistencyProblem(
  { id, name, reason, hint, causedBy }: Inconsistency,
  catalog: Catalog,
  place: Place,
): Problem {
  const path = objectPath(catalog, id);
  const what = `inconsistent ${name}`;
  return {
    ...inMetadata({ code: "inconsistent-object", what, message: reason, path, hint }, place),
    object: name,
    ...(causedBy !== undefined && { causedBy }),
  };
}

interface InMetadata {
  readonly code: string;
  /** Begins the message of the line. */
  readonly what: string;
  readonly message: string;
  readonly path: string;
  readonly hint?: string | undefined;
}

function inMetadata({ code, what, message, path, hint }: InMetadata, place: Place): Problem {
  const at = place(path);
  const line = `${at}: ${what}: ${message}${at === path ? "" : ` (${path})`}`;
  const location = at === path ? undefined : locationOf(at);
  return {
    severity: "error",
    code,
    message,
    path,
    ...(location && { location }),
    ...(hint !== undefined && { hint }),
    line: hint === undefined ? line : `${line} – ${hint}`,
  };
}

export function fileWarningProblem(warning: FileWarning): Problem {
  const { file, line, column, message } = warning;
  const location = { file, line, column };
  return { severity: "warning", code: "ignored-text", message, location, line: fileWarningText(warning) };
}

/** Returns the location of a place; undefined for a JSONPath. */
export function locationOf(place: string): ProblemLocation | undefined {
  if (place.startsWith("$")) return undefined;
  const { file = place, line, column } = /^(?<file>.+?):(?<line>\d+)(?::(?<column>\d+))?$/.exec(place)?.groups ?? {};
  return {
    file,
    ...(line !== undefined && { line: Number(line) }),
    ...(column !== undefined && { column: Number(column) }),
  };
}

/** Maximum number of dependents of one cause that are listed. If there are more, only their number is shown. */
const maxDependents = 3;

/**
 * Returns the lines of problems. Replaces those of a cause's dependents with their number if there are many, unless the
 * command runs with `--verbose`. Dependents follow their cause.
 */
export function problemLines(problems: readonly Problem[]): readonly string[] {
  if (process.argv.includes(verboseFlag)) return problems.map(({ line }) => line);
  const counts = new Map<string, number>();
  for (const { causedBy } of problems)
    if (causedBy !== undefined) counts.set(causedBy, (counts.get(causedBy) ?? 0) + 1);
  const folded = new Set<string>();
  return problems.flatMap(({ line, causedBy, isLeftOut }) => {
    const count = causedBy === undefined ? 0 : (counts.get(causedBy) ?? 0);
    if (causedBy === undefined || count <= maxDependents) return [line];
    if (folded.has(causedBy)) return [];
    folded.add(causedBy);
    const prefix = isLeftOut ? leftOutPrefix : "";
    return [`${prefix}${count} objects are inconsistent because of ${causedBy} (${verboseFlag} lists them)`];
  });
}

const leftOutPrefix = "left out: ";

/** Returns the warning about an inconsistent object that the output lacks. */
export const leftOutProblem = (problem: Problem): Problem => ({
  ...problem,
  severity: "warning",
  isLeftOut: true,
  line: `${leftOutPrefix}${problem.line}`,
});
