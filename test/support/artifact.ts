/** Artifacts as a user has them: built by the command, served by a process of their own. */
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
  /** Its file that is started; `server.mjs` unless given. */
  readonly program?: string;
  /** Arguments of the artifact. */
  readonly args?: readonly string[];
  /** Further flags of Node. */
  readonly flags?: readonly string[];
  /** The working directory; `/` unless given. */
  readonly cwd?: string;
  /** The number of the user, and of the group, that it runs as. */
  readonly user?: number;
  /** Is given the lines of the log as they come. */
  readonly onLog?: (line: string) => unknown;
}

/** Code from strings is refused by the process, whatever asks for it. */
const sealedFlags = ["--disallow-code-generation-from-strings"];

/**
 * Serves an artifact.
 * @throws Error with what it printed when it ends before it serves
 */
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

/** Runs an artifact that is expected to refuse. */
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
