/** Derives the settings of sources from options and environment. */
import type { Options } from "../../config/option-table.ts";
import type { Environment } from "../../config/options.ts";
import type { Log } from "../../observe/logs/log.ts";
import type { Meters } from "../../ports/metrics.ts";
import type { Siblings } from "../../ports/siblings.ts";
import type { ResponseMemory } from "../../values/response-memory.ts";
import { userSetting } from "../../values/session-alias.ts";
import type { SourceEnvironment } from "./connection-settings.ts";
import type { SourceReport } from "./source.ts";

export interface SourceSettings {
  readonly environment: SourceEnvironment;
  /** Defaults for the source named by the options, where its `connection_info` has no value. */
  readonly defaults: ConnectionDefaults;
}

export interface ConnectionDefaults {
  readonly pool_settings?: object;
  readonly isolation_level?: string;
  readonly use_prepared_statements?: boolean;
}

export interface SourceSurroundings {
  readonly responseMemory: ResponseMemory;
  readonly meters: Meters;
  /** The other processes of the server; `undefined` if there are none. */
  readonly siblings: Siblings | undefined;
}

/** The source defined by `ENGINE_GRAPHQL_DATABASE_URL`. */
const sourceOfOptions = "default";

export function sourceSettings(
  options: Options,
  variables: Environment,
  { responseMemory, meters, siblings }: SourceSurroundings,
): SourceSettings {
  const prefix = options.dynamicSecretsPathPrefix;
  return {
    environment: {
      variables,
      readOnly: options.enableReadOnlyMode,
      responseMemory,
      ...(siblings && { sharedBy: siblings.workers }),
      meterOf: connectionMeters(meters),
      ...(prefix !== null && { dynamicSecretsPrefix: prefix }),
      ...(options.headerAlias !== null && { otherUserSetting: userSetting(options.headerAlias) }),
    },
    defaults: {
      pool_settings: {
        max_connections: options.connections,
        idle_timeout: options.idleTimeoutSeconds,
        connection_lifetime: options.connectionLifetimeSeconds,
        ...(options.poolTimeoutSeconds !== null && { pool_timeout: options.poolTimeoutSeconds }),
      },
      isolation_level: options.isolationLevel,
      ...(!options.usePreparedStatements && { use_prepared_statements: false }),
    },
  };
}

function connectionMeters(meters: Meters): NonNullable<SourceEnvironment["meterOf"]> {
  return (source, server, role) => {
    const labels = { source_name: source, conn_info: server, role };
    // Creates the series before the first failure, so that metrics show the first failure as an increase.
    meters.postgresErrors.add(0, labels);
    return {
      opened: (seconds) => meters.postgresInitTime.record(seconds, labels),
      openingFailed: () => meters.postgresErrors.add(1, labels),
      waited: (seconds) => meters.postgresPoolWait.record(seconds, labels),
    };
  };
}

export function logSourceReports(log: Log): SourceReport {
  return (level, message, info) => log[level]("pg-client", { message, info });
}

/**
 * Returns the connection settings of a source. Explicit settings take precedence over the defaults; pool settings are
 * merged one by one.
 */
export function connectionInfoOf(
  { name, given }: { readonly name: string; readonly given: ConnectionDefaults },
  defaults: ConnectionDefaults,
): ConnectionDefaults {
  if (name !== sourceOfOptions) return given;
  return { ...defaults, ...given, pool_settings: { ...defaults.pool_settings, ...given.pool_settings } };
}
