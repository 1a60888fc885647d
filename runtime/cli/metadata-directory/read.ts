/** Reads metadata from a metadata directory (`operations.md` 18) or from one JSON or YAML file. */

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
import type { TellLeftOut } from "./sdl-values.ts";

export interface MetadataFiles {
  /** The metadata document, as `replace_metadata` takes it. Not validated. */
  readonly metadata: Json;
  /** Where the part that a JSONPath such as `$.sources[0].tables[1]` names was read, or what is nearest around it. */
  locate(path: string): Location | undefined;
  /** What of the files is left out. */
  readonly warnings: readonly FileWarning[];
}

/**
 * `path` is a directory or a file. In a directory every file may be missing, files that nothing reads are warnings,
 * and empty sections count as absent. Throws an `EngineError` that begins with file, line and column for wrong syntax and for
 * includes that are missing, cyclic or outside of the directory.
 */
export async function readMetadataDirectory(path: string): Promise<MetadataFiles> {
  const locations = new Locations();
  const warnings: FileWarning[] = [];
  const tell = (place: Place, message: string): void => void warnings.push(fileWarning(place, message));
  const metadata = (await isDirectory(path))
    ? await readDirectory(path, locations, tell)
    : await readFile(path, locations);
  return { metadata, locate: (place) => locations.find(metadata, place), warnings };
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    throw new EngineError("not-found", "$", `there is no metadata at ${path}`, { cause: error });
  }
}

/** What consoles save has the version of the resource around the metadata. */
async function readFile(path: string, locations: Locations): Promise<Json> {
  const read = await new FileLoader(dirname(path), locations).read(path);
  const value = read?.value ?? null;
  const isSaved = isObject<Json>(value) && value.resource_version !== undefined && isObject<Json>(value.metadata);
  return isSaved ? (value.metadata ?? null) : value;
}

async function readDirectory(path: string, locations: Locations, tell: TellLeftOut): Promise<Json> {
  const loader = new FileLoader(path, locations);
  const read = async (file: string) => await loader.read(join(path, file));
  const version = await read(versionFile);
  const sources = await read(databasesFile);
  const sdl = await readSdl(join(path, actionsSdlFile));
  const actions = mergeActions(await read(actionsFile), sdl, locations, tell);
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
    throw new EngineError("not-found", "$", `there is no metadata in ${path}: expected ${expected}`);
  }
  await warnOfUnreadFiles(path, loader.paths, tell);
  return locations.object([...entries]);
}

/**
 * Warns of files that no section and no `!include` reaches, such as a table whose line in `tables.yaml` was lost. Looks
 * at the root, at `databases/`, and at folders from which something is included: others are not about metadata.
 */
async function warnOfUnreadFiles(root: string, read: readonly string[], tell: TellLeftOut): Promise<void> {
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
    tell({ source: { file, text: "" }, offset: 0 }, "no section and no !include reads this file: it is left out");
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
