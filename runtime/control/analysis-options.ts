/** Converts server options to compiler options. */
import type { AnalysisOptions } from "../../compiler/2-analyze/analysis.ts";
import type { JsonObject } from "../../compiler/catalog/model.ts";
import { backendDefaultsOf } from "../config/metadata-defaults.ts";
import type { Options } from "../config/option-table.ts";
import type { PlanOptions } from "../model/planner/select/context.ts";

export function analysisOptions(options: Options, environment: AnalysisOptions["environment"]): AnalysisOptions {
  const { defaultNamingConvention, inferFunctionPermissions, inferDescriptions } = options;
  const federation = options.enableApolloFederation ? (["apollo_federation"] as const) : [];
  const experimentalFeatures = new Set([...options.experimentalFeatures, ...federation]);
  const remoteSchemaPermissions = options.enableRemoteSchemaPermissions;
  return {
    environment,
    experimentalFeatures,
    defaultNamingConvention,
    inferFunctionPermissions,
    inferDescriptions,
    remoteSchemaPermissions,
    sessionAlias: options.headerAlias,
    stringifyNumbers: options.stringifyNumericTypes,
  };
}

/** Returns the options for planning saved operations, which are the same as for requests. */
export function planOptions(options: Options): PlanOptions {
  const { stringifyNumericTypes: stringifyNumbers, nullCollapse, remoteSchemaSkipNulls } = options;
  return { stringifyNumbers, nullCollapse, ...(remoteSchemaSkipNulls && { skipRemoteNulls: true }) };
}

/** Returns the metadata defaults for `backend_configs`. */
export function backendDefaults({ metadataDefaults }: Pick<Options, "metadataDefaults">): JsonObject | undefined {
  return metadataDefaults === null ? undefined : (backendDefaultsOf(metadataDefaults) as JsonObject);
}
