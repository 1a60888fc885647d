/**
 * Golden cases: folders with the input of a case beside its expected output. The set of paths is compared first, then
 * each file. `UPDATE_GOLDEN=1` writes the actual output, and is refused if `CI` is set.
 */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { unifiedHunks } from "../../runtime/cli/metadata/unified-diff.ts";

/** Contents by path, relative to the folder of the case, with `/` as separator. */
export type Files = ReadonlyMap<string, string>;

/** Returns the folders below `root` that contain a file of this name, as paths relative to `root`, sorted. */
export async function casesBelow(root: string, marker: string): Promise<string[]> {
  const paths = await filesBelow(root);
  const folders = paths.filter((path) => path.split("/").at(-1) === marker).map((path) => dirname(path));
  return folders.sort();
}

export interface GoldenOptions {
  /** Returns whether a file is input, which is neither compared nor written. */
  readonly isInput?: (path: string) => boolean;
  /** If true, writes the files; default: whether the environment contains `UPDATE_GOLDEN`. */
  readonly update?: boolean;
}

/**
 * Compares `actual` with the expected files of a folder, or writes it there.
 * @throws Error naming missing and unexpected paths, or with a unified diff of each file that differs
 */
export async function expectGolden(folder: string, actual: Files, options: GoldenOptions = {}): Promise<void> {
  const { isInput = () => false, update = updateRequested() } = options;
  const expected = new Map<string, string>();
  for (const path of await filesBelow(folder)) {
    if (!isInput(path)) expected.set(path, await readFile(join(folder, path), "utf8"));
  }
  if (update) await write(folder, expected, actual);
  else compare(folder, expected, actual);
}

function updateRequested(): boolean {
  const { UPDATE_GOLDEN: update, CI: ci } = process.env;
  if (update === undefined || update === "" || update === "0") return false;
  if (ci !== undefined && ci !== "") throw new Error("UPDATE_GOLDEN is refused where CI is set");
  return true;
}

async function write(folder: string, expected: Files, actual: Files): Promise<void> {
  for (const path of expected.keys()) {
    if (!actual.has(path)) await rm(join(folder, path));
  }
  for (const [path, content] of actual) {
    if (expected.get(path) === content) continue;
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

function compare(folder: string, expected: Files, actual: Files): void {
  const missing = [...expected.keys()].filter((path) => !actual.has(path)).map((path) => `not produced: ${path}`);
  const superfluous = [...actual.keys()].filter((path) => !expected.has(path)).map((path) => `not expected: ${path}`);
  const diffs = [...actual].flatMap(([path, content]) => {
    const before = expected.get(path);
    if (before === undefined) return [content];
    const hunks = unifiedHunks(before, content);
    return hunks.length === 0 ? [] : [`--- expected ${path}`, `+++ actual ${path}`, ...hunks];
  });
  const problems = [...missing, ...superfluous, ...diffs];
  if (problems.length > 0) {
    throw new Error([`${folder} differs (UPDATE_GOLDEN=1 accepts it):`, ...problems].join("\n"));
  }
}

/** Returns all files below a folder, sorted; none if the folder does not exist. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort();
}
