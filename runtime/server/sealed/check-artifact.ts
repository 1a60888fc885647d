/** Checks that an artifact matches this runtime and its options. */
import { ConfigurationError } from "../../config/configuration-error.ts";
import { type Options, optionTable } from "../../config/option-table.ts";
import type { Environment } from "../../config/options.ts";
import { contractVersion } from "../../model/support/contract.ts";
import { EngineError } from "../../values/errors.ts";
import { configuredOptions, type HostConfig } from "../config-module/host-config.ts";
import type { Artifact } from "./artifact.ts";

/**
 * Returns the options, and the environment with the additions of the configuration.
 * @throws ConfigurationError, EngineError
 */
export function optionsFor(
  artifact: Pick<Artifact, "settings">,
  environment: Environment,
  config: HostConfig,
): ReturnType<typeof configuredOptions> {
  const configured = configuredOptions({}, environment, config);
  checkPlanning(artifact, configured.options);
  refuseFallback(configured.options);
  return configured;
}

/** An artifact is complete: whatever it lacks must not come from another server. */
function refuseFallback({ fallback }: Pick<Options, "fallback">): void {
  if (fallback === null) return;
  const { variable, flag } = optionTable.fallback;
  const message = `an artifact does not forward operations (${flag}): unset ${variable}`;
  throw new ConfigurationError([{ setting: variable, message }]);
}

/** Refuses options that differ from those with which the saved operations were planned. */
function checkPlanning({ settings: { planning, remoteSchemas } }: Pick<Artifact, "settings">, options: Options): void {
  const { stringifyNumbers, nullCollapse, skipRemoteNulls = false } = planning;
  const built = [
    ["ENGINE_GRAPHQL_STRINGIFY_NUMERIC_TYPES", stringifyNumbers, options.stringifyNumericTypes],
    ["ENGINE_GRAPHQL_V1_BOOLEAN_NULL_COLLAPSE", nullCollapse, options.nullCollapse],
    // Irrelevant without remote schemas.
    ...(remoteSchemas === undefined
      ? []
      : [["ENGINE_GRAPHQL_REMOTE_SCHEMA_SKIP_NULLS", skipRemoteNulls, options.remoteSchemaSkipNulls] as const]),
  ] as const;
  if (built.every(([, value, current]) => value === current)) return;
  const values = built.map(([name, value]) => `${name}=${value}`);
  const list = `${values.slice(0, -1).join(", ")} and ${values.at(-1)}`;
  throw new EngineError(
    "not-supported",
    "$",
    `the artifact was built with ${list}; start it with the same values, or rebuild it`,
  );
}

/** @throws EngineError if the artifact was built for another runtime */
export function checkContract({ settings: { contract } }: Pick<Artifact, "settings">): void {
  if (contract === contractVersion) return;
  const message = `the artifact was generated for contract version ${contract}, but this runtime has version ${contractVersion}; rebuild it`;
  throw new EngineError("not-supported", "$", message);
}
