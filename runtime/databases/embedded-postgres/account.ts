/**
 * Selects the account that runs PostgreSQL, which refuses to run as root. Input: the current user and the accounts of
 * the machine. Output: an `Account` for spawning programs and owning files.
 */
import { execFile, spawn } from "node:child_process";
import { chown } from "node:fs/promises";
import { userInfo } from "node:os";
import { promisify } from "node:util";
import { EmbeddedPostgresError, useOwnServer } from "./embedded-postgres-error.ts";

/** `undefined` for the current user, which needs no change of identity. */
export type Account = { readonly uid: number; readonly gid: number } | undefined;

const candidates = ["postgres", "nobody"] as const;

export function runningAsRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * Returns the account for a new data folder: for root, the first existing one of `postgres` and `nobody`.
 * @throws EmbeddedPostgresError `no-account`
 */
export async function findAccount(): Promise<Account> {
  if (!runningAsRoot()) {
    requireName();
    return undefined;
  }
  for (const name of candidates) {
    const account = await lookUp(name);
    if (account !== undefined) return account;
  }
  throw new EmbeddedPostgresError(
    "no-account",
    "PostgreSQL does not run as root, and this machine has neither the user `postgres` nor `nobody` to run it; start " +
      `the engine as an ordinary user, or ${useOwnServer}`,
  );
}

/** Checks that the user has a name. Containers may run under a uid without one, which `initdb` refuses. */
function requireName(): void {
  try {
    userInfo();
  } catch (error) {
    throw new EmbeddedPostgresError(
      "no-account",
      "PostgreSQL needs a user with a name, and this machine has none for the current user (uid " +
        `${process.getuid?.()}); add one to /etc/passwd, or ${useOwnServer}`,
      error,
    );
  }
}

/** Looks up a user with `id`, which also finds accounts of directory services, unlike /etc/passwd. */
async function lookUp(name: string): Promise<Account> {
  const run = promisify(execFile);
  try {
    const [uid, gid] = await Promise.all([run("id", ["-u", name]), run("id", ["-g", name])]);
    const account = { uid: Number.parseInt(uid.stdout, 10), gid: Number.parseInt(gid.stdout, 10) };
    return account.uid > 0 && account.gid >= 0 ? account : undefined;
  } catch {
    return undefined; // `id` fails for an unknown user
  }
}

/**
 * Returns true if the account can enter a folder. Tests this in a child process, because mode bits do not cover ACLs
 * and mounts.
 */
export function canEnter(folder: string, account: Account): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn("/bin/sh", ["-c", 'cd -- "$1"', "sh", folder], { ...account, cwd: "/", stdio: "ignore" });
    child.once("error", reject);
    child.once("exit", (code) => resolve(code === 0));
  });
}

/** Changes the owner of a file or folder to the account. */
export async function giveTo(account: Account, path: string): Promise<void> {
  if (account !== undefined) await chown(path, account.uid, account.gid);
}
