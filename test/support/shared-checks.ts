/**
 * What the conformance run and the benchmark have in common: both measure the built engine from outside, by a runner
 * that stands beside the repository, against a PostgreSQL with PostGIS.
 * Input: the name of the runner's folder and command-line arguments. Output: processes run to their end.
 */
import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** The repository's folder, from which the runners have to be started. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

/** How the runners start the engine. */
export const engineCommand = "node .build/engine.mjs start";

const bundle = join(root, ".build", "engine.mjs");
const sources = [
  "compiler",
  "runtime",
  ".ci/bundle.mjs",
  ".ci/bundle-console.mjs",
  ".ci/bundle-inside.mjs",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
];
const postgresScript = join(root, ".ci", "postgres.sh");

/** The folder `../shared/<name>`; `undefined` in a clone that has no such neighbour. */
export function sharedFolder(name: string): string | undefined {
  const folder = join(root, "..", "shared", name);
  return existsSync(join(folder, "run.mjs")) ? folder : undefined;
}

/**
 * Runs a program from the repository's folder with our own input and output, to its end: an interruption is the
 * program's to handle, and we clean up after it.
 * @returns its exit code
 */
export async function runToEnd(program: string, args: readonly string[]): Promise<number> {
  const child = spawn(program, args, { cwd: root, stdio: "inherit" });
  // Ctrl-C reaches the child by itself, a signal to this process alone does not.
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
 * Builds the engine when the bundle is missing or older than a source file. Test files run side by side: the first one
 * builds, the others wait for it.
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

/** Exists while somebody builds. */
const lock = join(root, "node_modules", ".engine-build");
/** Nobody builds for so long: who made the lock has died. */
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
  // The folder's own time tells of deletions.
  return Math.max(found.mtimeMs, ...(await Promise.all(inside.map((name) => newestChange(join(path, name))))));
}

/**
 * Calls `work` with the URL of a PostgreSQL server: the one that `--pg-url` names among the arguments, or a new one
 * that is stopped afterwards.
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

/** The value of an option given as `--name value` or `--name=value`. */
export function optionValue(args: readonly string[], name: string): string | undefined {
  for (const [index, arg] of args.entries()) {
    if (arg === name) return args[index + 1];
    if (arg.startsWith(`${name}=`)) return arg.slice(name.length + 1);
  }
  return undefined;
}

/** The arguments without an option and its value. */
export function withoutOption(args: readonly string[], name: string): string[] {
  return args.filter((arg, index) => arg !== name && args[index - 1] !== name && !arg.startsWith(`${name}=`));
}

/** Runs a script's main function: its number is the exit code, and an error is printed without its stack. */
export async function runMain(main: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
