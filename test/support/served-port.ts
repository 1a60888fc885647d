import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";

/**
 * The port that a server takes which was started with port 0: no other process can have taken it before.
 * @param server whose standard error is a pipe
 * @throws Error when the process ends before it serves
 */
export function servedPort({ stderr }: ChildProcess): Promise<number> {
  if (stderr === null) throw new Error("the server's standard error is no pipe");
  return new Promise((resolve, reject) => {
    createInterface({ input: stderr })
      .on("line", (line) => {
        const [, port] = /engine serves on http:\/\/localhost:(\d+)$/.exec(line) ?? [];
        if (port !== undefined) resolve(Number(port));
      })
      .on("close", () => reject(new Error("the server ended before it served")));
  });
}
