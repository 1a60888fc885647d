/** The command of `engine dev --run`: a program of the project, such as its handlers, that runs beside the server. */
import { spawn } from "node:child_process";
import { failureMessage } from "../../server/parts/failure.ts";
import { problem } from "../problem.ts";
import { printProblems, printSteps } from "../project/output.ts";
import type { Settings } from "../project/settings.ts";

export interface Companion {
  /** Ends the command and the processes that it has started. */
  stop(): void;
}

/**
 * Starts a command in the project's folder with the variables of `.env`. Its output is printed. If it ends, a warning is
 * printed and the server continues.
 * @param command in shell syntax
 */
export function runCompanion(command: string, project: string, { environment }: Settings): Companion {
  // A group of its own, because shells and npm do not pass signals to the processes that they start.
  const hasGroup = process.platform !== "win32";
  const child = spawn(command, {
    cwd: project,
    env: environment,
    shell: true,
    detached: hasGroup,
    stdio: ["ignore", "inherit", "inherit"],
  });
  let isRunning = true;
  const ended = (reason: string): void => {
    if (isRunning) printProblems([problem("warning", "note", `the command of --run ended: ${reason}`)]);
    isRunning = false;
  };
  child.on("error", (error) => ended(failureMessage(error)));
  child.on("exit", (code, signal) => ended(signal === null ? `exit code ${code}` : `signal ${signal}`));
  const stop = (): void => {
    if (!isRunning || child.pid === undefined) return;
    isRunning = false;
    if (hasGroup) process.kill(-child.pid);
    else child.kill();
  };
  // A second signal ends this process at once.
  process.once("exit", stop);
  // A closed terminal sends this signal to its foreground group only, and it would end this process without `exit`.
  process.once("SIGHUP", () => process.exit(129));
  printSteps(`running ${command}\n`);
  return { stop };
}
