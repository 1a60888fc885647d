/** All values of `type` in log lines. */

/** Log types controlled by `--enabled-log-types`. */
export const configurableLogTypes = [
  "startup",
  "http-log",
  "webhook-log",
  "websocket-log",
  "query-log",
  "execution-log",
  "livequery-poller-log",
  "action-handler-log",
  "data-connector-log",
  "jwk-refresh-log",
  "validate-input-log",
] as const;

/** Log types that are always enabled. */
export const internalLogTypes = [
  "unstructured",
  "unhandled-internal-error",
  "event-trigger",
  "event-trigger-process",
  "scheduled-trigger",
  "scheduled-trigger-process",
  "async-action-process",
  "cron-event-generator-process",
  "ws-server",
  "pg-client",
  "metadata",
  "telemetry-log",
  "response-cache",
  "schema-sync",
  "source-catalog-migration",
  "stored-introspection",
  "stored-introspection-storage",
  "model-info",
] as const;

export const logLevels = ["debug", "info", "warn", "error"] as const;

/** Formats of log lines. */
export const logFormats = ["json", "text"] as const;

export type ConfigurableLogType = (typeof configurableLogTypes)[number];
export type LogType = ConfigurableLogType | (typeof internalLogTypes)[number];
export type LogLevel = (typeof logLevels)[number];
