/**
 * What a source does without because its server lacks it (`disabled_features` of a PostgreSQL connection): LISTEN and
 * NOTIFY, so that changes are found by polling; statements for several subscriptions at once, which join the rows of a
 * query laterally to a list of values.
 */
export const postgresFeatures = ["notifications", "multiplexing"] as const;
export type PostgresFeature = (typeof postgresFeatures)[number];
