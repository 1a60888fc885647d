/** `engine metadata …`: manages the metadata of a project and its server. Each command resolves to its exit code. */

import { exportMetadata, storeMetadata } from "../../../compiler/catalog/canonical.ts";
import { emptyCatalog } from "../../../compiler/catalog/catalog.ts";
import type { JsonObject } from "../../../compiler/catalog/model.ts";
import { readMetadataDocument } from "../../../compiler/catalog/upgrade.ts";
import { cutEnd } from "../../values/cut-end.ts";
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { redactor } from "../../values/redact-metadata.ts";
import { locatedInconsistencies } from "../deployment/located-inconsistencies.ts";
import { InvalidFiles } from "../invalid-files.ts";
import {
  count,
  placeIn,
  replaceMetadata,
  reportInvalidFiles,
  warningsOf,
  warnOfInconsistencies,
} from "../metadata/apply-metadata.ts";
import {
  type InconsistencyList,
  inconsistenciesOfFiles,
  inconsistenciesOfServer,
  inconsistencyList,
} from "../metadata/inconsistency.ts";
import { changes, type Side } from "../metadata/metadata-diff.ts";
import { readValidFiles, standardOutputNames, writeMetadata } from "../metadata/metadata-files.ts";
import { printUnifiedDiff } from "../metadata/print-diff.ts";
import { type MetadataFiles, readMetadataDirectory } from "../metadata-directory/read.ts";
import { diagnosticProblem, problemLines } from "../problem.ts";
import type { DiffType, Format } from "../project/choices.ts";
import { type CallMetadata, withServer } from "../project/client.ts";
import {
  formatted,
  printable,
  printDone,
  printed,
  printProblems,
  printRemark,
  printResult,
  recordProblems,
  recordResult,
} from "../project/output.ts";
import { type GlobalFlags, readSettings } from "../project/settings.ts";

// ---------------------------------------------------------------- apply

export interface ApplyOptions extends GlobalFlags {
  readonly dryRun?: boolean;
  readonly disallowInconsistentMetadata?: boolean;
  readonly output?: Format;
}

/** Replaces the server's metadata with the project's. Inconsistent metadata is allowed by default. */
export async function applyCommand(options: ApplyOptions): Promise<number> {
  return reportInvalidFiles(async () => {
    const settings = await readSettings(options, process.env);
    const files = await readMetadataDirectory(settings.metadataPath);
    if (options.dryRun) {
      checkDocument(files);
      printResult(formatted(files.metadata, options.output ?? "json"), files.metadata);
      return 0;
    }
    printRemark(`applying ${settings.metadataPath} to ${settings.endpoint}`);
    const allowInconsistent = options.disallowInconsistentMetadata !== true;
    await withServer(settings, async (call) => {
      const describe = (list: InconsistencyList) => locatedInconsistencies(call, settings, list);
      const response = await replaceMetadata(call, files, { allowInconsistent, output: printed, describe });
      if (options.output !== undefined) printResult(formatted(files.metadata, options.output), null);
      printProblems(warningsOf(response));
      printDone("metadata applied");
      const list = await describe(inconsistencyList(response));
      recordResult({ endpoint: settings.endpoint, inconsistent_objects: list.entries });
      warnOfInconsistencies(list, printed);
    });
    return 0;
  });
}

function checkDocument({ metadata, locate }: MetadataFiles): void {
  const result = readMetadataDocument(metadata, emptyCatalog);
  // Older versions describe the source `default`, which may exist on the server.
  if (result.ok || result.error.code === "not-supported") return;
  throw new InvalidFiles([diagnosticProblem(result.error, placeIn({ locate }))]);
}

// ---------------------------------------------------------------- export, convert

export interface ExportOptions extends GlobalFlags {
  readonly output?: Format;
}

/** Overwrites the project's metadata with the server's, or prints the server's metadata. */
export async function exportCommand(options: ExportOptions): Promise<number> {
  const settings = await readSettings(options, process.env);
  const document = await withServer(settings, exportFromServer);
  if (options.output !== undefined) {
    printResult(formatted(document, options.output), document);
    return 0;
  }
  await writeMetadata(settings.metadataPath, document);
  recordResult({ written: settings.metadataPath });
  printDone(`exported the metadata of ${settings.endpoint} to ${settings.metadataPath}`);
  return 0;
}

async function exportFromServer(call: CallMetadata): Promise<JsonObject> {
  const response = await call({ type: "export_metadata", args: {} });
  if (isObject(response)) return response;
  throw new EngineError("unexpected", "$", "the server's export is not valid metadata");
}

export interface ConvertOptions {
  /** Format if the name of the result has no known extension. */
  readonly output?: Format;
}

/**
 * Converts the metadata of a directory or file to another directory or file. The result is like an export, but with all
 * members.
 */
export async function convertCommand(from: string, to: string, options: ConvertOptions = {}): Promise<number> {
  return reportInvalidFiles(async () => {
    const { catalog } = await readValidFiles(from);
    await writeMetadata(to, storeMetadata(catalog), { streamed: options.output });
    if (!standardOutputNames.includes(to)) {
      recordResult({ written: to });
      printDone(`wrote the metadata of ${from} to ${to}`);
    }
    return 0;
  });
}

// ---------------------------------------------------------------- diff

export interface DiffOptions extends GlobalFlags {
  readonly type: DiffType;
  /** If true, exits with 1 when there are differences. */
  readonly exitCode?: boolean;
}

/**
 * Shows the changes that the project's metadata, or the metadata at `paths[0]`, would make on the server; with two
 * paths, the changes from the first to the second. Passwords and literal headers are redacted.
 */
export async function diffCommand(paths: readonly string[], options: DiffOptions): Promise<number> {
  return reportInvalidFiles(async () => {
    const [before, after] = await sidesOf(paths, options);
    const redact = redactor();
    const from = { ...before, document: redact(before.document) };
    const to = { ...after, document: redact(after.document) };
    const isDifferent = options.type.startsWith("unified-")
      ? printUnifiedDiff(from, to, { ...options, format: options.type === "unified-json" ? "json" : "yaml" })
      : printChanges(from, to, options.type === "json" ? "json" : "yaml");
    return isDifferent && options.exitCode === true ? 1 : 0;
  });
}

async function sidesOf([a, b]: readonly string[], options: DiffOptions): Promise<readonly [Side, Side]> {
  if (a !== undefined && b !== undefined) return [await sideOfFiles(a), await sideOfFiles(b)];
  const settings = await readSettings(options, process.env);
  const local = await sideOfFiles(a ?? settings.metadataPath);
  return [{ name: "server", document: await withServer(settings, exportFromServer) }, local];
}

async function sideOfFiles(path: string): Promise<Side> {
  const { catalog } = await readValidFiles(path);
  return { name: cutEnd(path, /\//), document: exportMetadata(catalog) };
}

function printChanges(from: Side, to: Side, format: Format): boolean {
  const list = changes(from.document, to.document);
  printResult(formatted(list, format), list);
  return list.length > 0;
}

// ---------------------------------------------------------------- reload, clear

/** Makes the server introspect its sources and remote schemas again. */
export async function reloadCommand(flags: GlobalFlags): Promise<number> {
  const settings = await readSettings(flags, process.env);
  await withServer(settings, async (call) => {
    await call({ type: "reload_metadata", args: {} });
    const list = await inconsistenciesOfServer(call);
    printDone("metadata reloaded");
    const located = await locatedInconsistencies(call, settings, list);
    recordResult({ endpoint: settings.endpoint, inconsistent_objects: located.entries });
    warnOfInconsistencies(located, printed);
  });
  return 0;
}

export async function clearCommand(flags: GlobalFlags): Promise<number> {
  const settings = await readSettings(flags, process.env);
  const response = await withServer(settings, (call) => call({ type: "clear_metadata", args: {} }));
  printProblems(warningsOf(response));
  recordResult({ endpoint: settings.endpoint });
  printDone(`metadata of ${settings.endpoint} cleared`);
  return 0;
}

// ---------------------------------------------------------------- inconsistency

export interface InconsistencyOptions extends GlobalFlags {
  /** Files to check instead of the server; `shape` alone checks the project's files. */
  readonly metadata?: string;
  readonly shape?: string;
  readonly output?: Format;
}

/** Prints one line, or one list entry, for each inconsistent object. */
export async function listInconsistenciesCommand(options: InconsistencyOptions): Promise<number> {
  return reportInvalidFiles(async () => {
    const list = await inconsistencies(options);
    const plain = problemLines(list.problems)
      .map((line) => `${printable(line)}\n`)
      .join("");
    printResult(options.output === undefined ? plain : formatted(list.entries, options.output), list.entries);
    recordProblems(list.problems);
    return 0;
  });
}

/** Resolves to 1 if there are inconsistent objects. */
export async function inconsistencyStatusCommand(options: InconsistencyOptions): Promise<number> {
  return reportInvalidFiles(async () => {
    const { problems } = await inconsistencies(options);
    const isConsistent = problems.length === 0;
    const text = isConsistent ? "metadata is consistent\n" : `metadata is inconsistent: ${count(problems)}\n`;
    printResult(text, { is_consistent: isConsistent, inconsistent: problems.length });
    recordProblems(problems);
    return isConsistent ? 0 : 1;
  });
}

async function inconsistencies(options: InconsistencyOptions): Promise<InconsistencyList> {
  const settings = await readSettings(options, process.env);
  const { metadata, shape } = options;
  if (metadata === undefined && shape === undefined) {
    return withServer(settings, async (call) => {
      return locatedInconsistencies(call, settings, await inconsistenciesOfServer(call));
    });
  }
  const { environment, metadataPath } = settings;
  return inconsistenciesOfFiles({ metadata: metadata ?? metadataPath, shape, environment });
}

/** Removes all inconsistent objects from the server's metadata, and lists them. */
export async function dropInconsistenciesCommand(flags: GlobalFlags): Promise<number> {
  const settings = await readSettings(flags, process.env);
  await withServer(settings, async (call) => {
    const list = await locatedInconsistencies(call, settings, await inconsistenciesOfServer(call));
    const { problems } = list;
    await call({ type: "drop_inconsistent_metadata", args: {} });
    recordResult({ dropped: list.entries });
    printDone(
      problems.length === 0 ? "metadata is consistent: nothing to drop" : `dropped ${count(problems)}:`,
      ...problemLines(problems),
    );
  });
  return 0;
}
