/**
 * Features that the configuration of a PostgreSQL connection can disable (`disabled_features`) if the server lacks
 * them. `notifications`: LISTEN and NOTIFY, replaced by polling. `multiplexing`: batched statements for several
 * subscriptions, which use lateral joins.
 */
export const postgresFeatures = ["notifications", "multiplexing"] as const;
export type PostgresFeature = (typeof postgresFeatures)[number];
