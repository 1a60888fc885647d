/** Mistakes in metadata files as lines: `file:line:column: what: message ($.path)`, with a hint where there is one. */
import type { Inconsistency } from "../../compiler/2-analyze/inconsistency.ts";
import type { Catalog } from "../../compiler/catalog/catalog.ts";
import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.ts";
import { objectPath } from "./compile/object-path.ts";

/** `file:line:column` of what a JSONPath names; the path itself where nothing is known. */
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
