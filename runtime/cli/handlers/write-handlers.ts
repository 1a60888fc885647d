/**
 * Writes handlers into a folder. The generated module is replaced. Files of handlers belong to the user: missing files
 * are created, and existing files get updated signatures. No file is deleted.
 */
import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { emitHandlers } from "../../../compiler/handlers/emit-handlers.ts";
import { generatedModulePath, type Handlers } from "../../../compiler/handlers/handlers.ts";
import { EngineError } from "../../values/errors.ts";
import { replaceFile } from "../project/replace-file.ts";
import { type UserFiles, userFiles } from "./user-file.ts";

export interface WrittenHandlers {
  /** Paths relative to the folder. */
  readonly created: readonly string[];
  readonly updated: readonly string[];
  /** Files that need a manual change, one line each. */
  readonly remarks: readonly string[];
}

/** @throws EngineError if the folder cannot be written, or its `generatedModulePath` was not generated */
export async function writeHandlers(folder: string, model: Handlers): Promise<WrittenHandlers> {
  const files = await userFiles();
  const fresh = emitHandlers(model);
  const generated = fresh.get(generatedModulePath) ?? "";
  const before = await textOf(join(folder, generatedModulePath));
  if (before !== undefined && firstLine(before) !== firstLine(generated)) {
    const message = `${join(folder, generatedModulePath)} was not generated: move it, or choose another folder`;
    throw new EngineError("not-supported", "$", message);
  }
  const created: string[] = [];
  const updated: string[] = [];
  const remarks: string[] = [];
  for (const handler of model.handlers) {
    const { path, label } = handler;
    const file = join(folder, path);
    const text = await textOf(file);
    if (text === undefined) {
      await replaceFile(file, fresh.get(path) ?? "");
      created.push(path);
      continue;
    }
    const { text: updatedText, problem } = files.update(handler, text);
    if (problem !== undefined) remarks.push(`${file}: signature not updated: ${problem} (${label})`);
    if (updatedText === text) continue;
    await replaceFile(file, updatedText);
    updated.push(path);
  }
  // Written last, so that until then the old module matches the old files.
  if (before !== generated) await replaceFile(join(folder, generatedModulePath), generated);
  return { created, updated, remarks: [...remarks, ...(await abandoned(folder, fresh, files))] };
}

const firstLine = (text: string): string => text.slice(0, text.indexOf("\n"));

const exported = /^export (?:interface|type|class|function|async function|const) ([\p{L}\p{N}_$]+)/gmu;

/** Reports files that import names missing from the generated module: their handlers are no longer in the metadata. */
async function abandoned(
  folder: string,
  fresh: ReadonlyMap<string, string>,
  files: UserFiles,
): Promise<readonly string[]> {
  const generated = fresh.get(generatedModulePath) ?? "";
  const names = new Set(Array.from(generated.matchAll(exported), ([, name]) => name ?? ""));
  const remarks: string[] = [];
  for (const path of await handlerFilesBelow(folder)) {
    if (fresh.has(path)) continue;
    const file = join(folder, path);
    const missing = files.importsOfGenerated(path, (await textOf(file)) ?? "").filter((name) => !names.has(name));
    if (missing.length === 0) continue;
    remarks.push(
      `${file}: its handler is no longer in the metadata (missing ${missing.join(", ")}): delete or change the file`,
    );
  }
  return remarks;
}

/** Returns paths separated by slashes. */
async function handlerFilesBelow(folder: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const kind of ["actions", "events", "crons"]) {
    const entries = await orUndefined(readdir(join(folder, kind), { recursive: true, withFileTypes: true }));
    const files = (entries ?? []).filter((entry) => entry.isFile() && entry.name.endsWith(".ts"));
    found.push(...files.map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/")));
  }
  return found.sort();
}

async function textOf(file: string): Promise<string | undefined> {
  return orUndefined(readFile(file, "utf8"));
}

async function orUndefined<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
