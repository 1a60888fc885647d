/** New folders of migrations: made whole, and never in the place of one that is there. */
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { EngineError } from "../../values/errors.ts";
import { compareVersions, type Replaced, readMigrations, replacedText } from "./migration-files.ts";

export interface NewMigration {
  readonly version: string;
  readonly name: string;
  readonly up: string;
  readonly down: string;
  readonly replaces?: Replaced;
}

/** Milliseconds since 1970, and later than all that are there. */
export async function nextVersion(migrationsPath: string, database: string): Promise<string> {
  const last = (await readMigrations(migrationsPath, database)).at(-1)?.version ?? "0";
  const time = String(Date.now());
  return compareVersions(time, last) > 0 ? time : String(BigInt(last) + 1n);
}

/**
 * @returns the folder
 * @throws EngineError when it cannot be written
 */
export async function writeMigration(parent: string, migration: NewMigration): Promise<string> {
  const { version, name, up, down, replaces = new Map() } = migration;
  const folder = join(parent, `${version}_${folderName(name)}`);
  try {
    await mkdir(parent, { recursive: true });
    const staging = await mkdtemp(join(parent, ".new-"));
    try {
      await writeFile(join(staging, "up.sql"), up);
      await writeFile(join(staging, "down.sql"), down);
      if (replaces.size > 0) await writeFile(join(staging, "replaces"), replacedText(replaces));
      await rename(staging, folder);
    } finally {
      await rm(staging, { recursive: true, force: true });
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EngineError("unwritable", "$", `cannot write ${folder}: ${reason}`, { cause: error });
  }
  return folder;
}

/** Any name becomes one that all file systems take; letters of any script stay. */
export function folderName(name: string): string {
  const safe = name
    .trim()
    .replace(/[^\p{L}\p{N}_-]+/gu, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, 80);
  if (safe !== "") return safe;
  throw new EngineError("bad-request", "$", `${JSON.stringify(name)} has no letter or digit to name a migration by`);
}
