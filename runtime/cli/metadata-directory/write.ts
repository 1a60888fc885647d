/** Writes a metadata directory and removes files that are no longer part of it. */
import { cp, mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, extname, join, relative } from "node:path";
import type { Json, JsonObject } from "../../../compiler/catalog/model.ts";
import { EngineError } from "../../values/errors.ts";
import { fileNames, qualifiedFile } from "./file-names.ts";
import { actionsFile, actionsSdlFile, databasesFile, sections, versionFile } from "./layout.ts";
import { asObject, objects, splitActions } from "./split-actions.ts";
import { IncludedFile, type YamlContent, yamlText } from "./yaml-text.ts";

const signals = ["SIGINT", "SIGTERM"] as const;

/** Defers signals until the work is complete, so that Ctrl-C cannot leave files half written. */
async function uninterrupted<T>(work: () => Promise<T>): Promise<T> {
  let received: NodeJS.Signals | undefined;
  const hold = (signal: NodeJS.Signals): void => {
    received ??= signal;
  };
  for (const signal of signals) process.on(signal, hold);
  try {
    return await work();
  } finally {
    for (const signal of signals) process.off(signal, hold);
    if (received !== undefined) process.kill(process.pid, received);
  }
}

/**
 * Writes a metadata document of version 3 as a directory. New files are complete before they replace old files, which
 * are restored after a failure. Files of removed tables are deleted; other files, and files that are not YAML, are
 * kept.
 */
export async function writeMetadataDirectory(path: string, metadata: Json): Promise<void> {
  const files = metadataFiles(asObject(metadata));
  await uninterrupted(() => writeFiles(path, files));
}

async function writeFiles(path: string, files: ReadonlyMap<string, string>): Promise<void> {
  await mkdir(path, { recursive: true });
  const staging = await mkdtemp(join(path, ".writing-"));
  const next = join(staging, "next");
  const previous = join(staging, "previous");
  let disposable = true;
  try {
    for (const [file, text] of files) await writeNew(join(next, file), text);
    await keepForeignFiles(join(path, databasesFolder), join(next, databasesFolder));
    const entries = new Set([...files.keys()].map((file) => file.split("/")[0] ?? file));
    await mkdir(previous);
    disposable = false;
    await replaceEntries(path, next, previous, [...entries]);
    disposable = true;
  } catch (error) {
    if (error instanceof PutBack) disposable = true;
    throw error instanceof PutBack ? error.cause : error;
  } finally {
    if (disposable) await rm(staging, { recursive: true, force: true });
  }
}

/** Thrown if the replacement failed and the old files have been restored. */
class PutBack extends Error {}

const databasesFolder = dirname(databasesFile);

async function writeNew(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

/** Copies files of the user that are not YAML, such as a README. */
async function keepForeignFiles(from: string, to: string): Promise<void> {
  for (const entry of await readdirOrNone(from)) {
    const isYaml = [".yaml", ".yml"].includes(extname(entry.name));
    if (entry.isDirectory() || isYaml) continue;
    const old = join(entry.parentPath, entry.name);
    await cp(old, join(to, relative(from, old)), { force: false });
  }
}

async function readdirOrNone(path: string) {
  try {
    return await readdir(path, { recursive: true, withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/**
 * Moves entries of `next` into the directory, and existing entries to `previous`. Reverts all moves after a failure.
 */
async function replaceEntries(path: string, next: string, previous: string, entries: readonly string[]): Promise<void> {
  const undo: (() => Promise<void>)[] = [];
  try {
    for (const entry of entries) {
      const place = join(path, entry);
      if (await moveIfThere(place, join(previous, entry))) undo.push(() => rename(join(previous, entry), place));
      await rename(join(next, entry), place);
      undo.push(() => rename(place, join(next, entry)));
    }
  } catch (error) {
    const failures = await undoAll(undo);
    if (failures.length > 0) {
      const message = `cannot write ${path}, and cannot restore its old files: they are in ${previous}`;
      throw new EngineError("unexpected", "$", message, { cause: new AggregateError([error, ...failures]) });
    }
    throw new PutBack("writing failed", { cause: error });
  }
}

/** Runs all steps in reverse order, and returns the failures. */
async function undoAll(steps: readonly (() => Promise<void>)[]): Promise<readonly unknown[]> {
  const failures: unknown[] = [];
  for (const step of steps.toReversed()) await step().catch((error: unknown) => failures.push(error));
  return failures;
}

async function moveIfThere(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

// ---------------------------------------------------------------- content

/** Returns the text of all files by path, separated by `/` on all systems. */
function metadataFiles(metadata: JsonObject): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  files.set(versionFile, yamlText({ version: metadata.version ?? 3 }));
  files.set(databasesFile, yamlText(databases(metadata.sources, files)));
  const { yaml, sdl } = splitActions(metadata.actions, metadata.custom_types);
  files.set(actionsFile, yamlText(yaml));
  files.set(actionsSdlFile, sdl);
  for (const { key, file, empty } of sections) files.set(file, yamlText(metadata[key] ?? empty));
  return files;
}

function databases(sources: Json | undefined, files: Map<string, string>): YamlContent {
  const list = objects(sources);
  const labels = list.map(({ name }) => ({ label: String(name), identity: String(name) }));
  const folders = fileNames(labels, ["databases.yaml"]);
  return list.map((source, index) => {
    const folder = folders[index] ?? "";
    const { name, kind, configuration, customization, tables, functions, ...others } = source;
    const includes = {
      tables: includedList(folder, "tables", "table", tables, files),
      functions: includedList(folder, "functions", "function", functions, files),
    };
    return defined({ name, kind, configuration, customization, ...includes, ...others });
  });
}

/** Adds one file for each element, and returns the include of the list; `undefined` for a missing list. */
function includedList(
  folder: string,
  list: string,
  nameKey: string,
  value: Json | undefined,
  files: Map<string, string>,
): YamlContent | undefined {
  if (value === undefined) return undefined;
  const elements = objects(value);
  const names = fileNames(
    elements.map((element) => qualifiedFile(element[nameKey])),
    [list],
  );
  const base = `${folder}/${list}`;
  elements.forEach((element, index) => {
    files.set(`${databasesFolder}/${base}/${names[index]}.yaml`, yamlText(element));
  });
  const includes = names.map((name) => new IncludedFile(`${name}.yaml`));
  files.set(`${databasesFolder}/${base}/${list}.yaml`, yamlText(includes));
  return new IncludedFile(`${base}/${list}.yaml`);
}

/** Removes keys without a value. */
function defined(content: Readonly<Record<string, YamlContent | undefined>>): YamlContent {
  const entries = Object.entries(content).filter((entry): entry is [string, YamlContent] => entry[1] !== undefined);
  return Object.fromEntries(entries);
}
