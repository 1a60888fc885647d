import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";

/**
 * Returns the port of a server that was started with port 0, so that no other process can occupy the port before.
 * @param server its standard error must be a pipe
 * @throws Error if the process ends before it serves requests
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
