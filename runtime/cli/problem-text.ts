/** Formats problems of metadata files: `file:line:column: what: message ($.path)`, followed by a hint, if any. */
import type { Inconsistency } from "../../compiler/2-analyze/inconsistency.ts";
import type { Catalog } from "../../compiler/catalog/catalog.ts";
import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.ts";
import { objectPath } from "./compile/object-path.ts";
import { verboseFlag } from "./project/choices.ts";

/** Returns `file:line:column` of a JSONPath; the path itself if its location is unknown. */
export type Place = (path: string) => string;

export function diagnosticText({ code, path, message, hint }: Diagnostic, place: Place): string {
  return problemText({ at: place(path), what: code, message, path, hint });
}

export function inconsistencyText({ id, name, reason, hint }: Inconsistency, catalog: Catalog, place: Place): string {
  const path = objectPath(catalog, id);
  return problemText({ at: place(path), what: `inconsistent ${name}`, message: reason, path, hint });
}

interface Problem {
  readonly at: string;
  readonly what: string;
  readonly message: string;
  readonly path: string;
  readonly hint: string | undefined;
}

function problemText({ at, what, message, path, hint }: Problem): string {
  const line = `${at}: ${what}: ${message}${at === path ? "" : ` (${path})`}`;
  return hint === undefined ? line : `${line} – ${hint}`;
}

/** Maximum number of dependents of one cause that are listed. If there are more, only their number is shown. */
const maxDependents = 3;

/**
 * Replaces the lines of a cause's dependents with their number if there are many, unless the command runs with
 * `--verbose`.
 * @param causes for each line, the name of the inconsistent object that causes it, if any; dependents follow their cause
 */
export function foldedByCause(lines: readonly string[], causes: readonly (string | undefined)[]): readonly string[] {
  if (process.argv.includes(verboseFlag)) return lines;
  const counts = new Map<string, number>();
  for (const cause of causes) if (cause !== undefined) counts.set(cause, (counts.get(cause) ?? 0) + 1);
  const folded = new Set<string>();
  return lines.flatMap((line, index) => {
    const cause = causes[index];
    const count = cause === undefined ? 0 : (counts.get(cause) ?? 0);
    if (cause === undefined || count <= maxDependents) return [line];
    if (folded.has(cause)) return [];
    folded.add(cause);
    return [`${count} objects are inconsistent because of ${cause} (${verboseFlag} lists them)`];
  });
}
