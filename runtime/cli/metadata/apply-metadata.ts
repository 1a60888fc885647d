/** Applies a project's metadata to a server, and reports warnings and inconsistencies. */

import type { Json } from "../../../compiler/catalog/model.ts";
import { unreadMembers, unreadText } from "../../../compiler/catalog/unread-members.ts";
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { engineProblem } from "../error-problems.ts";
import { InvalidFiles } from "../invalid-files.ts";
import type { MetadataFiles } from "../metadata-directory/read.ts";
import { unreadWarnings } from "../metadata-directory/unread-warnings.ts";
import { diagnosticProblem, fileWarningProblem, type Problem, problem } from "../problem.ts";
import type { CallMetadata } from "../project/client.ts";
import { type Output, printProblems } from "../project/output.ts";
import { type InconsistencyList, inconsistencyList } from "./inconsistency.ts";

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
  output.problems([...files.warnings, ...unreadWarnings(files)].map(fileWarningProblem));
  const args = { allow_inconsistent_metadata: allowInconsistent, metadata: files.metadata };
  try {
    // Unknown keys have been reported above, with their locations in the files.
    const reported = new Set(unreadMembers(files.metadata).map((member) => `${member.path}: ${unreadText(member)}`));
    const onNotices = (lines: readonly string[]): void =>
      output.problems(lines.filter((line) => !reported.has(line)).map((line) => problem("notice", "no-effect", line)));
    return await call({ type: "replace_metadata", version: 2, args, onNotices });
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const { code, path, message, internal } = error;
    if (path.startsWith(documentPath)) {
      const inDocument = { code, path: `$${path.slice(documentPath.length)}`, message };
      throw new InvalidFiles([diagnosticProblem(inDocument, placeIn(files))]);
    }
    const { problems } = await describe(inconsistencyList(Array.isArray(internal) ? internal : []));
    throw problems.length === 0 ? error : new InvalidFiles([...problems, engineProblem(error)]);
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

export function warningsOf(response: Json): readonly Problem[] {
  const warnings = isObject(response) && Array.isArray(response.warnings) ? response.warnings : [];
  return warnings.filter(isObject).map(({ code, name, message }) => ({
    severity: "warning",
    code: String(code ?? "note"),
    message: String(message),
    object: String(name),
    line: `warning: ${String(name)}: ${String(message)}`,
  }));
}

export function warnOfInconsistencies(list: InconsistencyList, output: Output): void {
  const { problems } = list;
  if (problems.length === 0) return;
  output.done(`metadata is inconsistent: ${count(problems)}`);
  output.problems(problems);
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
