/** `connection_info` of a PostgreSQL source (`metadata-api.md` 5.2) and the environment → settings with all defaults. */
import type { AnswerMemory } from "../../../values/answer-memory.ts";
import type { PostgresFeature } from "../../../values/disabled-features.ts";
import { EngineError } from "../../../values/errors.ts";
import {
  ConnectionString,
  type EnvironmentValue,
  ownShare,
  resolveEnvironmentValue,
  type SourceEnvironment,
} from "../connection-settings.ts";
import { readSecretFile, type SecretFile, secretFile } from "../secret-file.ts";
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

/** SQL spelling of the isolation levels. */
export const isolationLevels = {
  "read-committed": "READ COMMITTED",
  "repeatable-read": "REPEATABLE READ",
  serializable: "SERIALIZABLE",
} as const;
export type IsolationLevel = keyof typeof isolationLevels;

export interface PostgresSettings {
  readonly name: string;
  readonly connection:
    | { readonly kind: "text"; readonly text: ConnectionString }
    /** The file holds the connection string and is read anew for every connection. */
    | { readonly kind: "file"; readonly file: SecretFile };
  readonly maxConnections: number;
  readonly idleTimeoutSeconds: number;
  /** How often a failed connection attempt, or a read whose connection was lost, is repeated. */
  readonly retries: number;
  /** Longest wait for a connection; 0: for ever. */
  readonly poolTimeoutSeconds: number;
  /** 0: connections live for ever. */
  readonly connectionLifetimeSeconds: number;
  /** Whether statements are prepared by name; `until-pooler`: until the server turns out to be a pooler. */
  readonly prepare: "always" | "never" | "until-pooler";
  readonly isolation: IsolationLevel;
  /**
   * Whether the server may compile queries (`jit`). The compiler turns nested queries of a few kilobytes into seconds
   * of work that cannot be cancelled.
   */
  readonly jit: boolean;
  /** What the server lacks. */
  readonly disabledFeatures: ReadonlySet<PostgresFeature>;
  /** Another setting that gets the session variables beside `engine.user`. */
  readonly otherUserSetting?: string;
  /** Every transaction is read-only. */
  readonly readOnly: boolean;
  /** Of the answers that long rows become; absent: there is no bound. */
  readonly answerMemory?: AnswerMemory;
  /** Overrides what the connection string says about TLS. */
  readonly tls: TlsSettings;
}

/**
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
    ...(environment.answerMemory && { answerMemory: environment.answerMemory }),
    tls: resolveTls(info.ssl_configuration ?? {}, environment),
  };
}

/** @throws EngineError `invalid-configuration` */
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
  const text =
    typeof url === "object" && "connection_parameters" in url
      ? formatConnectionString(url.connection_parameters)
      : resolveEnvironmentValue(url, environment);
  // found while resolving, a mistake makes the source inconsistent with this reason instead of failing requests
  const { parameters } = parseConnectionString(text);
  tlsSettings((key) => parameters.get(key));
  return { kind: "text", text: new ConnectionString(text) };
}

/**
 * The connection string as it is now, password included: for the driver only.
 * @throws EngineError `permission-error`, errors of the file system
 */
export function connectionText(connection: PostgresSettings["connection"]): string {
  return connection.kind === "text" ? connection.text.reveal() : readSecretFile(connection.file);
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
 * TLS settings from parameters named as libpq names them.
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
