/**
 * The files of PostgreSQL inside the data folder: made on the first start, checked on later ones.
 * Input: data folder, account, programs. Output: the folder's path and the superuser's password.
 */
import { randomBytes } from "node:crypto";
import { chmod, lchown, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Account, giveTo } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import { clusterOf, unwritable } from "./data-folder.ts";
import { EmbeddedPostgresError, reasonOf, systemCode, useOwnServer } from "./embedded-postgres-error.ts";
import { lookAt } from "./folders.ts";
import { isAlive } from "./previous-server.ts";
import { runProgram } from "./run-program.ts";

export interface Cluster {
  readonly path: string;
  /** Of the superuser `postgres`; every local user could connect otherwise. */
  readonly password: string;
}

/** Inside the cluster, so that files and password appear by the same rename. */
const passwordFile = "engine-password";

/** Names of unfinished clusters carry the process that makes them: `cluster-1234.new`, `password-1234.new`. */
const draftName = /^(?:cluster|password)-(\d+)\.new$/;

/**
 * @param durable whether the files have to survive a crash of the machine
 * @throws EmbeddedPostgresError `folder-foreign`, `folder-unwritable`, `folder-unreachable`, `start-failed`
 */
export async function openCluster(
  folder: string,
  account: Account,
  binaries: Binaries,
  durable: boolean,
): Promise<Cluster> {
  const path = clusterOf(folder);
  if ((await lookAt(path)) === undefined) await makeCluster(folder, account, binaries, durable);
  try {
    await takeFromRoot(path, account);
    const major = (await readFile(join(path, "PG_VERSION"), "utf8")).trim();
    if (major !== binaries.major) throw anotherVersion(folder, major, binaries.major);
    return { path, password: (await readFile(join(path, passwordFile), "utf8")).trim() };
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) throw error;
    throw await unreadable(folder, error);
  }
}

async function makeCluster(folder: string, account: Account, binaries: Binaries, durable: boolean): Promise<void> {
  const draft = join(folder, `cluster-${process.pid}.new`);
  const password = join(folder, `password-${process.pid}.new`);
  try {
    await removeAbandoned(folder);
    await mkdir(draft, { mode: 0o700 });
    await giveTo(account, draft);
    await writeFile(password, `${randomBytes(24).toString("base64url")}\n`, { mode: 0o600, flag: "wx" });
    await giveTo(account, password);
    await runProgram(binaries.initdb, initdbArguments(draft, password, durable), account);
    await rename(password, join(draft, passwordFile));
    await rename(draft, clusterOf(folder));
  } catch (error) {
    // Another start on the same folder was faster: its cluster is as good, and who may run it is decided later.
    if (systemCode(error) === "ENOTEMPTY" || systemCode(error) === "EEXIST") return;
    if (error instanceof EmbeddedPostgresError) throw error;
    throw unwritable(folder, error);
  } finally {
    await rm(draft, { recursive: true, force: true });
    await rm(password, { force: true });
  }
}

function initdbArguments(path: string, password: string, durable: boolean): string[] {
  // macOS has no C.UTF-8; on Linux it is the one that needs no installed locale and sorts alike everywhere.
  const locale = process.platform === "darwin" ? "en_US.UTF-8" : "C.UTF-8";
  const account = ["--username=postgres", "--auth=scram-sha-256", `--pwfile=${password}`];
  const sync = durable ? [] : ["--no-sync"];
  return [`--pgdata=${path}`, ...account, "--encoding=UTF8", `--locale=${locale}`, ...sync];
}

/** Removes what starts that were killed while making a cluster left behind. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const maker = draftName.exec(name)?.[1];
    if (maker === undefined) continue;
    const pid = Number.parseInt(maker, 10);
    if (pid === process.pid || !isAlive(pid)) await rm(join(folder, name), { recursive: true, force: true });
  }
}

/** Files that root owns (a backup that root copied back) are given to the account: PostgreSQL insists on owning them. */
async function takeFromRoot(path: string, account: Account): Promise<void> {
  if (account === undefined || (await lookAt(path))?.uid !== 0) return;
  for (const entry of await readdir(path, { recursive: true }))
    await lchown(join(path, entry), account.uid, account.gid);
  await lchown(path, account.uid, account.gid);
  await chmod(path, 0o700);
}

function anotherVersion(folder: string, found: string, ours: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    "folder-foreign",
    `The data folder ${folder} was made by PostgreSQL ${found}; the embedded one is PostgreSQL ${ours} and cannot ` +
      `read it. Either serve it with a PostgreSQL ${found} of your own and set ENGINE_GRAPHQL_DATABASE_URL to that; or ` +
      `move the folder away to start with an empty database, and bring the data over with pg_dump from such a server.`,
  );
}

async function unreadable(folder: string, error: unknown): Promise<EmbeddedPostgresError> {
  const owner = (await lookAt(clusterOf(folder)))?.uid;
  if (systemCode(error) === "EACCES" && owner !== undefined && owner !== process.getuid?.()) {
    return new EmbeddedPostgresError(
      "folder-unreachable",
      `The data in ${folder} belongs to another user (uid ${owner}): start the engine as that user or as root, start ` +
        `it in another directory, or ${useOwnServer}.`,
      error,
    );
  }
  return new EmbeddedPostgresError(
    "folder-foreign",
    `The data folder ${folder} is not complete (${reasonOf(error)}). Bring back what is missing, or move the folder ` +
      "away to start with an empty database.",
    error,
  );
}
