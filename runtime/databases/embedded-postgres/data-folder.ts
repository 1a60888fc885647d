/**
 * Chooses where the data is stored. Input: the requested folder and the account that runs PostgreSQL. Output: a folder
 * that the account can enter.
 *
 * PostgreSQL, which is not root, cannot use a folder inside one that only root may enter (`/root`, mode 0700). The data
 * is then stored in a folder under `/var/lib`, and the requested folder becomes a link to it. Later starts follow the
 * link, and after its removal, the next start creates an empty database and deletes no data.
 */

import { randomBytes } from "node:crypto";
import { readFile, realpath, rmdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "../../values/message-of.ts";
import { type Account, canEnter, findAccount, runningAsRoot } from "./account.ts";
import { EmbeddedPostgresError, systemCode, useOwnServer } from "./embedded-postgres-error.ts";
import { makeFolders, statIfExists } from "./folders.ts";

/** Parent of data folders for root when the account cannot enter the requested one. */
const storeOfRoot = "/var/lib/engine/postgres";

/** Returns the folder of the PostgreSQL cluster inside the data folder. */
export function clusterOf(folder: string): string {
  return join(folder, "cluster");
}

/**
 * Returns the account for a data folder. Root runs PostgreSQL as the owner of existing data, so that the owner can
 * still use the data without root.
 * @throws EmbeddedPostgresError `no-account`, `folder-unwritable`
 */
export async function accountFor(requested: string): Promise<Account> {
  if (runningAsRoot()) {
    const cluster = await statIfExists(clusterOf(requested)).catch((error: unknown) => {
      throw unwritable(requested, error); // some network file systems reject root
    });
    if (cluster !== undefined && cluster.uid !== 0) return { uid: cluster.uid, gid: cluster.gid };
  }
  return findAccount();
}

/**
 * Creates the data folder, or a folder in `store` if the account cannot enter the requested one.
 * @param requested absolute path
 * @param store parent folder of the alternative
 * @returns the real path of the folder
 * @throws EmbeddedPostgresError `folder-unreachable`, `folder-unwritable`, `folder-foreign`
 */
export async function placeDataFolder(requested: string, account: Account, store = storeOfRoot): Promise<string> {
  try {
    const folder = await followLink(requested);
    await refuseForeign(folder);
    if (await canEnter(folder, account)) return folder;
    return await placeInStore(requested, folder, account, store);
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) throw error;
    throw unwritable(requested, error);
  }
}

export function unwritable(folder: string, error: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    "folder-unwritable",
    `cannot use the data folder ${folder} of the embedded PostgreSQL: ${messageOf(error)}; make it writable for the ` +
      `user who starts the engine, choose another folder with --data-dir, or ${useOwnServer}`,
    error,
  );
}

async function followLink(requested: string): Promise<string> {
  await makeFolders(requested);
  try {
    const folder = await realpath(requested);
    if ((await statIfExists(folder))?.isDirectory() !== true) throw new Error("it is not a folder");
    return folder;
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
    throw new EmbeddedPostgresError(
      "folder-unreachable",
      `the data folder ${requested} is a link to a folder that does not exist; restore that folder, or remove the link ` +
        "to start with an empty database",
      error,
    );
  }
}

async function refuseForeign(folder: string): Promise<void> {
  const version = join(folder, "PG_VERSION");
  if ((await statIfExists(version)) === undefined) return;
  const major = (await readFile(version, "utf8")).trim();
  throw new EmbeddedPostgresError(
    "folder-foreign",
    `the data folder ${folder} is itself the data of a PostgreSQL ${major}, which the engine did not create; choose ` +
      `another folder with --data-dir, or ${useOwnServer}`,
  );
}

/** Creates a folder in the store and replaces the empty requested folder with a link to it. */
async function placeInStore(requested: string, folder: string, account: Account, store: string): Promise<string> {
  if (account === undefined) throw new Error("permission denied");
  const isLink = (await statIfExists(requested))?.isSymbolicLink() === true;
  if (isLink || (await statIfExists(clusterOf(folder))) !== undefined) {
    throw new EmbeddedPostgresError(
      "folder-unreachable",
      `PostgreSQL does not run as root, and its account (uid ${account.uid}) cannot enter the data folder ${folder}; ` +
        "open the folders above it (`chmod o+x`), or move it to a folder that the account can enter and leave a link " +
        `at ${requested}`,
    );
  }
  const place = join(store, `${readableName(requested)}-${randomBytes(3).toString("hex")}`);
  await makeFolders(place);
  if (!(await canEnter(place, account))) throw new Error(`neither it nor ${place} can be entered by PostgreSQL`);
  await rmdir(folder);
  await symlink(place, requested);
  return realpath(place);
}

/** Derives a recognizable folder name from a path: `/root/shop/.data/postgres` → `root-shop-postgres`. */
function readableName(path: string): string {
  const parts = path.split("/").filter((part) => part !== "" && !part.startsWith("."));
  const name = parts.join("-").replace(/[^A-Za-z0-9_-]/g, "_");
  return name.slice(-60);
}
