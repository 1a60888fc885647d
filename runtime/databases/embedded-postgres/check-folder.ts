/** Checks, without changing anything, that PostgreSQL can store data in a folder. */

import { constants } from "node:fs";
import { access, stat, statfs } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { messageOf } from "../../values/message-of.ts";
import { shellQuoted } from "../../values/quoted.ts";
import { clusterOf } from "./data-folder.ts";
import { systemCode } from "./embedded-postgres-error.ts";

const megabyte = 1_000_000;
/** Free space for a new cluster with its two databases and the WAL of the first start. */
const newClusterBytes = 150 * megabyte;
/** Free space for the WAL of a start with existing data, of which one segment has 16 MB. */
const startBytes = 40 * megabyte;

/**
 * Returns the reason why the folder cannot be used, with a remedy; `undefined` if it can.
 * @param directory may be missing
 */
export async function dataFolderProblem(directory: string): Promise<string | undefined> {
  const requested = resolve(directory);
  const cluster = clusterOf(requested);
  try {
    const existing = await nearestExisting(cluster);
    if (!existing.isFolder) return `${existing.path} is not a folder; move it away`;
    const { path } = existing;
    return (await writeProblem(path)) ?? (await spaceProblem(path, path === cluster ? startBytes : newClusterBytes));
  } catch (error) {
    return `cannot read ${requested}: ${messageOf(error)}; make it readable`;
  }
}

interface Existing {
  readonly path: string;
  readonly isFolder: boolean;
}

/** Finds the path itself, or the nearest parent that exists. */
async function nearestExisting(path: string): Promise<Existing> {
  try {
    return { path, isFolder: (await stat(path)).isDirectory() };
  } catch (error) {
    const code = systemCode(error);
    if (code !== "ENOENT" && code !== "ENOTDIR") throw error;
    return nearestExisting(dirname(path));
  }
}

async function writeProblem(path: string): Promise<string | undefined> {
  try {
    await access(path, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    if (systemCode(error) === "EROFS")
      return `cannot write to ${path}: the file system is read-only; mount it writable`;
    const own = process.getuid?.() === (await stat(path)).uid;
    const command = own ? `chmod u+wx ${shellQuoted(path)}` : `sudo chown -R "$(id -u)" ${shellQuoted(path)}`;
    return `cannot write to ${path}: permission denied; run \`${command}\``;
  }
}

async function spaceProblem(path: string, needed: number): Promise<string | undefined> {
  const { bavail, bsize } = await statfs(path);
  const free = bavail * bsize;
  if (free >= needed) return undefined;
  const [has, needs] = [free, needed].map((bytes) => `${Math.floor(bytes / megabyte)} MB`);
  return `the disk of ${path} is full: ${has} are free and PostgreSQL needs ${needs}; free some space, which \`df -h ${shellQuoted(path)}\` shows`;
}
