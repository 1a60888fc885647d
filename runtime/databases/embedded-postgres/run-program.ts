/**
 * Runs a program to its end. Input: the command and the account to run it as. Output: nothing, or an error that
 * carries what the program said last.
 */
import { spawn } from "node:child_process";
import type { Account } from "./account.ts";
import { EmbeddedPostgresError, systemCode, useOwnServer } from "./embedded-postgres-error.ts";

/**
 * The environment of all PostgreSQL programs: nothing of ours (PGPORT and the like, secrets), messages in English
 * because some are read, and UTC so that the same data prints alike on every machine.
 */
export const cleanEnvironment = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C", TZ: "UTC" } as const;

/** How much of a program's output an error repeats. */
export const lastLines = 12;

/** @throws EmbeddedPostgresError `start-failed`, with the last lines of the program's output */
export function runProgram(program: string, args: readonly string[], account: Account): Promise<void> {
  return new Promise((resolve, reject) => {
    // From `/`, because the account may not be able to enter the current directory.
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

/** The error for a program that ended badly. */
export function failed(program: string, how: string, said: readonly string[]): EmbeddedPostgresError {
  const told = said.length === 0 ? "It said nothing." : `It said last:\n  ${said.join("\n  ")}`;
  return new EmbeddedPostgresError("start-failed", `${program} failed (${how}). ${told}`);
}

/** The file is there, so `ENOENT` tells of a missing dynamic loader: the programs are built for glibc. */
function cannotRun(program: string, error: Error): EmbeddedPostgresError {
  const why =
    systemCode(error) === "ENOENT"
      ? "this system lacks the C library (glibc) that the program was built for, as Alpine Linux does"
      : error.message;
  return new EmbeddedPostgresError(
    "no-binaries",
    `${program} cannot be run: ${why}. Otherwise ${useOwnServer}.`,
    error,
  );
}
