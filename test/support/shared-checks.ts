/**
 * Shared code of the conformance run and the benchmark. Both test the built engine from outside with a runner beside
 * the repository and a PostgreSQL with PostGIS.
 */
import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** The root of the repository, in which the runners must be started. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

/** The command with which the runners start the engine. */
export const engineCommand = "node .build/engine.mjs start";

const bundle = join(root, ".build", "engine.mjs");
const sources = [
  "compiler",
  "runtime",
  ".ci/bundle.mjs",
  ".ci/bundle-console.mjs",
  ".ci/bundle-inside.mjs",
  ".ci/docs",
  ".ci/docs.mjs",
  "CHANGELOG.md",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
];
const postgresScript = join(root, ".ci", "postgres.sh");

/** Returns the folder `../shared/<name>`; `undefined` if it does not exist. */
export function sharedFolder(name: string): string | undefined {
  const folder = join(root, "..", "shared", name);
  return existsSync(join(folder, "run.mjs")) ? folder : undefined;
}

/**
 * Runs a program in the root of the repository, with the standard input and output of this process, until it ends. If
 * the user interrupts the run, only the program ends at once, so that this process can clean up afterwards.
 * @returns its exit code
 */
export async function runToEnd(program: string, args: readonly string[]): Promise<number> {
  const child = spawn(program, args, { cwd: root, stdio: "inherit" });
  // A signal to this process alone does not reach the child, unlike Ctrl-C.
  const pass = (signal: NodeJS.Signals) => void child.kill(signal);
  const ignore = () => undefined;
  process.on("SIGTERM", pass).on("SIGINT", ignore);
  try {
    return await new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (code) => resolve(code ?? 1));
    });
  } finally {
    process.off("SIGTERM", pass).off("SIGINT", ignore);
  }
}

/**
 * Builds the engine if the bundle is missing or older than a source file. If test files run concurrently, the first one
 * builds and the others wait.
 */
export async function ensureBuilt(): Promise<void> {
  while (!(await isBuilt())) {
    const owns = await takeLock();
    if (!owns) await setTimeout(100);
    else {
      try {
        if (!(await isFresh())) await build();
      } finally {
        await rm(lock, { recursive: true });
      }
    }
  }
}

/** Lock folder that exists during a build. */
const lock = join(root, "node_modules", ".engine-build");
/** Maximum duration of a build. An older lock belongs to a dead process. */
const lockMilliseconds = 120_000;

async function takeLock(): Promise<boolean> {
  try {
    await mkdir(lock);
    return true;
  } catch {
    const { mtimeMs } = await stat(lock).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > lockMilliseconds) await rm(lock, { recursive: true, force: true });
    return false;
  }
}

const isBuilt = async (): Promise<boolean> => !existsSync(lock) && (await isFresh());

async function isFresh(): Promise<boolean> {
  const built = existsSync(bundle) ? (await stat(bundle)).mtimeMs : 0;
  return built > Math.max(...(await Promise.all(sources.map((path) => newestChange(join(root, path))))));
}

async function build(): Promise<void> {
  const code = await runToEnd("npm", ["run", "build"]);
  if (code !== 0 || !existsSync(bundle)) throw new Error("npm run build did not produce .build/engine.mjs");
}

async function newestChange(path: string): Promise<number> {
  const found = await stat(path);
  if (!found.isDirectory()) return found.mtimeMs;
  const inside = await readdir(path);
  // Deletions change the modification time of the folder itself.
  return Math.max(found.mtimeMs, ...(await Promise.all(inside.map((name) => newestChange(join(path, name))))));
}

/**
 * Calls `work` with the URL of a PostgreSQL server: the value of `--pg-url` among the arguments, or a new server that
 * is stopped afterwards.
 */
export async function withPostgres<T>(args: readonly string[], work: (url: string) => Promise<T>): Promise<T> {
  const given = optionValue(args, "--pg-url");
  if (given !== undefined) return work(given);
  const url = await startPostgres();
  try {
    return await work(url);
  } finally {
    await promisify(execFile)(postgresScript, ["stop", url]);
  }
}

function startPostgres(): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(postgresScript, ["start"], { stdio: ["ignore", "pipe", "inherit"] });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString("utf8");
    });
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve(output.trim());
      else reject(new Error(`.ci/postgres.sh start failed (exit ${code}); --pg-url names a server to use instead`));
    });
  });
}

/** Returns the value of an option given as `--name value` or `--name=value`. */
export function optionValue(args: readonly string[], name: string): string | undefined {
  for (const [index, arg] of args.entries()) {
    if (arg === name) return args[index + 1];
    if (arg.startsWith(`${name}=`)) return arg.slice(name.length + 1);
  }
  return undefined;
}

/** Returns the arguments without an option and its value. */
export function withoutOption(args: readonly string[], name: string): string[] {
  return args.filter((arg, index) => arg !== name && args[index - 1] !== name && !arg.startsWith(`${name}=`));
}

/** Runs a script's main function. Its result is the exit code; an error is printed without its stack. */
export async function runMain(main: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
