/** What options and environment say to the compiler. */
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

/** How saved operations are planned: as requests are. */
export function planOptions(options: Options): PlanOptions {
  const { stringifyNumericTypes: stringifyNumbers, nullCollapse, remoteSchemaSkipNulls } = options;
  return { stringifyNumbers, nullCollapse, ...(remoteSchemaSkipNulls && { skipRemoteNulls: true }) };
}

/** Of `backend_configs`; `undefined`: none. */
export function backendDefaults({ metadataDefaults }: Pick<Options, "metadataDefaults">): JsonObject | undefined {
  return metadataDefaults === null ? undefined : (backendDefaultsOf(metadataDefaults) as JsonObject);
}
