/** `engine.config.ts` → what an artifact is built with. Nothing of it runs at the build. */
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { codeName } from "../../config/code-options.ts";
import { describeOptions } from "../../config/options.ts";
import { configMembers } from "../../server/config-module/host-config.ts";
import type { ConfigInput } from "../build/entry.ts";
import { bundleConfig, configFile } from "./bundle-config.ts";
import { lineOf, writtenSecrets } from "./config-places.ts";

export interface BuiltInConfig extends ConfigInput {
  /** Places of secrets that are written out. */
  readonly secrets: readonly string[];
}

/**
 * @param given a file that was named; else it is looked for in the folder where the command runs
 * @throws ConfigurationError with file and line of each mistake
 */
export async function builtInConfig(given: string | undefined): Promise<BuiltInConfig | undefined> {
  const path = configFile(".", given);
  if (path === undefined) return undefined;
  const text = await readFile(path, "utf8");
  const file = basename(path);
  const { code } = await bundleConfig(path, "sealed");
  const names = [...configMembers, ...describeOptions().map(({ variable }) => codeName(variable))];
  const lines = names.flatMap((name) => {
    const line = lineOf(text, name);
    return line === undefined ? [] : [[name, line] as const];
  });
  const secrets = writtenSecrets(text).map(({ name, line }) => `${file}:${line}: literal secret (${name})`);
  return { file, code, lines: Object.fromEntries(lines), secrets };
}
