/** All values of `type` in log lines. */

/** Log types controlled by `--enabled-log-types`. */
export const configurableLogTypes = [
  "startup",
  "http-log",
  "webhook-log",
  "websocket-log",
  "mcp-log",
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
  "fallback",
  "audit-log",
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

/** The event that each type reports, with its levels, for the documentation. */
export const logTypeTexts: Readonly<Record<LogType, { readonly levels: string; readonly doc: string }>> = {
  startup: { levels: "info, warn", doc: "a step or setting of the start" },
  "http-log": { levels: "info, error", doc: "a response to an HTTP request; an error if it has one" },
  "webhook-log": { levels: "info, error", doc: "a call of the authentication webhook" },
  "websocket-log": { levels: "info, error", doc: "a WebSocket connection, or a step of an operation on it" },
  "mcp-log": { levels: "info", doc: "a call of a tool by an assistant, without its arguments" },
  "query-log": { levels: "info", doc: "a GraphQL operation with its SQL" },
  "execution-log": { levels: "info", doc: "the duration and number of statements and calls of an operation" },
  "livequery-poller-log": { levels: "info", doc: "a poll of live queries or streams" },
  "action-handler-log": { levels: "info", doc: "a call of an action's handler" },
  "data-connector-log": { levels: "", doc: "never written; accepted for compatibility" },
  "jwk-refresh-log": { levels: "info, critical", doc: "a failure to fetch a key set" },
  "validate-input-log": { levels: "info", doc: "a call of a webhook that validates inputs" },
  unstructured: {
    levels: "info, warn, error",
    doc: "a state of the process: workers, shutdown, backlogs, rate limits",
  },
  "unhandled-internal-error": {
    levels: "error",
    doc: "a bug, or an exception of a configuration module, with its place",
  },
  "event-trigger": { levels: "info, warn, error", doc: "an attempt to deliver an event; installed triggers" },
  "event-trigger-process": { levels: "debug, info, warn, error", doc: "fetched events; failures to fetch them" },
  "scheduled-trigger": { levels: "info, error", doc: "an attempt to deliver a scheduled event" },
  "scheduled-trigger-process": {
    levels: "debug, info, warn, error",
    doc: "fetched scheduled events; failures to fetch them",
  },
  "async-action-process": {
    levels: "info, warn, error",
    doc: "the log of asynchronous actions: its cleaning, and failures",
  },
  "cron-event-generator-process": { levels: "debug, error", doc: "generated events of cron triggers" },
  "ws-server": { levels: "debug, info", doc: "a message or state of a WebSocket" },
  "pg-client": { levels: "debug, info, warn", doc: "the state of database connections" },
  metadata: { levels: "warn", doc: "inconsistent metadata, and failures to load it" },
  "telemetry-log": { levels: "warn", doc: "a failure to export traces, logs or metrics" },
  "response-cache": { levels: "warn", doc: "the state of the response cache in Redis" },
  fallback: { levels: "info", doc: "the first time that an operation is forwarded to the server of `--fallback`" },
  "audit-log": {
    levels: "info, warn",
    doc: "an administrative operation: its caller, types and object names; a warning if it could not be stored",
  },
  "schema-sync": { levels: "info, error", doc: "metadata changes of other instances" },
  "source-catalog-migration": { levels: "info", doc: "changed tables of event triggers in a source" },
  "stored-introspection": {
    levels: "warn",
    doc: "the use of a stored introspection, because a source is unreachable",
  },
  "stored-introspection-storage": { levels: "debug, warn", doc: "the storage of an introspection" },
  "model-info": { levels: "", doc: "never written; accepted for compatibility" },
};
