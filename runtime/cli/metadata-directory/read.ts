/** Reads metadata from a metadata directory or from one JSON or YAML file. */

import { readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Json } from "../../../compiler/catalog/model.ts";
import {
  type FileWarning,
  fileWarning,
  type Located,
  type Location,
  Locations,
  type Place,
} from "../../metadata-text/locations.ts";
import { mergeActions } from "../../metadata-text/merge-actions.ts";
import type { ReportLeftOut } from "../../metadata-text/sdl-values.ts";
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import type { FileChanges } from "./file-changes.ts";
import {
  actionsFile,
  actionsSdlFile,
  adviceFileName,
  configFileName,
  databasesFile,
  oneDatabaseFiles,
  sections,
  versionFile,
} from "./layout.ts";
import { FileLoader, type LoadedFile } from "./load-files.ts";

export interface MetadataFiles {
  /** The metadata document in the form of `replace_metadata`, not validated. */
  readonly metadata: Json;
  /** Returns the location of a JSONPath such as `$.sources[0].tables[1]`, or of its nearest ancestor that has one. */
  locate(path: string): Location | undefined;
  /** Parts of the files that are left out. */
  readonly warnings: readonly FileWarning[];
  /** All files that were read, by path. */
  readonly files: ReadonlyMap<string, LoadedFile>;
  /** Returns the value of one of the files, with that of its includes. */
  valueOf(file: string): Json | undefined;
}

/**
 * Reads metadata. In a directory, all files are optional, unused files cause warnings, and empty sections are ignored.
 * @param path a directory or a file
 * @param changes texts that replace those of files, or absent files
 * @throws EngineError with file, line and column for invalid syntax, and for includes that are missing, cyclic or not
 * below the directory
 */
export async function readMetadataDirectory(path: string, changes?: FileChanges): Promise<MetadataFiles> {
  const locations = new Locations();
  const isFolder = await isDirectory(path);
  const loader = new FileLoader(isFolder ? path : dirname(path), locations, changes);
  const warnings: FileWarning[] = [];
  const report = (place: Place, message: string): void => void warnings.push(fileWarning(place, message));
  const metadata = isFolder ? await readDirectory(path, loader, locations, report) : await readFile(path, loader);
  // Changes concern no file that is left out.
  if (isFolder && changes === undefined) await warnOfUnreadFiles(path, [...loader.files.keys()], report);
  return {
    metadata,
    locate: (place) => locations.find(metadata, place),
    warnings,
    files: loader.files,
    valueOf: (file) => loader.valueOf(file),
  };
}

/** Returns true if a directory has one of the files of metadata. */
export async function isMetadataDirectory(path: string): Promise<boolean> {
  const files = [versionFile, databasesFile, actionsFile, actionsSdlFile, ...Object.values(oneDatabaseFiles)];
  const all = [...files, ...sections.map(({ file }) => file)];
  const found = await Promise.all(all.map((file) => stat(join(path, file)).catch(() => undefined)));
  return found.some((each) => each?.isFile());
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    throw new EngineError("not-found", "$", `no such file or directory: ${path}, expected metadata`, { cause: error });
  }
}

/** Unwraps files saved by a console, which contain `resource_version` and `metadata`. */
async function readFile(path: string, loader: FileLoader): Promise<Json> {
  const read = await loader.read(path);
  const value = read?.value ?? null;
  const isSaved = isObject<Json>(value) && value.resource_version !== undefined && isObject<Json>(value.metadata);
  return isSaved ? (value.metadata ?? null) : value;
}

async function readDirectory(
  path: string,
  loader: FileLoader,
  locations: Locations,
  report: ReportLeftOut,
): Promise<Json> {
  const read = async (file: string) => await loader.read(join(path, file));
  const version = await read(versionFile);
  const sources = await read(databasesFile);
  const sdl = await loader.readText(join(path, actionsSdlFile));
  const actions = mergeActions(await read(actionsFile), sdl, locations, report);
  const entries = new Map<string, Located>();
  let found = [version, sources, sdl].some((each) => each !== undefined) || actions.length > 0;
  entries.set("version", locations.member(version?.value, "version") ?? { value: 3, place: version?.place });
  if (sources !== undefined) entries.set("sources", { ...sources, value: sources.value ?? [] });
  for (const [key, file] of sources === undefined ? Object.entries(oneDatabaseFiles) : []) {
    const list = await read(file);
    found ||= list !== undefined;
    if (list !== undefined) entries.set(key, { ...list, value: list.value ?? [] });
  }
  for (const [key, value] of actions) if (!isEmpty(value.value)) entries.set(key, value);
  for (const { key, file } of sections) {
    const section = await read(file);
    found ||= section !== undefined;
    if (section !== undefined && !isEmpty(section.value)) entries.set(key, section);
  }
  if (!found) {
    const expected = `${versionFile}, ${databasesFile} or another file of a metadata directory`;
    throw new EngineError("not-found", "$", `${path} contains no metadata: expected ${expected}`);
  }
  return locations.object([...entries]);
}

/**
 * Warns of files without a section or `!include`, such as a table whose line in `tables.yaml` is missing. Searches the
 * root, `databases/`, and folders with included files: other folders do not contain metadata.
 */
async function warnOfUnreadFiles(root: string, read: readonly string[], report: ReportLeftOut): Promise<void> {
  const known = new Set([...read, join(root, configFileName), join(root, adviceFileName)]);
  const folders = new Set([root, ...read.map((file) => dirname(file))]);
  const databases = join(root, dirname(databasesFile));
  const entries = [
    ...(await readdir(databases, { recursive: true, withFileTypes: true }).catch(() => [])),
    ...(await Promise.all([...folders].map((each) => readdir(each, { withFileTypes: true })))).flat(),
  ];
  const unread = entries
    .filter((entry) => entry.isFile() && /\.(?:ya?ml|json)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !known.has(file));
  for (const file of [...new Set(unread)].sort()) {
    report({ source: { file, text: "" }, offset: 0 }, "this file is left out: no section or !include refers to it");
  }
}

function isEmpty(value: Json): boolean {
  if (value === null) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
