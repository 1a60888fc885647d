/**
 * The members of log lines by type, as schemas that allow no further member. A type whose lines come from several
 * places has a list.
 */
import { z } from "zod";

const text = z.string();
const seconds = z.number().nonnegative();
const size = z.number().int().nonnegative();
const id = z.string().regex(/^[\w-]+$/);
const variables = z.record(z.string().regex(/^x-engine-/), text);
const json = z.unknown();

const error = z.strictObject({ path: text, code: text, error: text, internal: json.optional() });
const startup = <K extends string>(kind: K, info: z.ZodType) => z.strictObject({ kind: z.literal(kind), info });
const enabled = z.strictObject({ message: text, enabled: z.boolean() });
const message = z.strictObject({ message: text });
const headers = z.array(z.strictObject({ name: text, value: text }));
const request = z.strictObject({ url: text, headers, size, payload: json.optional() });
const response = z.looseObject({ type: z.enum(["webhook_response", "client_error", "transform_error"]) });
const graphql = z.strictObject({
  query: text,
  operationName: text.nullable(),
  variables: z.looseObject({}).nullable(),
});
const shownQuery = z.union([graphql, z.strictObject({ type: text.nullable() }), z.looseObject({ type: text })]);
const socketEvent = (type: string, members: z.ZodRawShape) => z.strictObject({ type: z.literal(type), ...members });

const batch = z.strictObject({
  batch_id: size,
  pg_execution_time: seconds,
  db_execution_time: seconds,
  push_time: seconds,
  batch_response_size_bytes: size,
});

const operationStep = z.union([
  z.strictObject({ type: z.enum(["started", "completed", "stopped"]) }),
  z.strictObject({ type: z.literal("proto_err"), detail: text }),
  z.strictObject({ type: z.literal("query_err"), detail: error }),
]);

const operation = z.strictObject({
  operation_id: text,
  request_id: text,
  operation_name: text.nullable(),
  operation_type: operationStep,
  query: graphql.nullable(),
  parameterized_query_hash: z
    .string()
    .regex(/^[0-9a-f]{40}$/)
    .nullable(),
});

/** Failures outside of requests, with their causes as far as known. Some of them also occur on a busy machine. */
const trouble = z.looseObject({ message: text.refine((message) => message !== "Inconsistent Metadata!") });

export const startupKinds = {
  server_configuration: z.looseObject({ server_port: size, cors_config: z.looseObject({}) }),
  postgres_connection: z.strictObject({ retries: size, database_url: text }),
  no_admin_secret: text,
  open_server: message,
  unknown_variable: z.strictObject({ message: text, variable: text, nearest: text.nullable() }),
  unauthorized_role: z.strictObject({ message: text, role: text }),
  catalog_migrate: z.strictObject({ message: text, from: size.optional(), to: size.optional() }),
  "schema-sync": z.strictObject({ message: text, instance_id: id, poll_interval: size.nullable() }),
  event_triggers: enabled,
  scheduled_triggers: enabled,
  async_actions: enabled,
  telemetry: enabled,
  server: z.strictObject({ message: z.literal("starting API server"), time_taken: seconds }),
} as const;

export const details = {
  startup: z.union(Object.entries(startupKinds).map(([kind, info]) => startup(kind, info))),
  "http-log": z.strictObject({
    request_id: text,
    operation: z.strictObject({
      request_id: text,
      user_vars: variables.nullable(),
      response_size: size,
      uncompressed_response_size: size,
      request_read_time: seconds,
      query_execution_time: seconds,
      query: z.union([shownQuery, z.array(shownQuery)]),
      raw_query: z.null(),
      error: error.nullable(),
      request_mode: z.enum(["batched", "single", "non-graphql", "error"]),
    }),
    http_info: z.strictObject({
      status: size,
      http_version: z.literal("HTTP/1.1"),
      url: text,
      ip: text,
      method: text,
      content_encoding: z.literal("gzip").nullable(),
    }),
    batched_operations: z.array(z.strictObject({ response_size: size, error: error.nullable() })).optional(),
  }),
  "websocket-log": z.strictObject({
    event: z.union([
      z.strictObject({ type: z.literal("accepted"), detail: z.null() }),
      z.strictObject({ type: z.literal("rejected"), detail: error }),
      z.strictObject({ type: z.literal("conn_err"), detail: text }),
      z.strictObject({ type: z.literal("operation"), detail: operation }),
      z.strictObject({ type: z.literal("closed"), detail: z.strictObject({ code: size, reason: text }) }),
    ]),
    connection_info: z.strictObject({ websocket_id: id, token_expiry: text.nullable(), msg: text.nullable() }),
    user_vars: variables.nullable(),
  }),
  "webhook-log": z.strictObject({
    status_code: size.nullable(),
    url: text,
    method: z.enum(["GET", "POST"]),
    http_error: json,
    response: text.nullable(),
    message: text.nullable(),
  }),
  "query-log": z.strictObject({
    request_id: text,
    query: graphql,
    generated_sql: z.record(text, z.strictObject({ query: text, prepared_arguments: z.array(json) })).nullable(),
    kind: z.enum(["database", "action", "remote-schema", "cached", "introspection"]),
    connection_template: z
      .record(text, z.strictObject({ routing_to: text, value: text.nullable() }).nullable())
      .optional(),
  }),
  "execution-log": z.strictObject({
    request_id: text,
    statistics: z.strictObject({
      execution_time: seconds,
      statements: size,
      remote_requests: size,
      action_calls: size,
    }),
  }),
  "livequery-poller-log": z.strictObject({
    poller_id: id,
    kind: z.enum(["live-query", "streaming"]),
    snapshot_time: seconds,
    batches: z.array(batch),
    execution_batches: z.array(batch),
    subscriber_count: size,
    total_time: seconds,
    source: text,
    generated_sql: text,
    role: text,
    subscription_options: z.strictObject({ batch_size: size, refetch_delay: seconds }),
    errors: z.array(error).optional(),
  }),
  "action-handler-log": z.strictObject({
    request: json,
    request_trans: json.optional(),
    request_size: size,
    transformed_request_size: size.optional(),
    response_size: size.nullable(),
    action_name: text,
    action_type: z.enum(["query", "mutation"]),
  }),
  "mcp-log": z.strictObject({
    request_id: text,
    tool: text.nullable(),
    role: text,
    outcome: z.enum(["success", "error", "unconfirmed"]),
    code: text.nullable(),
    execution_time: z.number(),
    client: text,
  }),
  "jwk-refresh-log": z.strictObject({ message: text, error: json }),
  "validate-input-log": z.strictObject({
    type: z.literal("http"),
    details: z.strictObject({
      url: text,
      request: json,
      request_headers: headers,
      response: text.nullable(),
      response_status: size.nullable(),
    }),
  }),
  "event-trigger": z.union([
    z.strictObject({ event_id: id, event_name: text, request, response }),
    z.strictObject({ source: text, kind: z.literal("installed"), made: z.array(text), dropped: z.array(text) }),
    z.strictObject({ source: text, message: text }),
  ]),
  "event-trigger-process": z.union([
    z.strictObject({ num_events_fetched: z.record(text, size), num_fetches: size }),
    trouble,
  ]),
  "scheduled-trigger": z.strictObject({ event_id: id, event_name: text.optional(), request, response }),
  "scheduled-trigger-process": z.union([
    z.strictObject({
      num_cron_events_fetched: size,
      num_one_off_scheduled_events_fetched: size,
      num_fetches: size,
    }),
    trouble,
  ]),
  "cron-event-generator-process": z.union([
    z.strictObject({
      cron_triggers: z.array(
        z.strictObject({ name: text, upcoming_events_count: size, max_scheduled_time: z.iso.datetime().nullable() }),
      ),
      num_fetches: size,
    }),
    trouble,
  ]),
  "ws-server": z.union([
    z.strictObject({
      websocket_id: id,
      event: z.union([
        socketEvent("connection_request", { path: text }),
        socketEvent("accepted", { protocol: text }),
        socketEvent("rejected", { status: size }),
        socketEvent("message_received", { size }),
        socketEvent("message_sent", { size }),
        socketEvent("session_expired", {}),
        socketEvent("closed", { code: size }),
      ]),
    }),
    z.strictObject({ message: text, count: size, code: size }),
  ]),
  "pg-client": z.strictObject({ message: text, info: z.looseObject({ source: text }).optional() }),
  metadata: z.union([
    z.strictObject({
      message: z.literal("Inconsistent Metadata!"),
      info: z.strictObject({ objects: z.array(z.strictObject({ type: text, name: text, reason: text })) }),
    }),
    trouble,
  ]),
  "telemetry-log": z.strictObject({ message: text, reason: text }),
  "response-cache": z.strictObject({ message: text, reason: text }),
  fallback: z.strictObject({
    operation_name: text,
    parameterized_query_hash: z.string().regex(/^[0-9a-f]{40}$/),
    operation_type: z.enum(["query", "mutation"]),
    role: text,
    reason: z.enum(["root_field", "nested_field"]),
    fields: z.array(text),
    request_id: text,
  }),
  "audit-log": z.union([
    z.strictObject({
      request_id: text.nullable(),
      role: text,
      user: text.nullable(),
      ip: text,
      endpoint: text,
      operations: z.array(z.strictObject({ type: text, objects: z.record(text, text) })),
      operation_count: size,
      outcome: text,
      resource_version: size,
    }),
    z.strictObject({ message: text, request_id: text.nullable(), reason: text }),
  ]),
  "schema-sync": z.union([
    z.strictObject({ thread_type: z.literal("processor"), info: text }),
    z.strictObject({ thread_type: z.literal("processor"), error: text }),
  ]),
  "source-catalog-migration": z.strictObject({ source: text, message: text, from: size, to: size }),
  "stored-introspection": z.strictObject({
    message: text,
    info: z.union([
      z.strictObject({ source: text, reason: text }),
      z.strictObject({ remote_schema: text, reason: text }),
    ]),
  }),
  "stored-introspection-storage": z.strictObject({
    message: text,
    info: z.strictObject({ source: text.optional(), remote_schema: text.optional(), reason: text.optional() }),
  }),
} as const;

/** The members that every log line has. */
export const logLine = z.strictObject({
  level: z.enum(["debug", "info", "warn", "error", "critical"]),
  timestamp: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d{4}$/),
  type: z.string(),
  trace_id: z.string().optional(),
  span_id: z.string().optional(),
  detail: z.unknown(),
});
