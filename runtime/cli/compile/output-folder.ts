/**
 * Writes generated files into a folder, all or none: the new folder is written beside the old one and replaces it.
 * Other files in the folder are kept or refused.
 */

import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { manifestPath } from "../../../compiler/4-emit/paths.ts";
import { EngineError } from "../../values/errors.ts";
import { messageOf } from "../../values/message-of.ts";

/** Text by path, separated by slashes. */
export type OutputFiles = ReadonlyMap<string, string>;

export interface OutputSummary {
  readonly written: number;
  /** Number of written files that are new or different. */
  readonly changed: number;
  readonly removed: number;
}

/**
 * Replaces the generated files below `folder`.
 * @param others treatment of other files in the folder
 * @throws EngineError if the folder is not empty and lacks a manifest, or cannot be written
 */
export async function writeOutput(
  folder: string,
  files: OutputFiles,
  { others = "keep" }: { readonly others?: "keep" | "refuse" } = {},
): Promise<OutputSummary> {
  const target = resolve(folder);
  const staging = join(dirname(target), `.${basename(target)}.${randomUUID()}`);
  const replaced = `${staging}.old`;
  try {
    const before = await filesBelow(target);
    const generated = await generatedFiles(target, before);
    const own = [...before].filter((path) => !generated.has(path) && !files.has(path));
    if (own.length > 0 && others === "refuse") {
      const message = `${folder} contains files that are not part of the output; move them first: ${own.sort().join(", ")}`;
      throw new EngineError("not-supported", "$", message);
    }
    for (const [path, text] of files) await writeBelow(staging, path, text);
    const changed = await countChanged(target, before, files);
    if (await exists(target)) await rename(target, replaced);
    await moveInto(staging, target, replaced);
    for (const path of own) await moveFile(join(replaced, path), join(target, path));
    await rm(replaced, { recursive: true, force: true });
    const removed = [...generated].filter((path) => before.has(path) && !files.has(path)).length;
    return { written: files.size, changed, removed };
  } catch (error) {
    await rm(staging, { recursive: true, force: true }).catch(() => undefined);
    if (error instanceof EngineError) throw error;
    throw new EngineError("unwritable", "$", `cannot write ${folder}: ${messageOf(error)}`, { cause: error });
  }
}

/** Moves the new folder to its target, or restores the old folder. */
async function moveInto(staging: string, target: string, replaced: string): Promise<void> {
  try {
    await rename(staging, target);
  } catch (error) {
    if (await exists(replaced)) await rename(replaced, target);
    throw error;
  }
}

/** Returns the files of an earlier run. A folder without a manifest must be empty. */
async function generatedFiles(folder: string, before: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  if (before.size === 0) return new Set();
  const listed = before.has(manifestPath)
    ? filesOfManifest(await readFile(join(folder, manifestPath), "utf8"))
    : undefined;
  if (listed === undefined) {
    const message = `${folder} is not empty and has no ${manifestPath} of an earlier run: choose another folder, or empty it`;
    throw new EngineError("not-supported", "$", message);
  }
  return new Set([...listed, manifestPath]);
}

function filesOfManifest(text: string): readonly string[] | undefined {
  try {
    const manifest: unknown = JSON.parse(text);
    if (typeof manifest !== "object" || manifest === null) return undefined;
    if (!("generator" in manifest) || manifest.generator !== "engine" || !("files" in manifest)) return undefined;
    return typeof manifest.files === "object" && manifest.files !== null ? Object.keys(manifest.files) : undefined;
  } catch {
    // Not JSON, so not written by this engine.
    return undefined;
  }
}

async function countChanged(folder: string, before: ReadonlySet<string>, files: OutputFiles): Promise<number> {
  let changed = 0;
  for (const [path, text] of files) {
    if (!before.has(path) || (await readFile(join(folder, path), "utf8")) !== text) changed++;
  }
  return changed;
}

async function writeBelow(folder: string, path: string, text: string): Promise<void> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text, { flag: "wx" });
}

async function moveFile(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await rename(from, to);
}

/** Returns paths separated by slashes; empty if the folder is missing. */
async function filesBelow(folder: string): Promise<ReadonlySet<string>> {
  const entries = await orUndefined(readdir(folder, { recursive: true, withFileTypes: true }));
  const files = (entries ?? []).filter((entry) => !entry.isDirectory());
  return new Set(files.map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/")));
}

async function exists(folder: string): Promise<boolean> {
  return (await orUndefined(readdir(folder))) !== undefined;
}

async function orUndefined<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
