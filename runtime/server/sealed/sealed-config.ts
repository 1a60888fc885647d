/** The configuration of an artifact: the one that was built in, or the one that a program passes. */
import { ConfigurationError } from "../../config/configuration-error.ts";
import { type HostConfig, hostConfig, noConfig } from "../config-module/host-config.ts";
import type { EngineConfig } from "../embedding/config.d.mts";
import type { Artifact } from "./artifact.ts";

/**
 * @param passed beside a configuration that was built in, none is taken: its sessions and hooks would be left out
 * @throws ConfigurationError where it cannot be run, or sets what it cannot set
 */
export async function sealedConfig({ config }: Pick<Artifact, "config">, passed?: EngineConfig): Promise<HostConfig> {
  if (config === undefined) return passed === undefined ? noConfig : hostConfig(passed, noConfig);
  const { file, lines, load } = config;
  if (passed !== undefined) {
    const message = `the artifact has a configuration of its own, built in from ${file}: pass none, or build it without`;
    throw new ConfigurationError([{ setting: null, message }]);
  }
  const placeOf = (name: string): string => (lines[name] === undefined ? file : `${file}:${lines[name]}`);
  try {
    return hostConfig((await load()).default, { file, placeOf, locate: () => undefined });
  } catch (thrown) {
    if (thrown instanceof ConfigurationError) throw thrown;
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    throw new ConfigurationError([{ setting: null, message, place: file }]);
  }
}
