/**
 * Deals with a PostgreSQL that an earlier start left on the same data folder.
 * Input: the folder of its files. Output: none runs there any more, or the error that another engine uses it.
 *
 * A server carries the process number of its engine in its command line (`cluster_name`), so that who owns it is
 * known from the moment it exists, without a file of our own that could be stale.
 */
import { execFile } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { EmbeddedPostgresError, systemCode } from "./embedded-postgres-error.ts";

interface PostmasterFile {
  readonly pid: number;
  readonly stopping: boolean;
}

/** How long a server may take for its last checkpoint. */
const patience = 60_000;
const clusterNamePrefix = "engine-";

/** The `cluster_name` of servers that this process starts. */
export function clusterName(): string {
  return `${clusterNamePrefix}${process.pid}`;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === "EPERM"; // it lives, and belongs to someone else
  }
}

/**
 * Waits for a server that is stopping, stops one whose engine is gone, and removes the mark of one that is gone itself.
 * @throws EmbeddedPostgresError `folder-in-use`
 */
export async function settlePreviousServer(path: string, log: (line: string) => void): Promise<void> {
  const found = await readPostmasterFile(path);
  if (found === undefined || !isAlive(found.pid)) return; // PostgreSQL itself removes the mark of a dead server
  const command = await commandOf(found.pid);
  if (!command?.includes(` -D ${path} `)) {
    // A server that someone started by hand may name its folder otherwise: PostgreSQL knows for certain.
    if (command === undefined || command.includes("postgres")) return;
    log(`removed a stale postmaster.pid: process ${found.pid} is not a PostgreSQL`);
    await rm(join(path, "postmaster.pid"), { force: true });
    return;
  }
  const engine = engineOf(command);
  if (!found.stopping && engine !== undefined && isAlive(engine)) throw inUse(path, found.pid, engine);
  log(`stopping the PostgreSQL (process ${found.pid}) that an earlier start left running`);
  if (!found.stopping) askToStop(found.pid);
  const deadline = Date.now() + patience;
  while (isAlive(found.pid)) {
    if (Date.now() > deadline) throw inUse(path, found.pid, engine);
    await wait(25);
  }
}

/** The error for a folder that the server of a running engine holds. */
function inUse(path: string, server: number, engine: number | undefined): EmbeddedPostgresError {
  const who = engine === undefined ? "another PostgreSQL" : `another engine (process ${engine})`;
  return new EmbeddedPostgresError(
    "folder-in-use",
    `The data in ${path} is in use by ${who}; its PostgreSQL is process ${server}. Stop that one first, or start ` +
      "this one in another directory.",
  );
}

/** `postmaster.pid`: first line the process, eighth the state. */
async function readPostmasterFile(path: string): Promise<PostmasterFile | undefined> {
  try {
    const lines = (await readFile(join(path, "postmaster.pid"), "utf8")).split("\n");
    const pid = Number.parseInt(lines[0] ?? "", 10);
    return pid > 0 ? { pid, stopping: lines[7]?.trim() === "stopping" } : undefined;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** The command line of a process, ending in a space; `undefined` when the system does not tell. */
async function commandOf(pid: number): Promise<string | undefined> {
  try {
    // Not `ps` on Linux: small images lack it.
    if (process.platform === "linux") return (await readFile(`/proc/${pid}/cmdline`, "utf8")).replaceAll("\0", " ");
    const { stdout } = await promisify(execFile)("ps", ["-ww", "-o", "command=", "-p", String(pid)]);
    return `${stdout.trim()} `;
  } catch {
    return undefined;
  }
}

function engineOf(command: string): number | undefined {
  const pid = new RegExp(` cluster_name=${clusterNamePrefix}(\\d+) `).exec(command)?.[1];
  return pid === undefined ? undefined : Number.parseInt(pid, 10);
}

function askToStop(pid: number): void {
  try {
    process.kill(pid, "SIGINT");
  } catch (error) {
    if (systemCode(error) !== "ESRCH") throw error;
  }
}
