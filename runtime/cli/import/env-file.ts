/** Reads and writes `.env` files, with the syntax of Node's `parseEnv`, which commands read them with. */
import { readFile, stat, writeFile } from "node:fs/promises";
import { parseEnv } from "node:util";
import type { Environment } from "../../config/options.ts";
import { EngineError } from "../../values/errors.ts";

const maxBytes = 1024 * 1024;

/** @throws EngineError for a missing file, a folder, a device or a file of more than 1 MiB */
export async function readSmallFile(path: string): Promise<string> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new EngineError("not-found", "$", `cannot read ${path}: ${error.code}`, { cause: error });
  });
  if (!found.isFile()) throw new EngineError("bad-request", "$", `cannot read ${path}: it is not a file`);
  if (found.size > maxBytes) throw new EngineError("bad-request", "$", `cannot read ${path}: it is larger than 1 MiB`);
  return readFile(path, "utf8");
}

/** @throws EngineError as `readSmallFile` */
export const readEnvironmentFile = async (path: string): Promise<Environment> => parseEnv(await readSmallFile(path));

export interface EnvironmentText {
  readonly text: string;
  /** Names of variables that the syntax cannot express. */
  readonly leftOut: readonly string[];
}

/** Returns the text of a file that is read back as the same variables. */
export function environmentText(variables: ReadonlyMap<string, string>): EnvironmentText {
  const leftOut: string[] = [];
  const lines = [...variables].flatMap(([name, value]) => {
    const line = assignment(name, value);
    if (line === undefined) leftOut.push(name);
    return line ?? [];
  });
  return { text: lines.map((line) => `${line}\n`).join(""), leftOut };
}

/** Returns the first form that is read back as the value: the syntax has no escape for quotes. */
function assignment(name: string, value: string): string | undefined {
  const isPlain = /^[\w.:/@%+,-]*$/.test(value);
  const forms = [
    ...(isPlain ? [value] : []),
    `'${value}'`,
    `"${value}"`,
    `\`${value}\``,
    `"${value.replaceAll("\n", "\\n")}"`,
    value,
  ];
  return forms.map((form) => `${name}=${form}`).find((line) => isReadAs(line, name, value));
}

/**
 * Returns true if a line sets only this variable, and leaves the lines before and after it intact. An opening quote
 * could otherwise end at a quote of a later line.
 */
function isReadAs(line: string, name: string, value: string): boolean {
  if (!/^[A-Za-z_][\w.-]*$/.test(name)) return false;
  const others = ["1", "'2'", '"3"', "`4`"].map((text, index) => [`${name}_${index}`, text] as const);
  const [first, ...last] = others.map(([key, text]) => `${key}=${text}`);
  const read = parseEnv([first, line, ...last, ""].join("\n"));
  const isIntact = others.every(([key, text]) => read[key] === text.replace(/\D/g, ""));
  return isIntact && read[name] === value && Object.keys(read).length === others.length + 1;
}

/**
 * Writes a new file that only its owner may read.
 * @throws EngineError if the path exists or cannot be written
 */
export async function writeSecretFile(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { mode: 0o600, flag: "wx" });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    const reason = code === "EEXIST" ? "it exists; remove it, or choose another file" : String(code ?? error);
    throw new EngineError("unwritable", "$", `cannot write ${path}: ${reason}`, { cause: error });
  }
}
