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
const envValue: z.ZodType<EnvValue> = choose<EnvValue>((input) => {
  if (typeof input === "string") return text;
  return isObject(input) ? fromEnv : notAnAddress;
});

const connectionParameters = object({
  required: {
    connection_parameters: object({
      required: { host: text, port: int, database: text, username: text },
      optional: { password: text },
    }),
  },
});

const urlForms: Readonly<Record<string, z.ZodType<DatabaseUrl>>> = {
  from_env: fromEnv,
  connection_parameters: connectionParameters,
  dynamic_from_file: object({ required: { dynamic_from_file: nonEmptyText } }),
};
const urlKeys = '"from_env" or "connection_parameters" should be provided';

const databaseUrl: z.ZodType<DatabaseUrl> = choose<DatabaseUrl>((input) => {
  if (typeof input === "string") return text;
  if (!isObject(input)) return notAnAddress;
  const [form, ...others] = Object.entries(urlForms).filter(([key]) => has(input, key));
  if (form === undefined) return { refused: `Either ${urlKeys}` };
  return others.length > 0 ? { refused: `Only one of ${urlKeys}` } : form[1];
});

const sslConfiguration: z.ZodType<JsonObject> = jsonForm({
  required: { sslmode: oneOf(["disable", "allow", "prefer", "require", "verify-ca", "verify-full"]) },
  optional: { sslrootcert: fromEnv, sslcert: fromEnv, sslkey: fromEnv, sslpassword: fromEnv },
});

const postgresPool: z.ZodType<PoolSettings> = object({
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
  required: { template: text },
  optional: { version: int.refine((version) => version === 1, "Supported versions are [1]") },
});

const connectionSet = nonEmptyList(
  object({ required: { name: nonEmptyText, connection_info: postgresConnection } }),
  "connection set cannot be empty",
).superRefine((members, context) => {
  const repeated = duplicates(members.map(({ name }) => name));
  if (repeated.length === 0) return;
  const names = repeated.map((name) => JSON.stringify(name)).join(", ");
  const message = `connection set members with duplicate names are not allowed: ${names}`;
  context.addIssue({ code: "custom", message });
}) as z.ZodType<readonly object[]> as z.ZodType<readonly JsonObject[]>;

const postgresConfiguration: z.ZodType<SourceConfiguration> = object({
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
const mssqlByString = object({ required: { connection_string: envValue }, optional: mssqlOptions });
/** Accepts `database_url` as an alias of `connection_string`. */
const mssqlByUrl = object({ required: { database_url: envValue }, optional: mssqlOptions }).transform(
  ({ database_url, ...others }): ConnectionInfo => ({ connection_string: database_url, ...others }),
);
const mssqlConnection = choose<ConnectionInfo>((input) =>
  has(input, "database_url") && !has(input, "connection_string") ? mssqlByUrl : mssqlByString,
);

const mssqlConfiguration: z.ZodType<SourceConfiguration> = object({
  required: { connection_info: mssqlConnection },
  optional: { read_replicas: list(mssqlConnection) },
});

export const sourceConfiguration: Readonly<Record<SourceKind, z.ZodType<SourceConfiguration>>> = {
  postgres: postgresConfiguration,
  mssql: mssqlConfiguration,
};
