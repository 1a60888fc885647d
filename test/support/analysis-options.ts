/** What most tests analyse metadata with. */
export const analysisOptions = {
  environment: {},
  experimentalFeatures: new Set<string>(),
  defaultNamingConvention: "engine-default",
  inferFunctionPermissions: true,
  remoteSchemaPermissions: true,
} as const;
