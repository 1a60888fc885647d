/** A server in a separate process: the bundle, or an artifact. */
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
  /** The text of standard error so far. */
  errors(): string;
  /** The exit code of the process, and the time of its end. */
  readonly ended: Promise<{ readonly code: number | null; readonly at: number }>;
}

/**
 * Resolves when the server serves requests. The engine must be built before (`ensureBuilt`).
 * @param program default: the live server
 * @throws Error with its output if it ends before
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
  // If a process ends before it serves requests, its output is reported.
  const port = await Promise.race([servedPort(child).catch(() => early), early]);
  early.catch(() => undefined);
  // The text after the last line break is an incomplete line.
  const log = () => output.stdout.split("\n").slice(0, -1);
  return { url: `http://127.0.0.1:${port}`, port, child, log, errors: () => output.stderr, ended };
}
