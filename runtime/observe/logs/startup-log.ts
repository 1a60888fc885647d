/** Log lines of type `startup`: the configuration and the progress of the start. */
import { describeCorsDomains } from "../../config/cors-domains.ts";
import type { OptionName, Options } from "../../config/option-table.ts";
import { describeOptions } from "../../config/options.ts";
import { Secret } from "../../config/secret.ts";
import type { Log } from "./log.ts";

export type StartupKind =
  | "server_configuration"
  | "postgres_connection"
  | "no_admin_secret"
  | "open_server"
  | "unknown_variable"
  | "peer_variables"
  | "option_without_effect"
  | "metadata_notice"
  | "deployment"
  | "unauthorized_role"
  | "catalog_migrate"
  | "schema-sync"
  | "event_triggers"
  | "scheduled_triggers"
  | "async_actions"
  | "telemetry"
  | "worker"
  | "server";

export function logStartup(log: Log, kind: StartupKind, info: unknown): void {
  log.info("startup", { kind, info });
}

/** Logs the configuration. */
export function logServerConfiguration(log: Log, options: Options): void {
  logStartup(log, "server_configuration", shownOptions(options));
  if (options.unauthorizedRole !== null) logUnauthorizedRole(log, options.unauthorizedRole);
  const message = "telemetry is sent only to the collectors configured in the metadata";
  logStartup(log, "telemetry", { message, enabled: false });
}

function logUnauthorizedRole(log: Log, role: string): void {
  logStartup(log, "unauthorized_role", { message: `requests without credentials have the role "${role}"`, role });
}

/** Returns all options. For secrets, returns only whether they are set. */
export function shownOptions(options: Options): Readonly<Record<string, unknown>> {
  const shown = describeOptions().map(({ name, variable }) => {
    const key = variable.replace(/^ENGINE_GRAPHQL_/, "").toLowerCase();
    const value = options[name];
    if (corsOptions.has(name)) return ["cors_config", corsConfig(options)];
    if (value instanceof Secret) return [`${key}_set`, true];
    if (value instanceof Set) return [key, [...value]];
    return Array.isArray(value) ? [`${key}_set`, value.length > 0] : [key, value];
  });
  return Object.fromEntries(shown);
}

const corsOptions: ReadonlySet<OptionName> = new Set(["corsDomains", "disableCors", "wsReadCookie"]);

function corsConfig(options: Options): Record<string, unknown> {
  return {
    disabled: options.disableCors,
    ws_read_cookie: options.wsReadCookie,
    allowed_origins: describeCorsDomains(options.corsDomains),
  };
}

/**
 * Logs the connection to the metadata database.
 * @param databaseUrl URL without its password
 */
export function logPostgresConnection(log: Log, retries: number, databaseUrl: string): void {
  logStartup(log, "postgres_connection", { retries, database_url: databaseUrl });
}

export function warnAtStartup(log: Log, kind: StartupKind, info: unknown): void {
  log.warn("startup", { kind, info });
}

export function warnNoAdminSecret(log: Log): void {
  warnAtStartup(log, "no_admin_secret", "WARNING: No admin secret provided");
}

/**
 * Logs that a worker process is ready.
 * @param worker number of the process
 */
export function logWorkerReady(log: Log, worker: number, seconds: number): void {
  logStartup(log, "worker", { message: `worker ${worker} is ready`, pid: process.pid, time_taken: seconds });
}

export function logServerStarted(log: Log, seconds: number): void {
  logStartup(log, "server", { message: "starting API server", time_taken: seconds });
}
