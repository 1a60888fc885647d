/** `engine init`: creates the folder of a new project from a template. */

import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { ConfigurationError } from "../../config/configuration-error.ts";
import { EngineError } from "../../values/errors.ts";
import { messageOf } from "../../values/message-of.ts";
import { didYouMean } from "../../values/nearest-name.ts";
import { configFileName } from "../metadata-directory/layout.ts";
import { printResult } from "../project/output.ts";
import { readTemplate, templateNames } from "../project/template.ts";

export interface InitOptions {
  readonly template: string;
  readonly endpoint?: string;
  readonly adminSecret?: string;
  readonly version: string;
}

/** Entries of a folder that count as empty: the repository of the new project, and files of file managers. */
const ignoredEntries: ReadonlySet<string> = new Set([".git", ".DS_Store", "Thumbs.db"]);

/**
 * Creates a project in `directory`, and resolves to the exit code. If a file cannot be written, the files that were
 * written before are removed.
 * @throws ConfigurationError for invalid flags; EngineError if the folder is not empty, or cannot be written
 */
export async function initCommand(directory: string, options: InitOptions): Promise<number> {
  if (options.version !== "3") throw misuse("--version", "only version 3 is supported");
  await requireTemplate(options.template);
  await requireEmpty(directory);
  const { endpoint, adminSecret } = options;
  const files = await readTemplate(options.template, { project: basename(resolve(directory)), endpoint, adminSecret });
  await writeAll(directory, files);
  printResult(initialized(directory, options.template), {
    directory,
    template: options.template,
    files: [...files.keys()],
  });
  return 0;
}

const misuse = (setting: string, message: string): ConfigurationError => new ConfigurationError([{ setting, message }]);

async function requireTemplate(name: string): Promise<void> {
  const names = await templateNames();
  if (names.includes(name)) return;
  const hint = didYouMean(name, names) ?? `the templates are ${names.join(", ")}`;
  throw misuse("--template", `unknown template ${JSON.stringify(name)}; ${hint}`);
}

async function requireEmpty(directory: string): Promise<void> {
  const entries = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw unwritable(directory, error);
  });
  const found = entries.filter((name) => !ignoredEntries.has(name)).sort();
  if (found.length === 0) return;
  const maxNamed = 5;
  const rest = found.length > maxNamed ? ` and ${found.length - maxNamed} more` : "";
  const named = `${found.slice(0, maxNamed).join(", ")}${rest}`;
  const reason = found.includes(configFileName) ? "already contains a project" : "is not empty";
  const message = `${directory} ${reason} (${named}): choose another folder`;
  throw new EngineError("already-exists", "$", message);
}

function unwritable(directory: string, error: unknown): EngineError {
  const reason = messageOf(error);
  return new EngineError("unwritable", "$", `cannot create a project in ${directory}: ${reason}`, { cause: error });
}

async function writeAll(directory: string, files: ReadonlyMap<string, string>): Promise<void> {
  const written: string[] = [];
  try {
    for (const [path, text] of files) {
      const file = join(directory, path);
      await mkdir(dirname(file), { recursive: true });
      // Only the user may read secrets.
      await writeFile(file, text, { flag: "wx", mode: path === ".env" ? 0o600 : 0o666 });
      written.push(file);
    }
  } catch (error) {
    for (const file of written) await rm(file, { force: true });
    throw unwritable(directory, error);
  }
}

/** Quotes a word for a shell, if needed. */
const inShell = (word: string): string => (/^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

function initialized(directory: string, template: string): string {
  const enter = resolve(directory) === resolve(".") ? [] : [`  cd ${inShell(directory)}`];
  return [
    `created a project in ${directory} from the template ${template}; README.md describes it. Next:`,
    ...enter,
    "  npm install",
    "  npm run dev",
    "",
  ].join("\n");
}
