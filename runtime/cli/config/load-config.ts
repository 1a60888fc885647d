/** Loads `engine.config.ts` for a server in this process. */

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { SourceMap } from "node:module";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { ConfigurationError } from "../../config/configuration-error.ts";
import { type HostConfig, hostConfig, noConfig } from "../../server/config-module/host-config.ts";
import { messageOf } from "../../values/message-of.ts";
import { bundleConfig, configFile } from "./bundle-config.ts";
import { lineOf } from "./config-locations.ts";

/**
 * @param folder searched for the file by default
 * @param given path from `--config`
 * @throws ConfigurationError if the file cannot be read, or contains invalid settings
 */
export async function loadConfig(folder: string, given: string | boolean | undefined): Promise<HostConfig> {
  const file = configFile(folder, typeof given === "string" ? given : undefined);
  if (file === undefined) return noConfig;
  const text = await readFile(file, "utf8");
  const { code, map } = await bundleConfig(file, "live");
  const name = basename(file);
  const placeOf = (member: string): string => placed(name, lineOf(text, member));
  const temporary = await mkdtemp(join(tmpdir(), "engine-config-"));
  const path = join(temporary, "engine.config.mjs");
  const locate = (thrown: unknown): string | undefined => placeInStack(thrown, path, new SourceMap(JSON.parse(map)));
  try {
    await writeFile(path, code, { mode: 0o600 });
    const { default: config }: { readonly default?: unknown } = await import(pathToFileURL(path).href);
    return hostConfig(config, { file: name, placeOf, locate });
  } catch (thrown) {
    if (thrown instanceof ConfigurationError) throw thrown;
    const message = messageOf(thrown);
    throw new ConfigurationError([{ setting: null, message, place: locate(thrown) ?? name }]);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

const placed = (name: string, line: number | undefined): string => (line === undefined ? name : `${name}:${line}`);

/** Returns the file and line of the first stack frame in the configuration. */
function placeInStack(thrown: unknown, path: string, map: SourceMap): string | undefined {
  const stack = thrown instanceof Error ? (thrown.stack ?? "") : "";
  const [, line, column] = new RegExp(`${path.replace(/\W/g, "\\$&")}:(\\d+):(\\d+)`).exec(stack) ?? [];
  if (line === undefined) return undefined;
  const entry = map.findEntry(Number(line) - 1, Number(column) - 1);
  if (!("originalSource" in entry)) return undefined;
  return `${relative(".", entry.originalSource)}:${entry.originalLine + 1}`;
}
