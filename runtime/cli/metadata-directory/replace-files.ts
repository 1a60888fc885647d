/** Replaces several files of a folder completely or not at all. */
import { chmod, copyFile, mkdir, mkdtemp, rename, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { EngineError } from "../../values/errors.ts";
import type { FileChanges } from "./file-changes.ts";
import { textOf } from "./load-files.ts";

const signals = ["SIGINT", "SIGTERM"] as const;

/** Defers signals until the work is complete, so that Ctrl-C cannot leave files half written. */
export async function uninterrupted<T>(work: () => Promise<T>): Promise<T> {
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
 * Writes and deletes files below a folder, which is created if necessary. New files are complete before the first file
 * is replaced. After a failure, the old files are restored. Callers defer signals (`uninterrupted`).
 * @param known the text of each existing file that the changes are based on
 * @throws EngineError `conflict` if a file has another text by now; nothing is then written
 */
export async function replaceFiles(
  folder: string,
  changes: FileChanges,
  known: ReadonlyMap<string, string> = new Map(),
): Promise<void> {
  if (changes.size > 0) await stageAndReplace(folder, changes, known);
}

async function stageAndReplace(
  folder: string,
  changes: FileChanges,
  known: ReadonlyMap<string, string>,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  // Hidden, so that watchers ignore it.
  const staging = await mkdtemp(join(folder, ".writing-"));
  let isDisposable = true;
  try {
    const next = join(staging, "next");
    const previous = join(staging, "previous");
    for (const [file, text] of changes) {
      if (text !== undefined) await stage(file, text, join(next, relative(folder, file)));
    }
    for (const [file, text] of known) await requireText(file, text);
    isDisposable = false;
    isDisposable = await replaceAll(folder, changes, { next, previous });
    for (const [file, text] of changes) if (text === undefined) await removeEmptyFolders(folder, dirname(file));
  } catch (error) {
    isDisposable ||= error instanceof Restored;
    throw error instanceof Restored ? error.cause : error;
  } finally {
    if (isDisposable) await rm(staging, { recursive: true, force: true });
  }
}

async function stage(file: string, text: string, staged: string): Promise<void> {
  await mkdir(dirname(staged), { recursive: true });
  await writeFile(staged, text);
  const existing = await stat(file).catch(() => undefined);
  if (existing !== undefined) await chmod(staged, existing.mode & 0o7777);
}

async function requireText(file: string, text: string): Promise<void> {
  if ((await textOf(file)) === text) return;
  const message = `${file} was changed while it was being written: the change was not saved, and no file was changed`;
  throw new EngineError("conflict", "$", message);
}

/** Thrown if the replacement failed and the old files have been restored. */
class Restored extends Error {}

/** Resolves to true. Reverts all replacements after a failure. */
async function replaceAll(
  folder: string,
  changes: FileChanges,
  { next, previous }: { readonly next: string; readonly previous: string },
): Promise<true> {
  const undo: (() => Promise<void>)[] = [];
  try {
    for (const [file, text] of changes) {
      const path = relative(folder, file);
      const kept = join(previous, path);
      const exists = await copyIfThere(file, kept);
      const restore = exists ? () => rename(kept, file) : () => rm(file, { force: true });
      if (text === undefined) await rm(file, { force: true });
      else {
        await mkdir(dirname(file), { recursive: true });
        await rename(join(next, path), file);
      }
      undo.push(restore);
    }
    return true;
  } catch (error) {
    const failures = await undoAll(undo);
    if (failures.length > 0) {
      const message = `cannot write ${folder}, and cannot restore its old files: they are in ${previous}`;
      throw new EngineError("unexpected", "$", message, { cause: new AggregateError([error, ...failures]) });
    }
    throw new Restored("writing failed", { cause: error });
  }
}

/** Runs all steps in reverse order, and returns the failures. */
async function undoAll(steps: readonly (() => Promise<void>)[]): Promise<readonly unknown[]> {
  const failures: unknown[] = [];
  for (const step of steps.toReversed()) await step().catch((error: unknown) => failures.push(error));
  return failures;
}

async function copyIfThere(from: string, to: string): Promise<boolean> {
  await mkdir(dirname(to), { recursive: true });
  try {
    await copyFile(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw error;
  }
}

async function removeEmptyFolders(root: string, folder: string): Promise<void> {
  let current = folder;
  while (current !== root) {
    const isRemoved = await rmdir(current).then(
      () => true,
      () => false,
    );
    if (!isRemoved) return;
    current = dirname(current);
  }
}
