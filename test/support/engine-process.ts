/** A server as a user runs it: the bundle, or an artifact, in a process of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { servedPort } from "./served-port.ts";
import { root } from "./shared-checks.ts";

export interface EngineProcess {
  readonly url: string;
  readonly port: number;
  readonly child: ChildProcess;
  /** Lines of the log so far, as JSON. */
  log(): readonly string[];
  /** Its exit code, and when it ended. */
  readonly ended: Promise<{ readonly code: number | null; readonly at: number }>;
}

/**
 * Resolves when it serves; to be built before (`ensureBuilt`).
 * @param program the live server unless given
 * @throws Error with what it printed when it ends before
 */
export async function startEngine(
  environment: Readonly<Record<string, string>>,
  program: readonly string[] = [join(root, ".build/engine.mjs"), "start"],
  cwd: string | undefined = undefined,
): Promise<EngineProcess> {
  const child = spawn(process.execPath, program, {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env.PATH ?? "", ENGINE_GRAPHQL_SERVER_PORT: "0", ...environment },
  });
  const output = { stdout: "", stderr: "" };
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, at: performance.now() }));
  const early = ended.then(() => Promise.reject(new Error(`the server ended: ${output.stdout}${output.stderr}`)));
  child.stdout.on("data", (data) => (output.stdout += data));
  child.stderr.on("data", (data) => (output.stderr += data));
  // What ends before it serves is told with what it printed.
  const port = await Promise.race([servedPort(child).catch(() => early), early]);
  early.catch(() => undefined);
  // What stands behind the last line break is still to be completed.
  const log = () => output.stdout.split("\n").slice(0, -1);
  return { url: `http://127.0.0.1:${port}`, port, child, log, ended };
}
