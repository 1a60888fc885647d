/** Resolves the `connection_info` of a PostgreSQL source with the environment and applies defaults. */

import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync, statSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import type { PostgresFeature } from "../../../values/disabled-features.ts";
import { EngineError } from "../../../values/errors.ts";
import type { ResponseMemory } from "../../../values/response-memory.ts";
import {
  ConnectionString,
  type EnvironmentValue,
  ownShare,
  resolveEnvironmentValue,
  type SourceEnvironment,
} from "../connection-settings.ts";
import { formatConnectionString, parseConnectionString } from "./connection-string.ts";
import { type SslMode, sslModes, type TlsSettings } from "./tls.ts";

export interface PostgresConnectionInfo {
  readonly database_url?:
    | EnvironmentValue
    | {
        readonly connection_parameters: {
          readonly host: string;
          readonly port: number;
          readonly database: string;
          readonly username: string;
          readonly password?: string;
        };
      }
    | { readonly dynamic_from_file: string };
  readonly pool_settings?: {
    readonly max_connections?: number;
    readonly idle_timeout?: number;
    readonly retries?: number;
    readonly pool_timeout?: number;
    readonly connection_lifetime?: number;
  };
  readonly use_prepared_statements?: boolean;
  readonly isolation_level?: string;
  readonly jit?: boolean;
  readonly disabled_features?: readonly PostgresFeature[];
  readonly ssl_configuration?: Readonly<Record<string, unknown>>;
}

/** The isolation levels in SQL. */
export const isolationLevels = {
  "read-committed": "READ COMMITTED",
  "repeatable-read": "REPEATABLE READ",
  serializable: "SERIALIZABLE",
} as const;
export type IsolationLevel = keyof typeof isolationLevels;

export interface PostgresSettings {
  readonly name: string;
  readonly connection: /** `current` returns the text for a new connection, whose password may change. */
    | { readonly kind: "text"; readonly text: ConnectionString; readonly current?: () => string }
    /** The file contains the connection string and is read for every connection. */
    | { readonly kind: "file"; readonly file: SecretFile };
  readonly maxConnections: number;
  readonly idleTimeoutSeconds: number;
  /** Number of retries of a failed connection attempt, or of a read whose connection was lost. */
  readonly retries: number;
  /** Maximum wait for a connection; 0 for no limit. */
  readonly poolTimeoutSeconds: number;
  /** Maximum age of a connection; 0 for no limit. */
  readonly connectionLifetimeSeconds: number;
  /** Use of named prepared statements. `until-pooler`: until the server turns out to be a pooler. */
  readonly prepare: "always" | "never" | "until-pooler";
  readonly isolation: IsolationLevel;
  /**
   * Allows the server to compile queries (`jit`). Compilation of nested queries of a few kilobytes can take seconds
   * and cannot be cancelled.
   */
  readonly jit: boolean;
  /** Features that the server lacks. */
  readonly disabledFeatures: ReadonlySet<PostgresFeature>;
  /** Second database setting that receives the session variables, in addition to `engine.user`. */
  readonly otherUserSetting?: string;
  /** Makes every transaction read-only. */
  readonly readOnly: boolean;
  /** Memory budget for long rows; absent for no limit. */
  readonly responseMemory?: ResponseMemory;
  /** Minimum length in bytes of rows that stay bytes; absent for the default. */
  readonly minByteRow?: number;
  /** Overrides the TLS parameters of the connection string. */
  readonly tls: TlsSettings;
}

/**
 * Resolves the settings.
 * @throws EngineError `not-found`, `unexpected` (environment), `permission-error` (`dynamic_from_file`),
 *   `invalid-configuration`
 */
export function resolvePostgresSettings(
  name: string,
  info: PostgresConnectionInfo,
  environment: SourceEnvironment,
): PostgresSettings {
  const pool = info.pool_settings ?? {};
  const prepare = info.use_prepared_statements;
  return {
    name,
    connection: resolveConnection(info, environment),
    maxConnections: ownShare(pool.max_connections ?? 50, environment),
    idleTimeoutSeconds: pool.idle_timeout ?? 180,
    retries: pool.retries ?? 1,
    poolTimeoutSeconds: pool.pool_timeout ?? 30,
    connectionLifetimeSeconds: pool.connection_lifetime ?? 600,
    prepare: prepare === undefined ? "until-pooler" : prepare ? "always" : "never",
    isolation: isolationLevel(info.isolation_level ?? "read-committed"),
    jit: info.jit ?? false,
    disabledFeatures: new Set(info.disabled_features),
    readOnly: environment.readOnly ?? false,
    ...(environment.otherUserSetting !== undefined && { otherUserSetting: environment.otherUserSetting }),
    ...(environment.responseMemory && { responseMemory: environment.responseMemory }),
    ...(environment.minByteRow !== undefined && { minByteRow: environment.minByteRow }),
    tls: resolveTls(info.ssl_configuration ?? {}, environment),
  };
}

/**
 * Parses an isolation level.
 * @throws EngineError `invalid-configuration`
 */
export function isolationLevel(text: string): IsolationLevel {
  if (Object.hasOwn(isolationLevels, text)) return text as IsolationLevel;
  const levels = Object.keys(isolationLevels).join(", ");
  throw new EngineError("invalid-configuration", "$", `unknown isolation level "${text}", expected one of ${levels}`);
}

function resolveConnection(
  info: PostgresConnectionInfo,
  environment: SourceEnvironment,
): PostgresSettings["connection"] {
  const url = info.database_url;
  if (url === undefined) {
    throw new EngineError("invalid-configuration", "$", "one of string or object must be provided for url/webhook");
  }
  if (typeof url === "object" && "dynamic_from_file" in url) {
    return { kind: "file", file: secretFile(url.dynamic_from_file, environment) };
  }
  if (typeof url === "object" && "connection_parameters" in url) {
    return { kind: "text", text: checkedConnection(formatConnectionString(url.connection_parameters)) };
  }
  const current = (): string => resolveEnvironmentValue(url, environment);
  return { kind: "text", text: checkedConnection(current()), current };
}

function checkedConnection(text: string): ConnectionString {
  // parsed here, so that a mistake makes the source inconsistent with this reason instead of failing requests
  const { parameters } = parseConnectionString(text);
  tlsSettings((key) => parameters.get(key));
  return new ConnectionString(text);
}

/**
 * Returns the current connection string including the password. For the driver only.
 * @throws EngineError `permission-error`; errors of the file system
 */
export function connectionText(connection: PostgresSettings["connection"]): string {
  if (connection.kind === "file") return readSecretFile(connection.file);
  return connection.current?.() ?? connection.text.reveal();
}

function resolveTls(configuration: Readonly<Record<string, unknown>>, environment: SourceEnvironment): TlsSettings {
  const value = (key: string): string | undefined => {
    const given = configuration[key];
    if (given === undefined || given === null) return undefined;
    if (typeof given === "string") return resolveEnvironmentValue(given, environment);
    if (typeof given === "object" && "from_env" in given && typeof given.from_env === "string") {
      return resolveEnvironmentValue({ from_env: given.from_env }, environment);
    }
    throw new EngineError("invalid-configuration", "$", `ssl_configuration.${key} must be {"from_env": …}`);
  };
  return tlsSettings(value);
}

/**
 * Returns TLS settings from parameters with the names of libpq.
 * @throws EngineError `invalid-configuration` for an unknown `sslmode`
 */
export function tlsSettings(value: (key: string) => string | undefined): TlsSettings {
  const mode = value("sslmode") ?? (value("ssl") === "true" ? "require" : undefined);
  const rootCertificate = value("sslrootcert");
  const certificate = value("sslcert");
  const key = value("sslkey");
  const passphrase = value("sslpassword");
  return {
    ...(mode !== undefined && { mode: sslMode(mode) }),
    ...(rootCertificate !== undefined && { rootCertificate }),
    ...(certificate !== undefined && { certificate }),
    ...(key !== undefined && { key }),
    ...(passphrase !== undefined && { passphrase }),
  };
}

function sslMode(text: string): SslMode {
  const mode = sslModes.find((known) => known === text);
  if (mode !== undefined) return mode;
  throw new EngineError("invalid-configuration", "$", `invalid sslmode value: "${text}"`);
}

// Reads a connection string from a file (`dynamic_from_file`) within the allowed path prefix.

export interface SecretFile {
  /** Absolute path of the file. */
  readonly path: string;
  /** The allowed folder, or the only allowed file. */
  readonly allowed: string;
}

/**
 * Resolves the path of a file.
 * @param path relative paths start at the working directory
 * @throws EngineError `permission-error` for a path outside the allowed prefix
 */
export function secretFile(path: string, { dynamicSecretsPrefix }: SourceEnvironment): SecretFile {
  if (dynamicSecretsPrefix === undefined || dynamicSecretsPrefix === "") {
    const variable = "ENGINE_GRAPHQL_DYNAMIC_SECRETS_ALLOWED_PATH_PREFIX";
    throw new EngineError("permission-error", "$", `dynamic_from_file needs the setting ${variable}`);
  }
  const file = { path: resolve(path), allowed: resolve(dynamicSecretsPrefix) };
  if (isWithin(file.allowed, file.path)) return file;
  const message = `dynamic_from_file path "${path}" does not begin with the allowed prefix "${dynamicSecretsPrefix}"`;
  throw new EngineError("permission-error", "$", message);
}

/**
 * Reads the file. Symbolic links are resolved and the prefix is checked on every read, because links may change between
 * the check and the read.
 * @throws EngineError `permission-error` if a symbolic link leads out of the allowed prefix; errors of the file system
 */
export function readSecretFile({ path, allowed }: SecretFile): string {
  const real = realpathSync(path);
  const leaves = (): EngineError =>
    new EngineError("permission-error", "$", `dynamic_from_file path "${path}" leads out of the allowed prefix`);
  if (!isWithin(realpathSync(allowed), real)) throw leaves();
  const descriptor = openSync(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const opened = fstatSync(descriptor);
    // A parent folder may have been replaced with a link after the check.
    const found = statSync(real);
    if (realpathSync(real) !== real || found.dev !== opened.dev || found.ino !== opened.ino) throw leaves();
    return readFileSync(descriptor, "utf8");
  } finally {
    closeSync(descriptor);
  }
}

function isWithin(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside !== ".." && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
}
