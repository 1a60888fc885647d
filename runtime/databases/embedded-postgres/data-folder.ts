/**
 * Where the data is kept. Input: the folder that the caller asks for, and the account that runs PostgreSQL.
 * Output: a folder which that account can reach.
 *
 * Under a folder that only root may enter (`/root`, mode 0700) PostgreSQL, which is not root, can keep nothing. The
 * data then goes to a folder of its own under `/var/lib`, and the folder asked for becomes a link to it: the link is
 * what later starts follow, it shows where the data is, and removing it starts afresh without deleting anything.
 */
import { randomBytes } from "node:crypto";
import { readFile, realpath, rmdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { type Account, canEnter, findAccount, runningAsRoot } from "./account.ts";
import { EmbeddedPostgresError, reasonOf, systemCode, useOwnServer } from "./embedded-postgres-error.ts";
import { lookAt, makeFolders } from "./folders.ts";

/** Where root keeps data whose own folder PostgreSQL cannot reach. */
const storeOfRoot = "/var/lib/engine/postgres";

/** The folder inside the data folder in which PostgreSQL keeps its files. */
export function clusterOf(folder: string): string {
  return join(folder, "cluster");
}

/**
 * The account for a data folder: root runs PostgreSQL as the owner of data that is there already, so that the owner
 * can go on using it without root.
 * @throws EmbeddedPostgresError `no-account`, `folder-unwritable`
 */
export async function accountFor(requested: string): Promise<Account> {
  if (runningAsRoot()) {
    const cluster = await lookAt(clusterOf(requested)).catch((error: unknown) => {
      throw unwritable(requested, error); // root is refused on some network file systems
    });
    if (cluster !== undefined && cluster.uid !== 0) return { uid: cluster.uid, gid: cluster.gid };
  }
  return findAccount();
}

/**
 * Makes the data folder, and finds another place when the account cannot reach it.
 * @param requested an absolute path
 * @param store where that other place is
 * @returns the real path of the folder
 * @throws EmbeddedPostgresError `folder-unreachable`, `folder-unwritable`, `folder-foreign`
 */
export async function placeDataFolder(requested: string, account: Account, store = storeOfRoot): Promise<string> {
  try {
    const folder = await followLink(requested);
    await refuseForeign(folder);
    if (await canEnter(folder, account)) return folder;
    return await placeElsewhere(requested, folder, account, store);
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) throw error;
    throw unwritable(requested, error);
  }
}

export function unwritable(folder: string, error: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    "folder-unwritable",
    `The data folder ${folder} of the embedded PostgreSQL cannot be used: ${reasonOf(error)}. Make it writable for ` +
      `the user who starts the engine, start the engine in another directory, or ${useOwnServer}.`,
    error,
  );
}

async function followLink(requested: string): Promise<string> {
  await makeFolders(requested);
  try {
    const folder = await realpath(requested);
    if ((await lookAt(folder))?.isDirectory() !== true) throw new Error("it is not a folder");
    return folder;
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
    throw new EmbeddedPostgresError(
      "folder-unreachable",
      `The data folder ${requested} is a link to a folder that does not exist. Bring that folder back, or remove the ` +
        "link to start with an empty database.",
      error,
    );
  }
}

async function refuseForeign(folder: string): Promise<void> {
  const version = join(folder, "PG_VERSION");
  if ((await lookAt(version)) === undefined) return;
  const major = (await readFile(version, "utf8")).trim();
  throw new EmbeddedPostgresError(
    "folder-foreign",
    `The data folder ${folder} is itself the data of a PostgreSQL ${major}, which the engine did not make and does ` +
      `not touch: start the engine in another directory, or ${useOwnServer}.`,
  );
}

/** A new folder in the store, and a link to it where the empty folder was. */
async function placeElsewhere(requested: string, folder: string, account: Account, store: string): Promise<string> {
  if (account === undefined) throw new Error("permission denied");
  const isLink = (await lookAt(requested))?.isSymbolicLink() === true;
  if (isLink || (await lookAt(clusterOf(folder))) !== undefined) {
    throw new EmbeddedPostgresError(
      "folder-unreachable",
      `PostgreSQL does not run as root, and the account it runs as (uid ${account.uid}) cannot enter ${folder}, where ` +
        "the data is. Open the folders above it (chmod o+x), or move it to where that account can go and leave a " +
        `link at ${requested}.`,
    );
  }
  const place = join(store, `${readableName(requested)}-${randomBytes(3).toString("hex")}`);
  await makeFolders(place);
  if (!(await canEnter(place, account))) throw new Error(`neither it nor ${place} can be entered by PostgreSQL`);
  await rmdir(folder);
  await symlink(place, requested);
  return realpath(place);
}

/** `/root/shop/.data/postgres` → `root-shop-postgres`: lets a person tell the folders of the store apart. */
function readableName(path: string): string {
  const parts = path.split("/").filter((part) => part !== "" && !part.startsWith("."));
  const name = parts.join("-").replace(/[^A-Za-z0-9_-]/g, "_");
  return name.slice(-60);
}
