/** Reads metadata from a metadata directory or from one JSON or YAML file. */

import { readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Json } from "../../../compiler/catalog/model.ts";
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import {
  actionsFile,
  actionsSdlFile,
  configFileName,
  databasesFile,
  oneDatabaseFiles,
  sections,
  versionFile,
} from "./layout.ts";
import { FileLoader, textOf } from "./load-files.ts";
import {
  type FileWarning,
  fileWarning,
  type Located,
  type Location,
  Locations,
  type Place,
  type SourceText,
} from "./locations.ts";
import { mergeActions } from "./merge-actions.ts";
import type { ReportLeftOut } from "./sdl-values.ts";

export interface MetadataFiles {
  /** The metadata document in the form of `replace_metadata`, not validated. */
  readonly metadata: Json;
  /** Returns the location of a JSONPath such as `$.sources[0].tables[1]`, or of its nearest ancestor that has one. */
  locate(path: string): Location | undefined;
  /** Parts of the files that are left out. */
  readonly warnings: readonly FileWarning[];
}

/**
 * Reads metadata. In a directory, all files are optional, unused files cause warnings, and empty sections are ignored.
 * @param path a directory or a file
 * @throws EngineError with file, line and column for invalid syntax, and for includes that are missing, cyclic or not
 * below the directory
 */
export async function readMetadataDirectory(path: string): Promise<MetadataFiles> {
  const locations = new Locations();
  const warnings: FileWarning[] = [];
  const report = (place: Place, message: string): void => void warnings.push(fileWarning(place, message));
  const metadata = (await isDirectory(path))
    ? await readDirectory(path, locations, report)
    : await readFile(path, locations);
  return { metadata, locate: (place) => locations.find(metadata, place), warnings };
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    throw new EngineError("not-found", "$", `no such file or directory: ${path}, expected metadata`, { cause: error });
  }
}

/** Unwraps files saved by a console, which contain `resource_version` and `metadata`. */
async function readFile(path: string, locations: Locations): Promise<Json> {
  const read = await new FileLoader(dirname(path), locations).read(path);
  const value = read?.value ?? null;
  const isSaved = isObject<Json>(value) && value.resource_version !== undefined && isObject<Json>(value.metadata);
  return isSaved ? (value.metadata ?? null) : value;
}

async function readDirectory(path: string, locations: Locations, report: ReportLeftOut): Promise<Json> {
  const loader = new FileLoader(path, locations);
  const read = async (file: string) => await loader.read(join(path, file));
  const version = await read(versionFile);
  const sources = await read(databasesFile);
  const sdl = await readSdl(join(path, actionsSdlFile));
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
  await warnOfUnreadFiles(path, loader.paths, report);
  return locations.object([...entries]);
}

/**
 * Warns of files without a section or `!include`, such as a table whose line in `tables.yaml` is missing. Searches the
 * root, `databases/`, and folders with included files: other folders do not contain metadata.
 */
async function warnOfUnreadFiles(root: string, read: readonly string[], report: ReportLeftOut): Promise<void> {
  const known = new Set(read);
  const folders = new Set([root, ...read.map((file) => dirname(file))]);
  const databases = join(root, dirname(databasesFile));
  const entries = [
    ...(await readdir(databases, { recursive: true, withFileTypes: true }).catch(() => [])),
    ...(await Promise.all([...folders].map((each) => readdir(each, { withFileTypes: true })))).flat(),
  ];
  const unread = entries
    .filter((entry) => entry.isFile() && /\.(?:ya?ml|json)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !known.has(file) && file !== join(root, configFileName));
  for (const file of [...new Set(unread)].sort()) {
    report({ source: { file, text: "" }, offset: 0 }, "this file is left out: no section or !include refers to it");
  }
}

async function readSdl(file: string): Promise<SourceText | undefined> {
  const text = await textOf(file);
  return text === undefined ? undefined : { file, text };
}

function isEmpty(value: Json): boolean {
  if (value === null) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
