/** Applies a project's metadata to a server, and reports warnings and inconsistencies. */

import type { Json } from "../../../compiler/catalog/model.ts";
import { unreadMembers, unreadText } from "../../../compiler/catalog/unread-members.ts";
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { fileWarningText } from "../metadata-directory/locations.ts";
import type { MetadataFiles } from "../metadata-directory/read.ts";
import { unreadWarnings } from "../metadata-directory/unread-warnings.ts";
import { diagnosticText } from "../problem-text.ts";
import type { CallMetadata } from "../project/client.ts";
import { type Output, printProblems } from "../project/output.ts";
import { foldedLines, type InconsistencyList, inconsistencyList } from "./inconsistency.ts";
import { InvalidFiles } from "./metadata-files.ts";

export interface ReplaceOptions {
  readonly allowInconsistent: boolean;
  readonly output: Output;
  /** Returns the lines of inconsistent objects for the error, if they are not allowed. */
  readonly describe: (list: InconsistencyList) => Promise<InconsistencyList>;
}

/** @throws InvalidFiles for invalid files, and for inconsistent objects that are not allowed */
export async function replaceMetadata(
  call: CallMetadata,
  files: MetadataFiles,
  { allowInconsistent, output, describe }: ReplaceOptions,
): Promise<Json> {
  output.problems([...files.warnings, ...unreadWarnings(files)].map(fileWarningText));
  const args = { allow_inconsistent_metadata: allowInconsistent, metadata: files.metadata };
  try {
    // Unknown keys have been reported above, with their locations in the files.
    const reported = new Set(unreadMembers(files.metadata).map((member) => `${member.path}: ${unreadText(member)}`));
    const onNotices = (lines: readonly string[]): void =>
      output.problems(lines.filter((line) => !reported.has(line)).map((line) => `notice: ${line}`));
    return await call({ type: "replace_metadata", version: 2, args, onNotices });
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const { code, path, message, internal } = error;
    if (path.startsWith(documentPath)) {
      const inDocument = { code, path: `$${path.slice(documentPath.length)}`, message };
      throw new InvalidFiles([diagnosticText(inDocument, placeIn(files))]);
    }
    const lines = foldedLines(await describe(inconsistencyList(Array.isArray(internal) ? internal : [])));
    throw lines.length === 0 ? error : new InvalidFiles([...lines, `error: ${message}`]);
  }
}

/** JSONPath of the document in the request. */
const documentPath = "$.args.metadata";

export function placeIn({ locate }: Pick<MetadataFiles, "locate">): (path: string) => string {
  return (path) => {
    const found = locate(path);
    return found === undefined ? path : `${found.file}:${found.line}:${found.column}`;
  };
}

export function warningsOf(response: Json): readonly string[] {
  const warnings = isObject(response) && Array.isArray(response.warnings) ? response.warnings : [];
  return warnings.filter(isObject).map(({ name, message }) => `warning: ${String(name)}: ${String(message)}`);
}

export function warnOfInconsistencies(list: InconsistencyList, output: Output): void {
  const { lines } = list;
  if (lines.length > 0) output.problems([`metadata is inconsistent: ${count(lines)}`, ...foldedLines(list)]);
}

/** Prints errors in files without a prefix, so that editors can open their locations, and resolves to 1. */
export async function reportInvalidFiles(work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof InvalidFiles)) throw error;
    printProblems(error.problems);
    return 1;
  }
}

export function count({ length }: readonly unknown[]): string {
  return length === 1 ? "1 object" : `${length} objects`;
}
