/**
 * Handles a PostgreSQL server left on the data folder by an earlier start. Input: the cluster folder. Afterwards no
 * server runs there; an error is thrown if another engine uses it.
 *
 * The command line of a server contains the process id of its engine (`cluster_name`). The owner is therefore known
 * from the start of the server, without a separate file that could be stale.
 */
import { execFile } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { EmbeddedPostgresError, systemCode } from "./embedded-postgres-error.ts";

interface PostmasterFile {
  readonly pid: number;
  readonly port: number;
  readonly stopping: boolean;
}

/** Time limit in milliseconds for the last checkpoint of a server. */
const stopTimeout = 60_000;
const clusterNamePrefix = "engine-";

/** Returns the `cluster_name` of servers started by this process. */
export function clusterName(): string {
  return `${clusterNamePrefix}${process.pid}`;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === "EPERM"; // the process exists and belongs to another user
  }
}

/**
 * Waits for a server that is stopping, stops a server whose engine has exited, and removes a stale `postmaster.pid`.
 * @throws EmbeddedPostgresError `folder-in-use`
 */
export async function settlePreviousServer(path: string, log: (line: string) => void): Promise<void> {
  const found = await readPostmasterFile(path);
  if (found === undefined || !isAlive(found.pid)) return; // PostgreSQL itself removes the file of a dead server
  const command = await commandOf(found.pid);
  if (!command?.includes(` -D ${path} `)) {
    // A server started by hand may use another path for the folder. PostgreSQL detects that case itself.
    if (command === undefined || command.includes("postgres")) return;
    log(`removed a stale postmaster.pid: process ${found.pid} is not a PostgreSQL`);
    await rm(join(path, "postmaster.pid"), { force: true });
    return;
  }
  const engine = engineOf(command);
  if (!found.stopping && engine !== undefined && isAlive(engine)) throw inUse(path, found.pid, engine);
  log(`stopping the PostgreSQL (process ${found.pid}) that an earlier start left running`);
  if (!found.stopping) requestStop(found.pid);
  const deadline = Date.now() + stopTimeout;
  while (isAlive(found.pid)) {
    if (Date.now() > deadline) throw inUse(path, found.pid, engine);
    await wait(25);
  }
}

/** Returns the port of the server that runs on the cluster; `undefined` if none is ready. */
export async function runningPort(path: string): Promise<number | undefined> {
  const found = await readPostmasterFile(path);
  return found !== undefined && !found.stopping && found.port > 0 && isAlive(found.pid) ? found.port : undefined;
}

function inUse(path: string, server: number, engine: number | undefined): EmbeddedPostgresError {
  const who = engine === undefined ? "another PostgreSQL" : `another engine (process ${engine})`;
  return new EmbeddedPostgresError(
    "folder-in-use",
    `the data in ${path} is in use by ${who}, whose PostgreSQL is process ${server}; stop that one first, or choose ` +
      "another folder with --data-dir",
  );
}

/** Reads `postmaster.pid`: the process id is in the first line, the port in the fourth, the state in the eighth. */
async function readPostmasterFile(path: string): Promise<PostmasterFile | undefined> {
  try {
    const lines = (await readFile(join(path, "postmaster.pid"), "utf8")).split("\n");
    const pid = Number.parseInt(lines[0] ?? "", 10);
    return pid > 0 ? { pid, port: Number(lines[3]), stopping: lines[7]?.trim() === "stopping" } : undefined;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Returns the command line of a process with a trailing space, or `undefined` if it is unavailable. */
async function commandOf(pid: number): Promise<string | undefined> {
  try {
    // Small Linux images have no `ps`.
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

function requestStop(pid: number): void {
  try {
    process.kill(pid, "SIGINT");
  } catch (error) {
    if (systemCode(error) !== "ESRCH") throw error;
  }
}
