/**
 * The PostgreSQL cluster inside the data folder: created on the first start, checked on later ones. Input: data folder,
 * account, programs. Output: the path of the cluster and the superuser's password.
 */

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, lchown, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "../../values/message-of.ts";
import { type Account, giveTo } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import { clusterOf, unwritable } from "./data-folder.ts";
import { EmbeddedPostgresError, systemCode, useOwnServer } from "./embedded-postgres-error.ts";
import { statIfExists } from "./folders.ts";
import { isAlive } from "./previous-server.ts";

export interface Cluster {
  readonly path: string;
  /** Password of the superuser `postgres`, without which every local user could connect. */
  readonly password: string;
}

/** Inside the cluster, so that one rename publishes the files and the password. */
export const passwordFile = "engine-password";

/**
 * Unfinished clusters and passwords are named after the process that creates them: `cluster-1234.new`,
 * `password-1234.new`.
 */
const draftName = /^(?:cluster|password)-(\d+)\.new$/;

export interface ClusterOptions {
  readonly account: Account;
  readonly binaries: Binaries;
  /** True if the files must survive a crash of the machine. */
  readonly durable: boolean;
  readonly log: (line: string) => void;
  /** Called when `initdb` has started. */
  readonly onProgram: () => void;
}

/**
 * Opens the cluster, creating it if necessary.
 * @throws EmbeddedPostgresError `folder-foreign`, `folder-unwritable`, `folder-unreachable`, `start-failed`
 */
export async function openCluster(folder: string, options: ClusterOptions): Promise<Cluster> {
  const { account, binaries, log } = options;
  const path = clusterOf(folder);
  if ((await statIfExists(path)) === undefined) await makeCluster(folder, options);
  try {
    await takeFromRoot(path, account);
    await closeToOthers(path, log);
    const major = (await readFile(join(path, "PG_VERSION"), "utf8")).trim();
    if (major !== binaries.major) throw anotherVersion(folder, major, binaries.major);
    return { path, password: (await readFile(join(path, passwordFile), "utf8")).trim() };
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) throw error;
    throw await unreadable(folder, error);
  }
}

async function makeCluster(folder: string, options: ClusterOptions): Promise<void> {
  const { account, binaries, durable, onProgram } = options;
  const draft = join(folder, `cluster-${process.pid}.new`);
  const password = join(folder, `password-${process.pid}.new`);
  try {
    await removeAbandoned(folder);
    await mkdir(draft, { mode: 0o700 });
    await giveTo(account, draft);
    await writeFile(password, `${randomBytes(24).toString("base64url")}\n`, { mode: 0o600, flag: "wx" });
    await giveTo(account, password);
    const made = runProgram(binaries.initdb, initdbArguments(draft, password, durable), account);
    onProgram();
    await made;
    await rename(password, join(draft, passwordFile));
    await rename(draft, clusterOf(folder));
  } catch (error) {
    // Another process created the cluster first. The lock of the server decides later which process uses it.
    if (systemCode(error) === "ENOTEMPTY" || systemCode(error) === "EEXIST") return;
    if (error instanceof EmbeddedPostgresError) throw error;
    throw unwritable(folder, error);
  } finally {
    await rm(draft, { recursive: true, force: true });
    await rm(password, { force: true });
  }
}

function initdbArguments(path: string, password: string, durable: boolean): string[] {
  // macOS has no C.UTF-8. On Linux, C.UTF-8 needs no installed locale and sorts the same everywhere.
  const locale = process.platform === "darwin" ? "en_US.UTF-8" : "C.UTF-8";
  const account = ["--username=postgres", "--auth=scram-sha-256", `--pwfile=${password}`];
  const sync = durable ? [] : ["--no-sync"];
  return [`--pgdata=${path}`, ...account, "--encoding=UTF8", `--locale=${locale}`, ...sync];
}

/** Removes drafts of processes that were killed while creating a cluster. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const maker = draftName.exec(name)?.[1];
    if (maker === undefined) continue;
    const pid = Number.parseInt(maker, 10);
    if (pid === process.pid || !isAlive(pid)) await rm(join(folder, name), { recursive: true, force: true });
  }
}

/** Changes the owner of files that belong to root, such as a restored backup: PostgreSQL must own its files. */
async function takeFromRoot(path: string, account: Account): Promise<void> {
  if (account === undefined || (await statIfExists(path))?.uid !== 0) return;
  for (const entry of await readdir(path, { recursive: true }))
    await lchown(join(path, entry), account.uid, account.gid);
  await lchown(path, account.uid, account.gid);
  await chmod(path, 0o700);
}

/** Modes of a cluster that PostgreSQL accepts: only its owner may write, and others have no access. */
const acceptedModes: ReadonlySet<number> = new Set([0o700, 0o750]);

/** Repairs the mode of a cluster. Copies and restored backups often have another mode. */
async function closeToOthers(path: string, log: (line: string) => void): Promise<void> {
  const mode = (await stat(path)).mode & 0o777;
  if (acceptedModes.has(mode)) return;
  await chmod(path, 0o700);
  log(`changed the mode of ${path} from ${octal(mode)} to ${octal(0o700)}, which PostgreSQL requires`);
}

const octal = (mode: number): string => mode.toString(8).padStart(4, "0");

function anotherVersion(folder: string, found: string, ours: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    "folder-foreign",
    `the data folder ${folder} was made by PostgreSQL ${found}; the embedded one is PostgreSQL ${ours} and cannot read ` +
      `it; serve the folder with a PostgreSQL ${found} of your own and set ENGINE_GRAPHQL_DATABASE_URL to that server, ` +
      "or move the folder away to start with an empty database, and copy the data with `pg_dump`",
  );
}

async function unreadable(folder: string, error: unknown): Promise<EmbeddedPostgresError> {
  const owner = (await statIfExists(clusterOf(folder)))?.uid;
  if (systemCode(error) === "EACCES" && owner !== undefined && owner !== process.getuid?.()) {
    return new EmbeddedPostgresError(
      "folder-unreachable",
      `the data in ${folder} belongs to another user (uid ${owner}); start the engine as that user or as root, choose ` +
        `another folder with --data-dir, or ${useOwnServer}`,
      error,
    );
  }
  return new EmbeddedPostgresError(
    "folder-foreign",
    `the data folder ${folder} is incomplete (${messageOf(error)}); restore the missing files, or move the folder away ` +
      "to start with an empty database",
    error,
  );
}

// Runs a program to completion. Throws an error with the last lines of its output on failure.

/**
 * The environment of all PostgreSQL programs. It inherits no variables (PGPORT, secrets), uses English messages because
 * some are parsed, and UTC so that output is the same on every machine.
 */
export const cleanEnvironment = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C", TZ: "UTC" } as const;

/** Number of output lines included in an error. */
export const lastLines = 12;

/**
 * Runs a program with an account.
 * @throws EmbeddedPostgresError `start-failed`, with the last lines of the program's output
 */
export function runProgram(program: string, args: readonly string[], account: Account): Promise<void> {
  return new Promise((resolve, reject) => {
    // The account may not be able to enter the current directory.
    const options = { ...account, cwd: "/", env: cleanEnvironment } as const;
    const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    const collect = (chunk: Buffer) => {
      output = (output + chunk.toString("utf8")).slice(-20_000);
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    child.once("error", (error) => reject(cannotRun(program, error)));
    child.once("close", (code, signal) => {
      if (code === 0) resolve();
      else reject(failed(program, `exit ${code ?? signal}`, output.trimEnd().split("\n").slice(-lastLines)));
    });
  });
}

/** Returns the error for a program that failed. */
export function failed(program: string, how: string, output: readonly string[]): EmbeddedPostgresError {
  const outputText = output.length === 0 ? "it printed no output" : `its last output:\n  ${output.join("\n  ")}`;
  return new EmbeddedPostgresError("start-failed", `${program} failed (${how}); ${outputText}`);
}

/**
 * Returns the error for a program that cannot be started. The file exists, so `ENOENT` means that the dynamic loader is
 * missing: the programs are built for glibc.
 */
function cannotRun(program: string, error: Error): EmbeddedPostgresError {
  const why =
    systemCode(error) === "ENOENT"
      ? "this system lacks the C library (glibc) that the program was built for, as Alpine Linux does"
      : error.message;
  return new EmbeddedPostgresError("no-binaries", `cannot run ${program}: ${why}; ${useOwnServer}`, error);
}
