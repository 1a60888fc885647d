/** A command at a terminal: a pseudo-terminal, created by the program `script`. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

export interface Terminal {
  /** Waits for the next output of the command, and returns everything up to there. */
  until(text: string | RegExp): Promise<string>;
  /** Types a line. */
  type(line: string): void;
  /** Returns the output after the text of the last call of `until`. */
  rest(): string;
  /** Sends Ctrl-C, and resolves when the command has ended. */
  end(): Promise<void>;
}

const deadlineMs = 60_000;

/**
 * @param command in shell syntax
 */
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
        const [at, length] = placeOf(text, printed);
        if (at < 0) continue;
        const before = printed.slice(0, at + length);
        printed = printed.slice(at + length);
        return before;
      }
      throw new Error(`it did not print ${text}, but: ${printed}`);
    },
    type: (line) => void child.stdin.write(`${line}\n`),
    rest: () => printed,
    async end() {
      child.stdin.write("\u0003");
      await closed;
    },
  };
}

function placeOf(text: string | RegExp, printed: string): readonly [start: number, length: number] {
  if (typeof text === "string") return [printed.indexOf(text), text.length];
  const found = text.exec(printed);
  return [found?.index ?? -1, found?.[0].length ?? 0];
}
