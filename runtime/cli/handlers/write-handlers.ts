/**
 * Handlers → files of a folder. The generated module is replaced; files of handlers belong to the user: those that are
 * not there are begun, in others the signature follows. Nothing is deleted.
 */
import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { emitHandlers } from "../../../compiler/handlers/emit-handlers.ts";
import { generatedModulePath, type Handlers } from "../../../compiler/handlers/handlers.ts";
import { EngineError } from "../../values/errors.ts";
import { type UserFiles, userFiles } from "./user-file.ts";

export interface WrittenHandlers {
  /** Paths below the folder. */
  readonly begun: readonly string[];
  readonly updated: readonly string[];
  /** What the user has to look at, a line each. */
  readonly remarks: readonly string[];
}

/** @throws EngineError when the folder cannot be written, or its generated module is not one of ours */
export async function writeHandlers(folder: string, model: Handlers): Promise<WrittenHandlers> {
  const files = await userFiles();
  const fresh = emitHandlers(model);
  const generated = fresh.get(generatedModulePath) ?? "";
  const before = await textOf(join(folder, generatedModulePath));
  if (before !== undefined && firstLine(before) !== firstLine(generated)) {
    const message = `${join(folder, generatedModulePath)} was not generated: move it elsewhere, or choose another folder`;
    throw new EngineError("not-supported", "$", message);
  }
  const begun: string[] = [];
  const updated: string[] = [];
  const remarks: string[] = [];
  for (const handler of model.handlers) {
    const { path, label } = handler;
    const file = join(folder, path);
    const text = await textOf(file);
    if (text === undefined) {
      await replaceFile(file, fresh.get(path) ?? "");
      begun.push(path);
      continue;
    }
    const { text: wanted, problem } = files.update(handler, text);
    if (problem !== undefined) remarks.push(`${file}: ${problem}: its signature was left alone (${label})`);
    if (wanted === text) continue;
    await replaceFile(file, wanted);
    updated.push(path);
  }
  // Last: until then the old module fits the old files.
  if (before !== generated) await replaceFile(join(folder, generatedModulePath), generated);
  return { begun, updated, remarks: [...remarks, ...(await abandoned(folder, fresh, files))] };
}

const firstLine = (text: string): string => text.slice(0, text.indexOf("\n"));

const exported = /^export (?:interface|type|class|function|async function|const) ([\p{L}\p{N}_$]+)/gmu;

/** Files that import what the generated module does not have any more: their handlers are not in the metadata. */
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
      `${file}: what it answers is no longer in the metadata (${missing.join(", ")}): delete it, or move on`,
    );
  }
  return remarks;
}

/** Paths with slashes. */
async function handlerFilesBelow(folder: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const kind of ["actions", "events", "crons"]) {
    const entries = await orNothing(readdir(join(folder, kind), { recursive: true, withFileTypes: true }));
    const files = (entries ?? []).filter((entry) => entry.isFile() && entry.name.endsWith(".ts"));
    found.push(...files.map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/")));
  }
  return found.sort();
}

async function textOf(file: string): Promise<string | undefined> {
  return orNothing(readFile(file, "utf8"));
}

/** The whole text, or the old one. */
async function replaceFile(file: string, text: string): Promise<void> {
  const temporary = join(dirname(file), `.${randomUUID()}.tmp`);
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(temporary, text, { flag: "wx" });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    const reason = error instanceof Error ? error.message : String(error);
    throw new EngineError("unwritable", "$", `cannot write ${file}: ${reason}`, { cause: error });
  }
}

async function orNothing<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
