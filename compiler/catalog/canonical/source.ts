/** Exported form of sources. */

import { isObject } from "../../../runtime/values/is-object.ts";
import type {
  ConnectionInfo,
  JsonObject,
  PoolSettings,
  QueryTags,
  Source,
  SourceConfiguration,
  SourceCustomization,
  SourceKind,
  Table,
} from "../model.ts";
import { sourceKinds } from "../schema/names.ts";
import { byQualifiedName } from "./shared.ts";
import { logicalModel, nativeQuery, storedProcedure, tableWriter, trackedFunction } from "./table.ts";
import { always, by, fields, given, list, optional, sorted, unless, unlessEmpty, type Writer } from "./writers.ts";

const poolSettings = unlessEmpty(
  fields<PoolSettings>({
    max_connections: given,
    total_max_connections: given,
    idle_timeout: given,
    retries: given,
    pool_timeout: given,
    connection_lifetime: given,
    enable: given,
  }),
);

const connectionParameters = optional(
  fields<JsonObject>({ host: given, port: given, database: given, username: given, password: given }),
);
const databaseUrl: Writer = (value) =>
  isObject(value)
    ? fields<JsonObject>({
        from_env: given,
        connection_parameters: connectionParameters,
        dynamic_from_file: given,
      })(value)
    : given(value);

function connectionInfo(isolationLevel: Writer) {
  return fields<ConnectionInfo>({
    database_url: databaseUrl,
    connection_string: given,
    pool_settings: poolSettings,
    use_prepared_statements: given,
    isolation_level: isolationLevel,
    jit: given,
    disabled_features: given,
    ssl_configuration: optional(
      fields<JsonObject>({ sslmode: given, sslrootcert: given, sslcert: given, sslkey: given, sslpassword: given }),
    ),
  });
}

const defaultIsolationLevel = "read-committed";

/** Exports of PostgreSQL connections always contain the isolation level. */
const connectionOf: Readonly<Record<SourceKind, (value: unknown) => JsonObject>> = {
  postgres: connectionInfo(always(defaultIsolationLevel)),
  mssql: connectionInfo(unless(defaultIsolationLevel)),
};

function configuration(kind: SourceKind): Writer {
  const connection = connectionOf[kind];
  return fields<SourceConfiguration>({
    connection_info: connection,
    read_replicas: unlessEmpty(list(connection)),
    extensions_schema: unless("public"),
    connection_template: optional(fields<JsonObject>({ version: unless(1), template: given })),
    connection_set: unlessEmpty(sorted(by("name"), fields<JsonObject>({ name: given, connection_info: connection }))),
  });
}

const customization = unlessEmpty(
  fields<SourceCustomization>({
    root_fields: unlessEmpty(fields<JsonObject>({ namespace: given, prefix: given, suffix: given })),
    type_names: unlessEmpty(fields<JsonObject>({ prefix: given, suffix: given })),
    naming_convention: given,
  }),
);

const healthCheck = optional(
  fields<JsonObject>({
    test: unlessEmpty(fields<JsonObject>({ sql: unless("SELECT 1") })),
    interval: given,
    retries: unless(3),
    retry_interval: unless(10),
    timeout: unless(10),
  }),
);

const tableOf: Readonly<Record<SourceKind, (value: unknown) => JsonObject>> = {
  postgres: tableWriter(sourceKinds.postgres),
  mssql: tableWriter(sourceKinds.mssql),
};

function sourceOf(kind: SourceKind) {
  return fields<Source>({
    name: given,
    kind: given,
    tables: sorted(byQualifiedName("table"), tableOf[kind]),
    functions: unlessEmpty(sorted(byQualifiedName("function"), trackedFunction)),
    native_queries: unlessEmpty(sorted(by("root_field_name"), nativeQuery)),
    stored_procedures: unlessEmpty(sorted(byQualifiedName("stored_procedure"), storedProcedure)),
    logical_models: unlessEmpty(sorted(by("name"), logicalModel)),
    configuration: configuration(kind),
    query_tags: unlessEmpty(fields<QueryTags>({ disabled: given, format: given, omit_request_id: given })),
    customization,
    health_check: healthCheck,
  });
}

const sourceByKind: Readonly<Record<SourceKind, (source: Source) => JsonObject>> = {
  postgres: sourceOf("postgres"),
  mssql: sourceOf("mssql"),
};

export function writeSource(source: Source): JsonObject {
  return sourceByKind[source.kind](source);
}

export function writeTable(kind: SourceKind, table: Table): JsonObject {
  return tableOf[kind](table);
}
