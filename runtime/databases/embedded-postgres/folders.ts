/** Creates and inspects folders for a process that runs as another account. */

import type { Stats } from "node:fs";
import { chmod, lstat, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { systemCode } from "./embedded-postgres-error.ts";

/** Creates a folder and its missing parents, accessible to every account regardless of the umask. */
export async function makeFolders(path: string): Promise<void> {
  if ((await statIfExists(path)) !== undefined) return;
  await makeFolders(dirname(path));
  try {
    await mkdir(path);
  } catch (error) {
    if (systemCode(error) === "EEXIST") return; // another process created it
    throw error;
  }
  await chmod(path, 0o755);
}

/** Returns the status of a path without following a link, or `undefined` if it does not exist. */
export async function statIfExists(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}
