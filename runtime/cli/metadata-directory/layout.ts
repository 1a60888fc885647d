/** The files of a metadata directory. */

/** A key of the metadata document, its file, and the content of the file if the document lacks the key. */
export interface Section {
  readonly key: string;
  readonly file: string;
  readonly empty: readonly [] | Readonly<Record<string, never>>;
  /** A new directory has the file only if the document has the key. */
  readonly isOptional?: true;
}

/** The project's settings, which may be in the same folder. */
export const configFileName = "config.yaml";
/** Exceptions from the findings of `engine advise`, which are not part of the metadata. */
export const adviceFileName = "advice.yaml";
export const versionFile = "version.yaml";
export const databasesFile = "databases/databases.yaml";
/** Directories of version 2 have one database, whose files are at the top. */
export const oneDatabaseFiles = { tables: "tables.yaml", functions: "functions.yaml" } as const;
export const actionsFile = "actions.yaml";
export const actionsSdlFile = "actions.graphql";

/** Sections with their own file. Actions and custom types share two files; sources have a folder. */
export const sections: readonly Section[] = [
  { key: "remote_schemas", file: "remote_schemas.yaml", empty: [] },
  { key: "query_collections", file: "query_collections.yaml", empty: [] },
  { key: "allowlist", file: "allow_list.yaml", empty: [] },
  { key: "cron_triggers", file: "cron_triggers.yaml", empty: [] },
  { key: "rest_endpoints", file: "rest_endpoints.yaml", empty: [] },
  { key: "agent_tools", file: "agent_tools.yaml", empty: [], isOptional: true },
  { key: "api_limits", file: "api_limits.yaml", empty: {} },
  { key: "metrics_config", file: "metrics_config.yaml", empty: {} },
  { key: "inherited_roles", file: "inherited_roles.yaml", empty: [] },
  { key: "graphql_schema_introspection", file: "graphql_schema_introspection.yaml", empty: {} },
  { key: "network", file: "network.yaml", empty: {} },
  { key: "backend_configs", file: "backend_configs.yaml", empty: {} },
  { key: "opentelemetry", file: "opentelemetry.yaml", empty: {} },
];
