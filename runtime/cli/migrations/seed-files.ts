/** Reads seeds: `<seeds>/<database>/<time>_<name>.sql`, sorted by name. The server does not record them. */
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { EngineError } from "../../values/errors.ts";
import { didYouMean } from "../../values/nearest-name.ts";
import { textOf } from "../metadata-directory/load-files.ts";
import type { SqlFile } from "./sql-failure.ts";

/**
 * @param names files of the folder, in any order; empty for all files
 * @throws EngineError for unknown names
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
    throw new EngineError("not-found", "$", `${folder} has no seed ${unknown}: ${hint}`);
  }
  const selected = names.length === 0 ? known : known.filter((file) => names.some((name) => basename(name) === file));
  return Promise.all(
    selected.map(async (file) => ({ path: join(folder, file), sql: (await textOf(join(folder, file))) ?? "" })),
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
