/** Seeds as files: `<seeds>/<database>/<time>_<name>.sql`, run in the order of their names and not remembered. */
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { EngineError } from "../../values/errors.ts";
import { didYouMean } from "../../values/nearest-name.ts";
import { textOf } from "../metadata-directory/load-files.ts";
import type { SqlFile } from "./sql-file.ts";

/**
 * @param names files of the folder, in any order; all when empty
 * @throws EngineError for a name that no file has
 */
export async function readSeeds(
  seedsPath: string,
  database: string,
  names: readonly string[] = [],
): Promise<readonly SqlFile[]> {
  const folder = join(seedsPath, database);
  const known = await sqlFilesIn(folder);
  const unknown = names.map((name) => basename(name)).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const hint = didYouMean(unknown, known) ?? (known.length === 0 ? "it has none" : `it has ${known.join(", ")}`);
    throw new EngineError("not-found", "$", `there is no seed ${unknown} in ${folder}: ${hint}`);
  }
  const wanted = names.length === 0 ? known : known.filter((file) => names.some((name) => basename(name) === file));
  return Promise.all(
    wanted.map(async (file) => ({ path: join(folder, file), sql: (await textOf(join(folder, file))) ?? "" })),
  );
}

async function sqlFilesIn(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && entry.name.endsWith(".sql"))
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw new EngineError("unexpected", "$", `cannot read ${folder}: ${String(error)}`, { cause: error });
  }
}
