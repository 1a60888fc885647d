/** What a configuration sets in code: its shape checked, its options beneath those of flags and environment. */

import { codeName, codeVariables } from "../../config/code-options.ts";
import { ConfigurationError, type ConfigurationProblem } from "../../config/configuration-error.ts";
import type { Options } from "../../config/option-table.ts";
import { type Environment, type Flags, parseOptions } from "../../config/options.ts";
import type { CredentialCheck } from "../../http/auth/credential-check.ts";
import type { Log } from "../../observe/logs/log.ts";
import type { OperationHooks } from "../../ports/operation-hooks.ts";
import { isObject } from "../../values/is-object.ts";
import { nearestName } from "../../values/nearest-name.ts";
import type { EngineConfig } from "../embedding/config.d.mts";
import type { HostCode, HostSource } from "./host-code.ts";
import { hostHooks } from "./host-hooks.ts";
import { hostSessionCheck } from "./host-session.ts";

export interface HostConfig extends Omit<EngineConfig, "options">, HostSource {
  /** Texts of options, by their environment variables. */
  readonly variables: ReadonlyMap<string, string>;
}

/** Of a program or an artifact without a configuration. */
export const noConfig: HostConfig = {
  file: "the configuration",
  variables: new Map(),
  placeOf: () => "the configuration",
  locate: () => undefined,
};

const functions = ["session", "beforeOperation", "afterOperation", "log"] as const;
export const configMembers: readonly string[] = [...functions, "options", "timeoutMilliseconds"];
const longestTimeout = 600_000;

/**
 * @param config what the file exports, or a program passes
 * @throws ConfigurationError with everything that is wrong with it
 */
export function hostConfig(config: unknown, source: HostSource): HostConfig {
  const problems: ConfigurationProblem[] = [];
  const refuse = (name: string, message: string) =>
    problems.push({ setting: name, message, place: source.placeOf(name) });
  if (!isObject(config)) {
    const message = "the default export has to be an object: export default defineConfig({ … })";
    throw new ConfigurationError([{ setting: null, message, place: source.file }]);
  }
  for (const name of Object.keys(config).filter((each) => !configMembers.includes(each))) {
    const nearest = nearestName(name, configMembers);
    refuse(name, `there is no such member${nearest === undefined ? "" : `; did you mean ${nearest}?`}`);
  }
  for (const name of functions) {
    if (config[name] !== undefined && typeof config[name] !== "function") refuse(name, "has to be a function");
  }
  const { timeoutMilliseconds: timeout, options = {} } = config;
  if (timeout !== undefined && !isTimeout(timeout)) {
    refuse("timeoutMilliseconds", `has to be a number from 1 to ${longestTimeout}`);
  }
  if (!isObject(options)) refuse("options", "has to be an object");
  const { variables, problems: wrong } = codeVariables(isObject(options) ? options : {});
  problems.push(...wrong.map((problem) => ({ ...problem, place: source.placeOf(problem.setting ?? "options") })));
  if (problems.length > 0) throw new ConfigurationError(problems);
  const { options: _, ...rest } = config as EngineConfig;
  return { ...rest, ...source, variables };
}

const isTimeout = (value: unknown): boolean => typeof value === "number" && value >= 1 && value <= longestTimeout;

/**
 * Precedence: flags, environment, configuration, defaults.
 * @returns the options, and the environment with what the configuration adds to it
 * @throws ConfigurationError
 */
export function configuredOptions(
  flags: Flags,
  environment: Environment,
  { variables, placeOf }: Pick<HostConfig, "variables" | "placeOf">,
): { readonly options: Options; readonly environment: Environment } {
  const own = [...variables].filter(([name]) => environment[name] === undefined);
  const whole = own.length === 0 ? environment : { ...environment, ...Object.fromEntries(own) };
  try {
    return { options: parseOptions(flags, whole), environment: whole };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const inCode = new Set(own.map(([name]) => name));
    const placed = error.problems.map((problem) => {
      if (problem.setting === null || !inCode.has(problem.setting)) return problem;
      const setting = codeName(problem.setting);
      return { ...problem, setting, place: placeOf(setting) };
    });
    throw new ConfigurationError(placed);
  }
}

/** What of the configuration takes part in requests. */
export interface HostParts {
  readonly check: CredentialCheck | undefined;
  readonly hooks: OperationHooks | undefined;
}

export function hostParts(config: HostConfig, log: Log, { headerAlias }: Pick<Options, "headerAlias">): HostParts {
  const { file, locate, timeoutMilliseconds = 10_000, session } = config;
  const code: HostCode = { log, file, locate, timeoutMilliseconds };
  return { check: session && hostSessionCheck(session, code, headerAlias), hooks: hostHooks(config, code) };
}
