/** Projects of `engine init` whose packages are linked from the repository instead of being installed. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { engine } from "./artifact.ts";
import { freePort } from "./free-port.ts";
import { root } from "./shared-checks.ts";

export interface TemplateProject {
  readonly folder: string;
  /** The endpoint in the project's files. */
  readonly endpoint: string;
  /** Runs an npm script to its end, without colours. */
  npm(...args: readonly string[]): Promise<{ readonly code: number; readonly output: string }>;
  /** Starts an npm script. */
  start(script: string): ProjectProcess;
  read(path: string): Promise<string>;
  write(path: string, text: string): Promise<void>;
}

interface ProjectProcess {
  /** The output so far. */
  readonly output: () => string;
  stop(): Promise<void>;
}

/**
 * @param parent an empty folder
 * @param name of the project's folder in `parent`
 */
export async function createTemplateProject(
  parent: string,
  template: string,
  name = "my-app",
): Promise<TemplateProject> {
  const endpoint = `http://127.0.0.1:${await freePort()}`;
  const made = await engine(["init", name, "--template", template, "--endpoint", endpoint], parent);
  if (made.code !== 0) throw new Error(made.stderr);
  const folder = join(parent, name);
  const read = (path: string) => readFile(join(folder, path), "utf8");
  const write = (path: string, text: string) => writeFile(join(folder, path), text);
  await linkPackages(folder);
  await write(".env", (await read(".env")).replaceAll("3100", String(await freePort())));
  // Variables of the caller, such as a database, must not reach the project.
  const env = { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", NO_COLOR: "1" };
  return {
    folder,
    endpoint,
    read,
    write,
    async npm(...args) {
      const run = promisify(execFile)("npm", ["--silent", ...args], { cwd: folder, env, maxBuffer: 1e7 });
      return run.then(
        ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
        (error: { readonly code: number; readonly stdout: string; readonly stderr: string }) => ({
          code: error.code,
          output: error.stdout + error.stderr,
        }),
      );
    },
    start(script) {
      const child = spawn("npm", ["--silent", "run", script], { cwd: folder, env, detached: true });
      let output = "";
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
      return { output: () => output, stop: () => stopGroup(child) };
    },
  };
}

/** Sends a process and those that it has started the signal of Ctrl-C. */
async function stopGroup(child: ChildProcess): Promise<void> {
  const closed = once(child, "close");
  if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGINT");
  await closed;
}

/** Links the dependencies of the project's `package.json`, and their commands. */
async function linkPackages(folder: string): Promise<void> {
  const own = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const { dependencies, devDependencies } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const modules = join(folder, "node_modules");
  await mkdir(join(modules, ".bin"), { recursive: true });
  for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
    const target = name === own.name ? root : join(root, "node_modules", name);
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(target, join(modules, name));
    const { bin = {} } = JSON.parse(await readFile(join(target, "package.json"), "utf8"));
    const commands: Readonly<Record<string, string>> = typeof bin === "string" ? { [name]: bin } : bin;
    for (const [command, file] of Object.entries(commands)) {
      await symlink(join(target, file), join(modules, ".bin", command));
    }
  }
}
