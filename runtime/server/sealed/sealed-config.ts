/**
 * Loads the configuration of an artifact: the built-in configuration, or the configuration that a host program passes.
 */

import { ConfigurationError } from "../../config/configuration-error.ts";
import { messageOf } from "../../values/message-of.ts";
import { type HostConfig, hostConfig, noConfig } from "../config-module/host-config.ts";
import type { EngineConfig } from "../embedding/config.d.mts";
import type { Artifact } from "./artifact.ts";

/**
 * @param passed refused if the artifact has a built-in configuration, whose sessions and hooks it would replace
 * @throws ConfigurationError if the configuration throws or is invalid
 */
export async function sealedConfig({ config }: Pick<Artifact, "config">, passed?: EngineConfig): Promise<HostConfig> {
  if (config === undefined) return passed === undefined ? noConfig : hostConfig(passed, noConfig);
  const { file, lines, load } = config;
  if (passed !== undefined) {
    const message = `the artifact has a built-in configuration from ${file}; do not pass one, or rebuild the artifact without it`;
    throw new ConfigurationError([{ setting: null, message }]);
  }
  const placeOf = (name: string): string => (lines[name] === undefined ? file : `${file}:${lines[name]}`);
  try {
    return hostConfig((await load()).default, { file, placeOf, locate: () => undefined });
  } catch (thrown) {
    if (thrown instanceof ConfigurationError) throw thrown;
    const message = messageOf(thrown);
    throw new ConfigurationError([{ setting: null, message, place: file }]);
  }
}
