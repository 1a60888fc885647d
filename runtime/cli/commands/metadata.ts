/**
 * `engine metadata …`: the metadata of a project and of its server. Each command resolves to its exit code: 0, or 1
 * when it failed or found what it looks for.
 */

import picocolors from "picocolors";
import { exportMetadata, storeMetadata } from "../../../compiler/catalog/canonical.ts";
import { emptyCatalog } from "../../../compiler/catalog/catalog.ts";
import type { JsonObject } from "../../../compiler/catalog/model.ts";
import { readMetadataDocument } from "../../../compiler/catalog/upgrade.ts";
import { cutEnd } from "../../values/cut-end.ts";
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { redactor } from "../../values/redact-metadata.ts";
import { locatedInconsistencies } from "../deployment/located-inconsistencies.ts";
import {
  count,
  placeIn,
  replaceMetadata,
  reportingMistakes,
  warningsOf,
  warnOfInconsistencies,
} from "../metadata/apply-metadata.ts";
import {
  foldedLines,
  type InconsistencyList,
  inconsistenciesOfFiles,
  inconsistenciesOfServer,
  inconsistencyList,
} from "../metadata/inconsistency.ts";
import { changes, type Side, unifiedDiff } from "../metadata/metadata-diff.ts";
import { InvalidFiles, readValidFiles, standardOutputNames, writeMetadata } from "../metadata/metadata-files.ts";
import { type MetadataFiles, readMetadataDirectory } from "../metadata-directory/read.ts";
import { diagnosticText } from "../problem-text.ts";
import type { DiffType, Format } from "../project/choices.ts";
import { type CallMetadata, withServer } from "../project/client.ts";
import { formatted, printDone, printed, printProblems, printRemark, printResult } from "../project/output.ts";
import { type GlobalFlags, readSettings } from "../project/settings.ts";

// ---------------------------------------------------------------- apply

export interface ApplyOptions extends GlobalFlags {
  readonly dryRun?: boolean;
  readonly disallowInconsistentMetadata?: boolean;
  readonly output?: Format;
}

/** Replaces the server's metadata with the project's; inconsistent metadata too, unless it is not allowed. */
export async function applyCommand(options: ApplyOptions): Promise<number> {
  return reportingMistakes(async () => {
    const settings = await readSettings(options, process.env);
    const files = await readMetadataDirectory(settings.metadataPath);
    if (options.dryRun) {
      checkDocument(files);
      printResult(formatted(files.metadata, options.output ?? "json"));
      return 0;
    }
    printRemark(`applying ${settings.metadataPath} to ${settings.endpoint}`);
    const allowInconsistent = options.disallowInconsistentMetadata !== true;
    await withServer(settings, async (call) => {
      const describe = (list: InconsistencyList) => locatedInconsistencies(call, settings, list);
      const answer = await replaceMetadata(call, files, { allowInconsistent, output: printed, describe });
      if (options.output !== undefined) printResult(formatted(files.metadata, options.output));
      printProblems(warningsOf(answer));
      printDone("metadata applied");
      warnOfInconsistencies(await describe(inconsistencyList(answer)), printed);
    });
    return 0;
  });
}

function checkDocument({ metadata, locate }: MetadataFiles): void {
  const result = readMetadataDocument(metadata, emptyCatalog);
  // Older versions fill the server's source `default`: whether it has one is not known here.
  if (result.ok || result.error.code === "not-supported") return;
  throw new InvalidFiles([diagnosticText(result.error, placeIn({ locate }))]);
}

// ---------------------------------------------------------------- export, convert

export interface ExportOptions extends GlobalFlags {
  readonly output?: Format;
}

/** Overwrites the project's metadata with the server's, or prints that. */
export async function exportCommand(options: ExportOptions): Promise<number> {
  const settings = await readSettings(options, process.env);
  const document = await withServer(settings, exportFromServer);
  if (options.output !== undefined) {
    printResult(formatted(document, options.output));
    return 0;
  }
  await writeMetadata(settings.metadataPath, document);
  printDone(`exported the metadata of ${settings.endpoint} to ${settings.metadataPath}`);
  return 0;
}

async function exportFromServer(call: CallMetadata): Promise<JsonObject> {
  const answer = await call({ type: "export_metadata", args: {} });
  if (isObject(answer)) return answer;
  throw new EngineError("unexpected", "$", "the server exported something that is no metadata");
}

export interface ConvertOptions {
  /** Where the name of the result tells none. */
  readonly output?: Format;
}

/** Writes the metadata of a directory or a file as another one, in the form of an export, with nothing left out. */
export async function convertCommand(from: string, to: string, options: ConvertOptions = {}): Promise<number> {
  return reportingMistakes(async () => {
    const { catalog } = await readValidFiles(from);
    await writeMetadata(to, storeMetadata(catalog), options.output);
    if (!standardOutputNames.includes(to)) printDone(`wrote the metadata of ${from} to ${to}`);
    return 0;
  });
}

// ---------------------------------------------------------------- diff

export interface DiffOptions extends GlobalFlags {
  readonly type: DiffType;
  /** Exit with 1 when there are differences. */
  readonly exitCode?: boolean;
}

/**
 * Shows what applying the project's metadata, or that at `paths[0]`, would change on the server; between two paths,
 * what the second has changed. Passwords and literal headers are not shown.
 */
export async function diffCommand(paths: readonly string[], options: DiffOptions): Promise<number> {
  return reportingMistakes(async () => {
    const [before, after] = await sidesOf(paths, options);
    const redact = redactor();
    const from = { ...before, document: redact(before.document) };
    const to = { ...after, document: redact(after.document) };
    const isDifferent = options.type.startsWith("unified-")
      ? printUnifiedDiff(from, to, options)
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

function printUnifiedDiff(from: Side, to: Side, { type, color }: DiffOptions): boolean {
  const lines = unifiedDiff(from, to, type === "unified-json" ? "json" : "yaml");
  const coloured = process.stdout.isTTY === true && color !== false && !process.env.NO_COLOR;
  const { bold, cyan, green, red } = picocolors.createColors(coloured);
  const paint = (line: string): string => {
    if (/^(---|\+\+\+) /.test(line)) return bold(line);
    if (line.startsWith("@@")) return cyan(line);
    if (line.startsWith("+")) return green(line);
    return line.startsWith("-") ? red(line) : line;
  };
  printResult(lines.map((line) => `${paint(line)}\n`).join(""));
  return lines.length > 0;
}

function printChanges(from: Side, to: Side, format: Format): boolean {
  const list = changes(from.document, to.document);
  printResult(formatted(list, format));
  return list.length > 0;
}

// ---------------------------------------------------------------- reload, clear

/** Lets the server read its sources and remote schemas again. */
export async function reloadCommand(flags: GlobalFlags): Promise<number> {
  const settings = await readSettings(flags, process.env);
  await withServer(settings, async (call) => {
    await call({ type: "reload_metadata", args: {} });
    const list = await inconsistenciesOfServer(call);
    printDone("metadata reloaded");
    warnOfInconsistencies(await locatedInconsistencies(call, settings, list), printed);
  });
  return 0;
}

/** Empties the server's metadata. */
export async function clearCommand(flags: GlobalFlags): Promise<number> {
  const settings = await readSettings(flags, process.env);
  const answer = await withServer(settings, (call) => call({ type: "clear_metadata", args: {} }));
  printProblems(warningsOf(answer));
  printDone(`metadata of ${settings.endpoint} cleared`);
  return 0;
}

// ---------------------------------------------------------------- inconsistency

export interface InconsistencyOptions extends GlobalFlags {
  /** Files to look at instead of a server; `shape` alone: those of the project. */
  readonly metadata?: string;
  readonly shape?: string;
  readonly output?: Format;
}

/** Prints a line, or an entry of a list, for each inconsistent object. */
export async function listInconsistenciesCommand(options: InconsistencyOptions): Promise<number> {
  return reportingMistakes(async () => {
    const list = await inconsistencies(options);
    const plain = foldedLines(list)
      .map((line) => `${line}\n`)
      .join("");
    printResult(options.output === undefined ? plain : formatted(list.entries, options.output));
    return 0;
  });
}

/** Resolves to 1 when something is inconsistent. */
export async function inconsistencyStatusCommand(options: InconsistencyOptions): Promise<number> {
  return reportingMistakes(async () => {
    const { lines } = await inconsistencies(options);
    const isConsistent = lines.length === 0;
    printResult(isConsistent ? "metadata is consistent\n" : `metadata is inconsistent, ${count(lines)}\n`);
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

/** Takes all inconsistent objects out of the server's metadata, and tells which. */
export async function dropInconsistenciesCommand(flags: GlobalFlags): Promise<number> {
  const settings = await readSettings(flags, process.env);
  await withServer(settings, async (call) => {
    const list = await locatedInconsistencies(call, settings, await inconsistenciesOfServer(call));
    const { lines } = list;
    await call({ type: "drop_inconsistent_metadata", args: {} });
    const dropped = lines.length === 0 ? "metadata is consistent: nothing to drop" : `dropped ${count(lines)}:`;
    printProblems([dropped, ...foldedLines(list)]);
  });
  return 0;
}
