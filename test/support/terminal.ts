/** A command at a terminal: a pseudo-terminal, which the program `script` makes. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

export interface Terminal {
  /** Waits for what the command prints next, and answers everything up to there. */
  until(text: string): Promise<string>;
  /** Ctrl-C, and resolves when the command has ended. */
  end(): Promise<void>;
}

const deadlineMs = 60_000;

/** @param command as a shell takes it */
export function startTerminal(command: string, folder: string): Terminal {
  const environment = { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "" };
  const child = spawn("script", ["-qefc", command, "/dev/null"], {
    cwd: folder,
    stdio: ["pipe", "pipe", "inherit"],
    env: environment,
  });
  const closed = once(child, "close");
  let printed = "";
  child.stdout.on("data", (data) => (printed += String(data).replaceAll("\r", "")));
  return {
    async until(text) {
      for (const end = performance.now() + deadlineMs; performance.now() < end; await sleep(50)) {
        const at = printed.indexOf(text);
        if (at < 0) continue;
        const before = printed.slice(0, at + text.length);
        printed = printed.slice(at + text.length);
        return before;
      }
      throw new Error(`it did not print ${JSON.stringify(text)}, but: ${printed}`);
    },
    async end() {
      child.stdin.write("\u0003");
      await closed;
    },
  };
}
