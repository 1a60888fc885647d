/** Resolves the `connection_info` of a SQL Server source with the environment and applies defaults. */
import { EngineError } from "../../../values/errors.ts";
import {
  ConnectionString,
  type EnvironmentValue,
  ownShare,
  resolveEnvironmentValue,
  type SourceEnvironment,
} from "../connection-settings.ts";

export interface MssqlConnectionInfo {
  readonly connection_string?: EnvironmentValue;
  /** Alias of `connection_string`. */
  readonly database_url?: EnvironmentValue;
  readonly pool_settings?: {
    readonly enable?: boolean;
    readonly max_connections?: number;
    readonly idle_timeout?: number;
  };
  readonly isolation_level?: string;
}

export const isolationLevels = [
  "read-uncommitted",
  "read-committed",
  "repeatable-read",
  "snapshot",
  "serializable",
] as const;
export type IsolationLevel = (typeof isolationLevels)[number];

export interface MssqlSettings {
  readonly name: string;
  readonly connection: ConnectionString;
  readonly maxConnections: number;
  /** 0 closes a connection after each use. */
  readonly idleTimeoutSeconds: number;
  readonly isolation: IsolationLevel;
}

/** Maximum number of connections that a server accepts. Without a pool, nothing waits for a connection. */
const unlimited = 32_767;

/**
 * Resolves the settings.
 * @throws EngineError `not-found`, `unexpected` (environment), `invalid-configuration`
 */
export function resolveMssqlSettings(
  name: string,
  info: MssqlConnectionInfo,
  environment: SourceEnvironment,
): MssqlSettings {
  const text = info.connection_string ?? info.database_url;
  if (text === undefined) throw new EngineError("invalid-configuration", "$", "a connection_string must be provided");
  const pool = info.pool_settings ?? {};
  const isPooled = pool.enable !== false;
  return {
    name,
    connection: new ConnectionString(resolveEnvironmentValue(text, environment)),
    maxConnections: isPooled ? ownShare(pool.max_connections ?? 50, environment) : unlimited,
    idleTimeoutSeconds: isPooled ? (pool.idle_timeout ?? 5) : 0,
    isolation: isolationLevel(info.isolation_level ?? "read-committed"),
  };
}

function isolationLevel(text: string): IsolationLevel {
  const level = isolationLevels.find((known) => known === text);
  if (level !== undefined) return level;
  // The specified message, including its spelling.
  const expected = isolationLevels.map((known) => `'${known === "read-uncommitted" ? "read-uncommited" : known}'`);
  const message = `Unexpected options for isolation_level. Expected ${expected.join(" | ")}`;
  throw new EngineError("invalid-configuration", "$", message);
}
