/**
 * Making and looking at folders for a process that another account may run.
 * Input: paths. Output: folders on disk.
 */

import type { Stats } from "node:fs";
import { chmod, lstat, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { systemCode } from "./embedded-postgres-error.ts";

/** Makes a folder and its missing parents, each open to be entered by every account whatever the umask says. */
export async function makeFolders(path: string): Promise<void> {
  if ((await lookAt(path)) !== undefined) return;
  await makeFolders(dirname(path));
  try {
    await mkdir(path);
  } catch (error) {
    if (systemCode(error) === "EEXIST") return; // another start made it meanwhile
    throw error;
  }
  await chmod(path, 0o755);
}

/** What stands at a path, without following a link; `undefined` when nothing does. */
export async function lookAt(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}
