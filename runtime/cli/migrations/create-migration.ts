/** Creates folders of migrations, completely or not at all, without overwriting existing folders. */

import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { EngineError } from "../../values/errors.ts";
import { messageOf } from "../../values/message-of.ts";
import { compareVersions, type Replaced, readMigrations, replacedText } from "./migration-files.ts";

export interface NewMigration {
  readonly version: string;
  readonly name: string;
  readonly up: string;
  readonly down: string;
  readonly replaces?: Replaced;
}

/** Returns the current time in milliseconds since 1970, or the successor of the last version if that is greater. */
export async function nextVersion(migrationsPath: string, database: string): Promise<string> {
  const last = (await readMigrations(migrationsPath, database)).at(-1)?.version ?? "0";
  const time = String(Date.now());
  return compareVersions(time, last) > 0 ? time : String(BigInt(last) + 1n);
}

/**
 * @returns path of the new folder
 * @throws EngineError if it cannot be written
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
    const reason = messageOf(error);
    throw new EngineError("unwritable", "$", `cannot write ${folder}: ${reason}`, { cause: error });
  }
  return folder;
}

/** Replaces characters that are invalid in file names; letters of all scripts are valid. */
export function folderName(name: string): string {
  const safe = name
    .trim()
    .replace(/[^\p{L}\p{N}_-]+/gu, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, 80);
  if (safe !== "") return safe;
  throw new EngineError(
    "bad-request",
    "$",
    `${JSON.stringify(name)} contains no letter or digit to use as a file name`,
  );
}
