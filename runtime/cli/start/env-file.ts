/** Reads `.env` of a project for `engine start`. */
import { readFile } from "node:fs/promises";
import { parseEnv } from "node:util";
import { ConfigurationError } from "../../config/configuration-error.ts";

/**
 * Adds the variables of a file to the environment of the process, where `engine.config.ts` and workers also find them.
 * Variables that are set already keep their values. A missing file has none.
 * @throws ConfigurationError if the file cannot be read
 */
export async function loadEnvFile(path: string, environment: NodeJS.ProcessEnv = process.env): Promise<void> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return;
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigurationError([{ setting: null, message: `cannot read ${path}: ${reason}` }]);
  }
  for (const [name, value] of Object.entries(parseEnv(text))) environment[name] ??= value;
}
