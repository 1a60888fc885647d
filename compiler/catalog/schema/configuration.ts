/** Schemas of the connection `configuration` of each source kind. */

import type { z } from "zod";
import { postgresFeatures } from "../../../runtime/values/disabled-features.ts";
import { isObject } from "../../../runtime/values/is-object.ts";
import type {
  ConnectionInfo,
  DatabaseUrl,
  EnvValue,
  JsonObject,
  PoolSettings,
  SourceConfiguration,
  SourceKind,
} from "../model.ts";
import { choose, duplicates, has, jsonForm, list, nonEmptyList, object, oneOf } from "./combinators.ts";
import { bool, fromEnv, int, nonEmptyText, text } from "./scalars.ts";

const notAnAddress = { refused: "one of string or object must be provided for url/webhook" };

/** A string or `{"from_env": "X"}`. */
const envValue: z.ZodType<EnvValue> = choose<EnvValue>(
  () => [text, fromEnv],
  (input) => {
    if (typeof input === "string") return text;
    return isObject(input) ? fromEnv : notAnAddress;
  },
);

const connectionParameters = object({
  about: { connection_parameters: "Parts of the connection string." },
  required: {
    connection_parameters: object({
      about: {
        host: "Host name or address of the server.",
        port: "Port of the server.",
        database: "Name of the database.",
        username: "User of the database.",
        password: "Password of the user.",
      },
      required: { host: text, port: int, database: text, username: text },
      optional: { password: text },
    }),
  },
});

const urlForms: Readonly<Record<string, z.ZodType<DatabaseUrl>>> = {
  from_env: fromEnv,
  connection_parameters: connectionParameters,
  dynamic_from_file: object({
    about: {
      dynamic_from_file:
        "File with the connection string, read before each connection. It must be in the folder that `ENGINE_GRAPHQL_DYNAMIC_SECRETS_ALLOWED_PATH_PREFIX` names.",
    },
    required: { dynamic_from_file: nonEmptyText },
  }),
};
const urlKeys = '"from_env" or "connection_parameters" should be provided';

const databaseUrl: z.ZodType<DatabaseUrl> = choose<DatabaseUrl>(
  () => [text, ...Object.values(urlForms)],
  (input) => {
    if (typeof input === "string") return text;
    if (!isObject(input)) return notAnAddress;
    const [form, ...others] = Object.entries(urlForms).filter(([key]) => has(input, key));
    if (form === undefined) return { refused: `Either ${urlKeys}` };
    return others.length > 0 ? { refused: `Only one of ${urlKeys}` } : form[1];
  },
);

const sslConfiguration: z.ZodType<JsonObject> = jsonForm({
  about: {
    sslmode: "Use of TLS, with the meaning of libpq.",
    sslrootcert: "Certificates of authorities, in PEM.",
    sslcert: "Certificate of the client, in PEM.",
    sslkey: "Private key of the client, in PEM.",
    sslpassword: "Password of the private key.",
  },
  required: { sslmode: oneOf(["disable", "allow", "prefer", "require", "verify-ca", "verify-full"]) },
  optional: { sslrootcert: fromEnv, sslcert: fromEnv, sslkey: fromEnv, sslpassword: fromEnv },
});

const postgresPool: z.ZodType<PoolSettings> = object({
  about: {
    max_connections: "Maximum number of connections of one instance. Default: `50`.",
    total_max_connections: "Stored without effect.",
    idle_timeout: "Seconds until an unused connection is closed. Default: `180`.",
    retries: "Number of retries of a failed connection attempt. Default: `1`.",
    pool_timeout: "Seconds that a request waits for a free connection; `0` for no limit. Default: `30`.",
    connection_lifetime: "Seconds until a connection is replaced; `0` for never. Default: `600`.",
  },
  optional: {
    max_connections: int,
    total_max_connections: int,
    idle_timeout: int,
    retries: int,
    pool_timeout: int,
    connection_lifetime: int,
  },
});

function isolationLevel<const L extends string>(levels: readonly L[], expected: string) {
  const message = `Unexpected options for isolation_level. Expected ${expected}`;
  return oneOf(levels, () => message);
}

const defaultIsolationLevel = "read-committed";

/** The isolation level has a default because exports always contain it. */
const postgresConnection: z.ZodType<ConnectionInfo> = object({
  about: {
    database_url:
      "Connection string, in which `{{NAME}}` is an environment variable, or one of the forms with the key `from_env`, `connection_parameters` or `dynamic_from_file`.",
    isolation_level: "Isolation level of transactions.",
    pool_settings: "Connections that an instance keeps.",
    use_prepared_statements:
      "Uses named prepared statements, which some poolers do not support. Default: they are used until the server turns out to be a pooler.",
    jit: "Lets PostgreSQL compile queries, which can take seconds for nested ones. Default: `false`.",
    disabled_features: "Features that a PostgreSQL-compatible database lacks.",
    ssl_configuration: "Certificates and use of TLS.",
  },
  required: { database_url: databaseUrl },
  defaulted: {
    isolation_level: isolationLevel(
      ["read-committed", "repeatable-read", "serializable"],
      "'read-committed' | 'repeatable-read' | 'serializable'",
    ).default(defaultIsolationLevel),
  },
  optional: {
    pool_settings: postgresPool,
    use_prepared_statements: bool,
    jit: bool,
    disabled_features: nonEmptyList(oneOf(postgresFeatures)),
    ssl_configuration: sslConfiguration,
  },
});

export const connectionTemplate: z.ZodType<JsonObject> = jsonForm({
  about: {
    template: "Template that selects a connection for each request of a role.",
    version: "Version of the template language: `1`. Default: `1`.",
  },
  required: { template: text },
  optional: { version: int.refine((version) => version === 1, "Supported versions are [1]") },
});

const connectionSet = nonEmptyList(
  object({
    about: { name: "Name of the member.", connection_info: "Connection of the member." },
    required: { name: nonEmptyText, connection_info: postgresConnection },
  }),
  "connection set cannot be empty",
).superRefine((members, context) => {
  const repeated = duplicates(members.map(({ name }) => name));
  if (repeated.length === 0) return;
  const names = repeated.map((name) => JSON.stringify(name)).join(", ");
  const message = `connection set members with duplicate names are not allowed: ${names}`;
  context.addIssue({ code: "custom", message });
}) as z.ZodType<readonly object[]> as z.ZodType<readonly JsonObject[]>;

const postgresConfiguration: z.ZodType<SourceConfiguration> = object({
  about: {
    connection_info: "Connection for reads and writes.",
    read_replicas: "Connections for queries and subscriptions; mutations use `connection_info`.",
    extensions_schema: "Stored without effect: the engine installs no extensions in a source.",
    connection_template: "Template that selects a connection for each request of a role.",
    connection_set: "Connections that the template selects by name.",
  },
  required: { connection_info: postgresConnection },
  optional: {
    read_replicas: nonEmptyList(postgresConnection),
    extensions_schema: text,
    connection_template: connectionTemplate,
    connection_set: connectionSet,
  },
});

// ---------------------------------------------------------------- SQL Server

const mssqlPool: z.ZodType<PoolSettings> = object({
  about: {
    max_connections: "Maximum number of connections of one instance. Default: `50`.",
    total_max_connections: "Stored without effect.",
    idle_timeout: "Seconds until an unused connection is closed. Default: `5`.",
    enable: "`false` turns the pool off: each operation opens a connection. Default: `true`.",
  },
  optional: { max_connections: int, total_max_connections: int, idle_timeout: int, enable: bool },
});

const mssqlOptions = {
  pool_settings: mssqlPool,
  isolation_level: isolationLevel(
    ["read-uncommitted", "read-committed", "repeatable-read", "snapshot", "serializable"],
    // The misspelling is part of the text that clients compare.
    "'read-uncommited' | 'read-committed' | 'repeatable-read' | 'snapshot' | 'serializable'",
  ),
};
const mssqlByString = object({
  about: {
    connection_string: "ODBC connection string, or the variable that contains it.",
    pool_settings: "Connections that an instance keeps.",
    isolation_level: "Isolation level of transactions. Default: `read-committed`.",
  },
  required: { connection_string: envValue },
  optional: mssqlOptions,
});
/** Accepts `database_url` as an alias of `connection_string`. */
const mssqlByUrl = object({
  about: {
    database_url: "Alias of `connection_string`.",
    pool_settings: "Connections that an instance keeps.",
    isolation_level: "Isolation level of transactions. Default: `read-committed`.",
  },
  required: { database_url: envValue },
  optional: mssqlOptions,
}).transform(({ database_url, ...others }): ConnectionInfo => ({ connection_string: database_url, ...others }));
const mssqlConnection = choose<ConnectionInfo>(
  () => [mssqlByString, mssqlByUrl],
  (input) => (has(input, "database_url") && !has(input, "connection_string") ? mssqlByUrl : mssqlByString),
);

const mssqlConfiguration: z.ZodType<SourceConfiguration> = object({
  about: { connection_info: "Connection for reads and writes.", read_replicas: "Stored without effect." },
  required: { connection_info: mssqlConnection },
  optional: { read_replicas: list(mssqlConnection) },
});

export const sourceConfiguration: Readonly<Record<SourceKind, z.ZodType<SourceConfiguration>>> = {
  postgres: postgresConfiguration,
  mssql: mssqlConfiguration,
};
