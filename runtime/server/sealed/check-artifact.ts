/** Whether an artifact can be served as it is, by this runtime and with these options. */
import type { Options } from "../../config/option-table.ts";
import type { Environment } from "../../config/options.ts";
import { contractVersion } from "../../model/support/contract.ts";
import { EngineError } from "../../values/errors.ts";
import { configuredOptions, type HostConfig } from "../config-module/host-config.ts";
import type { Artifact } from "./artifact.ts";

/**
 * The options, and the environment with what a configuration adds to it.
 * @throws ConfigurationError, EngineError
 */
export function optionsFor(
  artifact: Pick<Artifact, "settings">,
  environment: Environment,
  config: HostConfig,
): ReturnType<typeof configuredOptions> {
  const configured = configuredOptions({}, environment, config);
  checkPlanning(artifact, configured.options);
  return configured;
}

/** Saved operations are statements and requests already, which these options would have made others. */
function checkPlanning({ settings: { planning, remoteSchemas } }: Pick<Artifact, "settings">, options: Options): void {
  const { stringifyNumbers, nullCollapse, skipRemoteNulls = false } = planning;
  const built = [
    ["ENGINE_GRAPHQL_STRINGIFY_NUMERIC_TYPES", stringifyNumbers, options.stringifyNumericTypes],
    ["ENGINE_GRAPHQL_V1_BOOLEAN_NULL_COLLAPSE", nullCollapse, options.nullCollapse],
    // Who asks no remote server need not say how.
    ...(remoteSchemas === undefined
      ? []
      : [["ENGINE_GRAPHQL_REMOTE_SCHEMA_SKIP_NULLS", skipRemoteNulls, options.remoteSchemaSkipNulls] as const]),
  ] as const;
  if (built.every(([, value, given]) => value === given)) return;
  const values = built.map(([name, value]) => `${name}=${value}`);
  const list = `${values.slice(0, -1).join(", ")} and ${values.at(-1)}`;
  throw new EngineError(
    "not-supported",
    "$",
    `the artifact was built with ${list}: serve it with the same, or build it again`,
  );
}

/** @throws EngineError when the artifact was built for another runtime */
export function checkContract({ settings: { contract } }: Pick<Artifact, "settings">): void {
  if (contract === contractVersion) return;
  const message = `the artifact's code was generated for contract ${contract}, its runtime keeps contract ${contractVersion}: build it again`;
  throw new EngineError("not-supported", "$", message);
}
