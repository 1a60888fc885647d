/**
 * The instructions of a page that builds a project step by step, and their execution in the project's folder:
 *
 * | block | execution |
 * | --- | --- |
 * | any, after `<!-- file PATH -->` or `<!-- append PATH -->` | written to the file, or to its end |
 * | `sh` with the only line `npm run dev` | ends the earlier one, and starts it at a terminal until it waits for changes |
 * | `sh` after `<!-- background -->` | runs until the end of the page, or until the next such block |
 * | `text` after `<!-- background output -->` | the last background command prints these lines, after those of earlier blocks |
 * | `sh` | runs to its end; a `json` or `text` block that follows is its output |
 * | others | for reading only |
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { root } from "./shared-checks.ts";
import { startTerminal, type Terminal } from "./terminal.ts";

export interface Instruction {
  /** `file`, `append`, `background` or `background output`. */
  readonly action: string | undefined;
  readonly path: string | undefined;
  readonly language: string;
  readonly text: string;
  /** The block that follows: the output of the command. */
  readonly output: { readonly language: string; readonly text: string } | undefined;
}

/** @param page path in the repository */
export async function instructionsOf(page: string): Promise<readonly Instruction[]> {
  const text = await readFile(join(root, page), "utf8");
  const note = "(?:<!-- (file|append|background output|background)(?: (\\S+))? -->\\n)?";
  const result = "(?:\\n\\n```(json|text)\\n([\\s\\S]*?)^```$)?";
  const block = new RegExp(`${note}^\`\`\`(\\w+)\\n([\\s\\S]*?)^\`\`\`$${result}`, "gm");
  return [...text.matchAll(block)].map(([, action, path, language = "", code = "", kind, output]) => ({
    ...{ action, path, language, text: code },
    output: kind === undefined || output === undefined ? undefined : { language: kind, text: output },
  }));
}

/** Environment of commands: variables of the test run, such as a database, must not reach the project. */
export const projectEnvironment = {
  PATH: process.env.PATH ?? "",
  HOME: process.env.HOME ?? "",
  npm_config_prefer_offline: "true",
};

const startOfDevelopment = "npm run dev\n";
/** The last change of a file may not be applied yet, and a server may not have started. */
const outputTimeout = 30_000;

export interface PageProject {
  /** Carries out one instruction. @throws AssertionError if its output differs */
  follow(instruction: Instruction): Promise<void>;
  /** Runs a command, and returns its standard output. @throws Error with its output if it fails */
  shell(command: string): Promise<string>;
  /** Returns the output of the last background command, for messages of failures. */
  backgroundOutput(): string;
  /** Ends everything that the instructions have started. */
  end(): Promise<void>;
}

/**
 * @param folder of the project
 * @param replacements texts of the page, such as addresses, with those to use instead
 */
export function projectOfPage(folder: string, replacements: Readonly<Record<string, string>>): PageProject {
  let development: Terminal | undefined;
  let background: BackgroundCommand | undefined;
  const local = (text: string): string =>
    Object.entries(replacements).reduce((changed, [from, to]) => changed.replaceAll(from, to), text);

  async function shell(command: string): Promise<string> {
    const script = ["-ec", local(command)];
    return (await promisify(execFile)("sh", script, { cwd: folder, env: projectEnvironment })).stdout;
  }

  async function write(path: string, text: string, isAppended: boolean): Promise<void> {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await (isAppended ? appendFile(file, `\n${text}`) : writeFile(file, text));
  }

  async function run(command: string, output: Instruction["output"]): Promise<void> {
    if (output === undefined) await shell(command);
    else if (output.language === "text") expect(await shell(command)).toBe(output.text);
    else {
      const result = async (): Promise<unknown> => JSON.parse(await shell(command));
      await expect.poll(result, { timeout: outputTimeout, interval: 200 }).toEqual(JSON.parse(output.text));
    }
  }

  return {
    shell,
    backgroundOutput: () => background?.rest() ?? "",
    async follow({ action, path, language, text, output }) {
      if (path !== undefined) await write(path, text, action === "append");
      else if (action === "background output") await background?.prints(text);
      else if (language !== "sh") return;
      else if (action === "background") {
        await background?.end();
        background = startInBackground(local(text), folder);
      } else if (text === startOfDevelopment) {
        await development?.end();
        development = startTerminal("npm run dev", folder);
        await development.until("waiting for changes");
      } else await run(text, output);
    },
    async end() {
      await background?.end();
      await development?.end();
    },
  };
}

interface BackgroundCommand {
  /** Resolves when the command has printed a text after those of earlier calls. */
  prints(text: string): Promise<void>;
  /** Returns the output after the text of the last call. */
  rest(): string;
  end(): Promise<void>;
}

function startInBackground(command: string, cwd: string): BackgroundCommand {
  // A group of its own, so that it ends with the processes that it has started.
  const child: ChildProcess = spawn("sh", ["-ec", command], { cwd, env: projectEnvironment, detached: true });
  const closed = once(child, "close");
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (data) => (printed += String(data)));
  return {
    async prints(text) {
      await expect.poll(() => printed, { timeout: outputTimeout }).toContain(text);
      printed = printed.slice(printed.indexOf(text) + text.length);
    },
    rest: () => printed,
    async end() {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGTERM");
      await closed;
    },
  };
}
