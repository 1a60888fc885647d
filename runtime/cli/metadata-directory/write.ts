/**
 * Writes a metadata directory. Files that exist are changed only where they mean something else; their layout and the
 * rest of their text are kept.
 */
import { access, readdir, stat } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { exportMetadata } from "../../../compiler/catalog/canonical.ts";
import { emptyCatalog } from "../../../compiler/catalog/catalog.ts";
import type { Json, JsonObject } from "../../../compiler/catalog/model.ts";
import { readMetadataDocument } from "../../../compiler/catalog/upgrade.ts";
import { asObject, objects, splitActions } from "../../metadata-text/split-actions.ts";
import { type YamlContent, yamlText } from "../../metadata-text/yaml-text.ts";
import { canonicalJson } from "../../values/canonical-json.ts";
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { editActions } from "./edit-actions.ts";
import { MetadataEdit, member, type ObjectPath, pathText } from "./edit-metadata.ts";
import type { FileChanges } from "./file-changes.ts";
import { fileNames } from "./file-names.ts";
import { identityOf, identityText, indexed } from "./identity.ts";
import { includedList, listKeys } from "./included-lists.ts";
import { actionsFile, actionsSdlFile, databasesFile, sections, versionFile } from "./layout.ts";
import { isMetadataDirectory, type MetadataFiles, readMetadataDirectory } from "./read.ts";
import { replaceFiles, uninterrupted } from "./replace-files.ts";
import { NotEditable } from "./text-edits.ts";

/**
 * Writes a metadata document of version 3 into a directory, or into one YAML or JSON file that exists. All files are
 * written or none. Files of removed tables are deleted; files without metadata are kept.
 * @param files what the document is based on; default the present files
 * @throws EngineError `conflict` if the files have changed since they were read; located errors for invalid syntax
 */
export function writeMetadataDirectory(path: string, metadata: Json, files?: MetadataFiles): Promise<void> {
  return uninterrupted(() => writeFiles(path, metadata, files));
}

async function writeFiles(path: string, metadata: Json, files: MetadataFiles | undefined): Promise<void> {
  const present = files ?? ((await hasMetadata(path)) ? await readMetadataDirectory(path) : undefined);
  if (present === undefined || isObject<Json>(present.metadata) === false || hasOldLayout(present.metadata)) {
    await replaceFiles(path, await newFiles(path, asObject(metadata)));
    return;
  }
  const known = new Map([...present.files].map(([file, { source }]) => [file, source.text]));
  const changes = await changedFiles(path, present, metadata);
  const folder = (await stat(path)).isDirectory() ? path : dirname(path);
  await replaceFiles(folder, changes, known);
}

async function hasMetadata(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() === true ? await isMetadataDirectory(path) : found !== undefined;
}

/** Directories of version 2, whose tables belong to no source. */
function hasOldLayout(metadata: Json): boolean {
  return isObject<Json>(metadata) && metadata.sources === undefined && metadata.tables !== undefined;
}

// ---------------------------------------------------------------- changes

/** Returns the canonical form of valid metadata, and any other value unchanged. */
function formOf(metadata: Json): JsonObject {
  const read = readMetadataDocument({ sources: [], ...asObject(metadata) }, emptyCatalog);
  return read.ok ? exportMetadata(read.value) : asObject(metadata);
}

/** Number of times that larger objects are rewritten, before the change is refused. */
const maxAttempts = 12;

/**
 * Returns the changes, after reading them back. Objects that read differently are rewritten, together with more and more
 * of the objects that contain them.
 */
async function changedFiles(path: string, present: MetadataFiles, metadata: Json): Promise<FileChanges> {
  const [old, next] = [formOf(present.metadata), formOf(metadata)];
  const rewritten = new Set<string>();
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const edit = new MetadataEdit({ files: present.files, rewritten });
    const wrong = await attempted(path, { edit, present, old, next });
    if ("changes" in wrong) return wrong.changes;
    for (const each of wrong.paths) rewritten.add(pathText(each.slice(0, Math.max(1, each.length - attempt))));
  }
  const message = `cannot change ${path} without rewriting it: the files were not changed`;
  throw new EngineError("unwritable", "$", message);
}

interface Attempt {
  readonly edit: MetadataEdit;
  readonly present: MetadataFiles;
  readonly old: JsonObject;
  readonly next: JsonObject;
}

/** Returns the changes, or the paths of objects that cannot be changed this way. */
async function attempted(
  path: string,
  { edit, present, old, next }: Attempt,
): Promise<{ readonly changes: FileChanges } | { readonly paths: readonly ObjectPath[] }> {
  try {
    if (present.files.has(path)) editFile(path, edit, present, old, next);
    else editSections(path, edit, present, old, next);
    const { changes } = edit;
    const found = formOf((await readMetadataDirectory(path, changes)).metadata);
    if (canonicalJson(found) === canonicalJson(next)) return { changes };
    return { paths: differences(found, next, []) };
  } catch (error) {
    if (!(error instanceof NotEditable || error instanceof EngineError)) throw error;
    return { paths: edit.changed };
  }
}

function editFile(path: string, edit: MetadataEdit, present: MetadataFiles, old: JsonObject, next: JsonObject): void {
  const whole = present.valueOf(path);
  const members = whole === present.metadata ? [] : ["metadata"];
  edit.change(path, present.metadata, old, next, [], members);
}

function editSections(
  path: string,
  edit: MetadataEdit,
  present: MetadataFiles,
  old: JsonObject,
  next: JsonObject,
): void {
  const change = (key: string, file: string, before: Json | undefined, after: Json | undefined, empty: Json): void => {
    if (canonicalJson(before) === canonicalJson(after)) return;
    const full = join(path, file);
    const written = present.valueOf(full);
    if (written === undefined) edit.setText(full, yamlText(after ?? empty));
    else edit.change(full, written, before ?? empty, after ?? empty, key === "" ? [] : [key]);
  };
  if (present.valueOf(join(path, databasesFile)) === undefined) {
    const files = new Map<string, string>();
    files.set(databasesFile, yamlText(databases(next.sources, files)));
    if (objects(next.sources).length > 0) for (const [file, text] of files) edit.setText(join(path, file), text);
  } else {
    change("sources", databasesFile, old.sources, next.sources, []);
  }
  const sdlFile = join(path, actionsSdlFile);
  const actions = editActions(
    present.files.get(sdlFile)?.source.text ?? "",
    present.valueOf(join(path, actionsFile)),
    { actions: old.actions, customTypes: old.custom_types },
    { actions: next.actions, customTypes: next.custom_types },
  );
  change("", actionsFile, actions.old, actions.next, {});
  if (actions.sdl !== undefined) edit.setText(sdlFile, actions.sdl);
  for (const { key, file, empty } of sections) change(key, file, old[key], next[key], empty as Json);
}

/** Returns the paths of the smallest objects that differ. */
function differences(left: Json | undefined, right: Json | undefined, path: ObjectPath): readonly ObjectPath[] {
  if (canonicalJson(left) === canonicalJson(right)) return [];
  const inside = (key: string, before: Json | undefined, after: Json | undefined) =>
    before === undefined || after === undefined ? [path] : differences(before, after, [...path, key]);
  let found: readonly ObjectPath[] = [];
  if (isObject<Json>(left) && isObject<Json>(right)) {
    const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
    found = [...keys].flatMap((key) => inside(key, member(left, key), member(right, key)));
  } else if (Array.isArray(left) && Array.isArray(right) && indexed(left) && indexed(right)) {
    const named = (list: readonly Json[]) =>
      new Map(list.map((each) => [identityText(identityOf(each) ?? { key: "", value: null }), each]));
    const [before, after] = [named(left), named(right)];
    found = [...new Set([...before.keys(), ...after.keys()])].flatMap((identity) =>
      inside(identity, before.get(identity), after.get(identity)),
    );
  }
  return found.length === 0 ? [path] : found;
}

// ---------------------------------------------------------------- new directories

/**
 * Returns the files of a new directory. YAML files below `databases/` and files of optional sections
 * that are not among them are deleted.
 */
async function newFiles(path: string, metadata: JsonObject): Promise<FileChanges> {
  const changes = new Map<string, string | undefined>();
  for (const file of await yamlFilesBelow(join(path, dirname(databasesFile)))) changes.set(file, undefined);
  for (const { file, isOptional } of sections) {
    if (isOptional && (await exists(join(path, file)))) changes.set(join(path, file), undefined);
  }
  for (const [file, text] of metadataFiles(metadata)) changes.set(join(path, file), text);
  return changes;
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

async function yamlFilesBelow(path: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(path, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => !entry.isDirectory() && [".yaml", ".yml"].includes(extname(entry.name)));
    return files.map((entry) => join(entry.parentPath, entry.name));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

/** Returns the text of all files by path, separated by `/` on all systems. */
function metadataFiles(metadata: JsonObject): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  files.set(versionFile, yamlText({ version: metadata.version ?? 3 }));
  files.set(databasesFile, yamlText(databases(metadata.sources, files)));
  const { yaml, sdl } = splitActions(metadata.actions, metadata.custom_types);
  files.set(actionsFile, yamlText(yaml));
  files.set(actionsSdlFile, sdl);
  for (const { key, file, empty, isOptional } of sections) {
    const value = metadata[key] ?? (isOptional ? undefined : empty);
    if (value !== undefined) files.set(file, yamlText(value));
  }
  return files;
}

/** @param files receives the files of the sources, by their path from the directory */
function databases(sources: Json | undefined, files: Map<string, string>): YamlContent {
  const list = objects(sources);
  const labels = list.map(({ name }) => ({ label: String(name), identity: String(name) }));
  const folders = fileNames(labels, ["databases.yaml"]);
  return list.map((source, index) => {
    const included = new Map<string, string>();
    const lists = listKeys.map((each): [string, YamlContent | undefined] => {
      const value = source[each.list];
      return [each.list, value && includedList(folders[index] ?? "", each, value, included)];
    });
    for (const [file, text] of included) files.set(`${dirname(databasesFile)}/${file}`, text);
    const { name, kind, configuration, customization, tables, functions, ...others } = source;
    return defined({ name, kind, configuration, customization, ...Object.fromEntries(lists), ...others });
  });
}

/** Removes keys without a value. */
function defined(content: Readonly<Record<string, YamlContent | undefined>>): YamlContent {
  const entries = Object.entries(content).filter((entry): entry is [string, YamlContent] => entry[1] !== undefined);
  return Object.fromEntries(entries);
}
