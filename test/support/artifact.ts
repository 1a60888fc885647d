/** Artifacts built by the command and served by a separate process, as in production. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { servedPort } from "./served-port.ts";
import { root } from "./shared-checks.ts";

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command `engine` to its end. */
export function engine(args: readonly string[], cwd: string): Promise<Ended> {
  return toEnd(spawn(process.execPath, [join(root, ".build/engine.mjs"), ...args], { cwd }));
}

export interface ArtifactProcess {
  readonly url: string;
  readonly pid: number;
  /** Lines of the log so far. */
  readonly log: readonly string[];
  /** Ends the server and waits for it. */
  stop(): Promise<void>;
}

export interface ArtifactSettings {
  readonly environment: Readonly<Record<string, string>>;
  /** File of the artifact to start; default `server.mjs`. */
  readonly program?: string;
  /** Arguments of the artifact. */
  readonly args?: readonly string[];
  /** Further flags of Node. */
  readonly flags?: readonly string[];
  /** The working directory; default `/`. */
  readonly cwd?: string;
  /** User and group ID of the process. */
  readonly user?: number;
  /** Receives each line of the log. */
  readonly onLog?: (line: string) => unknown;
}

/** The process refuses all code from strings. */
const sealedFlags = ["--disallow-code-generation-from-strings"];

/** Starts an artifact. @throws Error with its output if it ends before it serves requests */
export async function startArtifact(folder: string, settings: ArtifactSettings): Promise<ArtifactProcess> {
  const child = spawnArtifact(folder, settings);
  const ended = toEnd(child);
  const log: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => {
    log.push(line);
    settings.onLog?.(line);
  });
  const early = ended.then(({ code, stderr }) => Promise.reject(new Error(`exit code ${code}: ${stderr}`)));
  const port = await Promise.race([servedPort(child).catch(() => early), early]);
  early.catch(() => undefined);
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    log,
    async stop() {
      child.kill();
      await ended;
    },
  };
}

/** Runs an artifact that is expected to refuse to start. */
export function refusedArtifact(folder: string, settings: ArtifactSettings): Promise<Ended> {
  return toEnd(spawnArtifact(folder, settings));
}

function spawnArtifact(folder: string, { environment, cwd = "/", user, ...settings }: ArtifactSettings) {
  const { program = "server.mjs", args = [], flags = [] } = settings;
  return spawn(process.execPath, [...sealedFlags, ...flags, join(folder, program), ...args], {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ENGINE_GRAPHQL_SERVER_HOST: "127.0.0.1", ENGINE_GRAPHQL_SERVER_PORT: "0", ...environment },
    ...(user !== undefined && { uid: user, gid: user }),
  });
}

async function toEnd(child: ChildProcess): Promise<Ended> {
  const output = { stdout: "", stderr: "" };
  child.stdout?.on("data", (data) => (output.stdout += data));
  child.stderr?.on("data", (data) => (output.stderr += data));
  const [code] = await once(child, "close");
  return { code: code as number | null, ...output };
}
