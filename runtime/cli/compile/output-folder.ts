/**
 * Writes the generated files into a folder: all of them or none. The new folder is written beside the old one and
 * takes its place; files that were not generated move along, or are refused.
 */
import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { manifestPath } from "../../../compiler/4-emit/paths.ts";
import { EngineError } from "../../values/errors.ts";

/** Text by path, with slashes. */
export type OutputFiles = ReadonlyMap<string, string>;

export interface OutputSummary {
  readonly written: number;
  /** Of these new, or with another text than before. */
  readonly changed: number;
  readonly removed: number;
}

/**
 * Replaces the generated files below `folder`.
 * @param others what happens to other files in it
 * @throws EngineError when it holds something else than a compiler's output, or cannot be written
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
      const message = `${folder} holds files that do not belong to the output: move ${own.sort().join(", ")} elsewhere`;
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

/** Puts the new folder in place, or the old one back. */
async function moveInto(staging: string, target: string, replaced: string): Promise<void> {
  try {
    await rename(staging, target);
  } catch (error) {
    if (await exists(replaced)) await rename(replaced, target);
    throw error;
  }
}

/** The files that an earlier run wrote; a folder without a manifest of ours must be empty. */
async function generatedFiles(folder: string, before: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  if (before.size === 0) return new Set();
  const listed = before.has(manifestPath)
    ? filesOfManifest(await readFile(join(folder, manifestPath), "utf8"))
    : undefined;
  if (listed === undefined) {
    const message = `${folder} is not empty and holds no ${manifestPath} of the compiler: choose another folder, or empty it`;
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
    // Not JSON: then it is none of ours.
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

/** Paths with slashes; none where there is no such folder. */
async function filesBelow(folder: string): Promise<ReadonlySet<string>> {
  const entries = await orNothing(readdir(folder, { recursive: true, withFileTypes: true }));
  const files = (entries ?? []).filter((entry) => !entry.isDirectory());
  return new Set(files.map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/")));
}

async function exists(folder: string): Promise<boolean> {
  return (await orNothing(readdir(folder))) !== undefined;
}

async function orNothing<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
