/** `.env` of a project: variables for commands that are not in the process's environment. */
import { parseEnv } from "node:util";
import type { Environment } from "../../config/options.ts";
import { EngineError } from "../../values/errors.ts";
import { textOf } from "../metadata-directory/load-files.ts";

/** @throws EngineError when it cannot be read, or is required and not there */
export async function readEnvFile(path: string, { required }: { readonly required: boolean }): Promise<Environment> {
  const text = await textOf(path);
  if (text !== undefined) return parseEnv(text);
  if (required) throw new EngineError("not-found", "$", `there is no file ${path}, which --envfile names`);
  return {};
}
