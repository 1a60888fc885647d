/** Environment variables whose values commands print, such as the client of a vault: `ENGINE_…_COMMAND`. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { ConfigurationError, type ConfigurationProblem } from "./configuration-error.ts";
import type { Environment } from "./options.ts";
import { readSecretFiles } from "./secret-files.ts";

const commandVariable = /^(ENGINE_[A-Z0-9_]+)_COMMAND$/;

const maxBytes = 1024 * 1024;

/** Time limit of a command in milliseconds. */
const timeout = 10_000;

/** Returns the variable whose value a command prints; `undefined` if the setting names no command. */
export const nameOfCommand = (setting: string): string | undefined => commandVariable.exec(setting)?.[1];

/** Returns true if the environment has commands that print values. */
export const hasSecretCommands = (environment: Environment): boolean =>
  Object.keys(environment).some((name) => nameOfCommand(name) !== undefined);

/**
 * Runs all commands at once. A line feed at the end of an output is not part of its value.
 * @throws ConfigurationError that names all commands that fail. It contains no output of them
 */
export async function runSecretCommands(environment: Environment): Promise<ReadonlyMap<string, string>> {
  const problems: ConfigurationProblem[] = [];
  const values = new Map<string, string>();
  const commands = Object.entries(environment).map(async ([setting, text]) => {
    const name = nameOfCommand(setting);
    if (name === undefined || text === undefined) return;
    try {
      const [program, ...parts] = wordsOf(text);
      if (program === undefined || program === "") throw new Error("it names no program");
      const { stdout } = await promisify(execFile)(program, parts, { timeout, maxBuffer: maxBytes, encoding: "utf8" });
      values.set(name, stdout.replace(/\r?\n$/, ""));
    } catch (error) {
      problems.push({ setting, message: reasonOf(error) });
    }
  });
  await Promise.all(commands);
  if (problems.length > 0) throw new ConfigurationError(problems);
  return values;
}

/**
 * Returns the environment with the values of its files and commands.
 * @throws ConfigurationError as `runSecretCommands` and `readSecretFiles`, and for variables that are set twice
 */
export async function withSecrets(environment: Environment): Promise<Environment> {
  const files = readSecretFiles(environment);
  const printed = await runSecretCommands(environment);
  return { ...environment, ...Object.fromEntries(joinSecrets(environment, files, printed)) };
}

/** Joins the values of files and of commands. @throws ConfigurationError for variables that are set twice */
export function joinSecrets(
  environment: Environment,
  files: ReadonlyMap<string, string>,
  printed: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const twice = [...printed.keys()].filter((name) => environment[name] !== undefined || files.has(name));
  if (twice.length > 0) {
    const message = (name: string) => `${name} has more than one value`;
    throw new ConfigurationError(twice.map((name) => ({ setting: `${name}_COMMAND`, message: message(name) })));
  }
  return new Map([...files, ...printed]);
}

/**
 * Returns program and arguments: a JSON list of texts, or words separated by spaces. No shell reads them.
 * @throws Error
 */
function wordsOf(text: string): readonly string[] {
  if (!text.trimStart().startsWith("[")) return text.split(/\s+/).filter((word) => word !== "");
  const list: unknown = JSON.parse(text);
  if (Array.isArray(list) && list.every((word) => typeof word === "string")) return list;
  throw new Error("expected a JSON list of texts");
}

/** Returns the reason without the output and the arguments, which may contain secrets. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "it failed";
  if (error instanceof SyntaxError) return "it is not JSON; write a list of texts, or words separated by spaces";
  const { code, killed, signal } = error as { code?: unknown; killed?: unknown; signal?: unknown };
  if (code === "ENOENT") return "the program does not exist";
  if (code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") return `the output is longer than ${maxBytes} bytes`;
  if (killed === true) return `the command did not end within ${timeout / 1000} seconds`;
  if (typeof code === "number") return `the command ended with exit code ${code}`;
  if (typeof signal === "string") return `the command was ended by ${signal}`;
  return typeof code === "string" ? `the command failed: ${code}` : error.message;
}
