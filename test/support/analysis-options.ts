/** The default options of analysis in tests. */
export const analysisOptions = {
  environment: {},
  experimentalFeatures: new Set<string>(),
  defaultNamingConvention: "engine-default",
  inferFunctionPermissions: true,
  remoteSchemaPermissions: true,
} as const;
