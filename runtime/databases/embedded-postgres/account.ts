/**
 * Which user of this machine runs PostgreSQL: PostgreSQL refuses to run as root, so root hands it to another account.
 * Input: the current user and the machine's accounts. Output: an `Account` to spawn programs with and give files to.
 */
import { execFile, spawn } from "node:child_process";
import { chown } from "node:fs/promises";
import { userInfo } from "node:os";
import { promisify } from "node:util";
import { EmbeddedPostgresError, useOwnServer } from "./embedded-postgres-error.ts";

/** `undefined`: the current user, who needs no change of identity. */
export type Account = { readonly uid: number; readonly gid: number } | undefined;

const candidates = ["postgres", "nobody"] as const;

export function runningAsRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * The account that runs PostgreSQL when nothing has to be kept yet: for root the first of `postgres` and `nobody`
 * that the machine has.
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
    "PostgreSQL does not run as root, and this machine has neither a user `postgres` nor `nobody` to run it as: " +
      `start the engine as an ordinary user, or ${useOwnServer}.`,
  );
}

/** Containers may run under a number that no user has; `initdb` refuses that. */
function requireName(): void {
  try {
    userInfo();
  } catch (error) {
    throw new EmbeddedPostgresError(
      "no-account",
      `PostgreSQL needs a user with a name, and this machine has none for the current user (uid ` +
        `${process.getuid?.()}): add one to /etc/passwd, or ${useOwnServer}.`,
      error,
    );
  }
}

/** `id` rather than /etc/passwd: it also knows the accounts of directory services. */
async function lookUp(name: string): Promise<Account> {
  const run = promisify(execFile);
  try {
    const [uid, gid] = await Promise.all([run("id", ["-u", name]), run("id", ["-g", name])]);
    const account = { uid: Number.parseInt(uid.stdout, 10), gid: Number.parseInt(gid.stdout, 10) };
    return account.uid > 0 && account.gid >= 0 ? account : undefined;
  } catch {
    return undefined; // `id` fails for a user that does not exist
  }
}

/** Whether the account may enter a folder. The kernel is asked, because mode bits do not tell of ACLs and mounts. */
export function canEnter(folder: string, account: Account): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn("/bin/sh", ["-c", 'cd -- "$1"', "sh", folder], { ...account, cwd: "/", stdio: "ignore" });
    child.once("error", reject);
    child.once("exit", (code) => resolve(code === 0));
  });
}

/** Makes the account the owner of a file or folder. */
export async function giveTo(account: Account, path: string): Promise<void> {
  if (account !== undefined) await chown(path, account.uid, account.gid);
}
