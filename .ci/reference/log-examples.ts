/** The `detail` of a line of each log type. `test/unit/reference-coverage.test.ts` compares them with their schemas. */
import type { LogType } from "../../runtime/config/log-types.ts";

const requestId = "b04eedef-3b83-4b2c-a813-578895ef61d2";
const variables = { "x-engine-role": "user", "x-engine-user-id": "7" };
const response = { type: "webhook_response", version: "2", data: { status: 200, headers: [], body: '{"ok":true}' } };
const batch = {
  batch_id: 1,
  pg_execution_time: 0.0116,
  db_execution_time: 0.0116,
  push_time: 0.0001,
  batch_response_size_bytes: 2,
};

/** Types that are never written are absent. */
export const logExamples: Readonly<Record<Exclude<LogType, "data-connector-log" | "model-info">, unknown>> = {
  startup: { kind: "server", info: { message: "starting API server", time_taken: 0.9 } },
  "http-log": {
    request_id: requestId,
    operation: {
      request_id: requestId,
      user_vars: variables,
      response_size: 41,
      uncompressed_response_size: 41,
      request_read_time: 0.001,
      query_execution_time: 0.027,
      query: { type: null },
      raw_query: null,
      error: null,
      request_mode: "single",
    },
    http_info: {
      status: 200,
      http_version: "HTTP/1.1",
      url: "/v1/graphql",
      ip: "127.0.0.1",
      method: "POST",
      content_encoding: null,
    },
  },
  "webhook-log": {
    status_code: 200,
    url: "https://auth.example/session",
    method: "GET",
    http_error: null,
    response: null,
    message: null,
  },
  "websocket-log": {
    event: { type: "accepted", detail: null },
    connection_info: { websocket_id: "8c425692-d6b7-41f5-a1be-c8ca23062aee", token_expiry: null, msg: null },
    user_vars: null,
  },
  "query-log": {
    request_id: requestId,
    query: { query: "query Books { book { id } }", operationName: "Books", variables: {} },
    generated_sql: { book: { query: "select …", prepared_arguments: [] } },
    kind: "database",
  },
  "execution-log": {
    request_id: requestId,
    statistics: { execution_time: 0.027, statements: 1, remote_requests: 0, action_calls: 0 },
  },
  "livequery-poller-log": {
    poller_id: "96b67239-c422-4f31-bebd-f014b2eb1e45",
    kind: "live-query",
    snapshot_time: 0.0001,
    batches: [batch],
    execution_batches: [batch],
    subscriber_count: 1,
    total_time: 0.0119,
    source: "default",
    generated_sql: "select …",
    role: "user",
    subscription_options: { batch_size: 100, refetch_delay: 1 },
  },
  "action-handler-log": {
    request: {
      action: { name: "renew" },
      input: { id: 1 },
      session_variables: variables,
      request_query: "mutation { renew(id: 1) { due_on } }",
    },
    request_size: 152,
    response_size: 25,
    action_name: "renew",
    action_type: "mutation",
  },
  "mcp-log": {
    request_id: requestId,
    tool: "find_books",
    role: "member",
    outcome: "success",
    code: null,
    execution_time: 0.0042,
    client: "example-client",
  },
  "jwk-refresh-log": {
    message: "Failed to fetch the key set; retrying",
    error: "Non-2xx response on fetching JWK from: https://auth.example/keys",
  },
  "validate-input-log": {
    type: "http",
    details: {
      url: "{{HOOK}}",
      request: { version: 1, role: "user", session_variables: variables, data: { input: [{ title: "Emma" }] } },
      request_headers: [{ name: "x-key", value: "<from_env: KEY>" }],
      response: '{"ok":true}',
      response_status: 200,
    },
  },
  unstructured: { message: "3 statements were cancelled at shutdown" },
  "unhandled-internal-error": { message: "engine.config.ts:3: session: no tickets" },
  "event-trigger": {
    event_id: "b26d6494-ce5b-4e80-9d96-45ec2e7b5bea",
    event_name: "lent",
    request: {
      url: "{{HOOK}}",
      headers: [{ name: "x-key", value: "<from_env: KEY>" }],
      size: 458,
      payload: { id: "b26d6494-ce5b-4e80-9d96-45ec2e7b5bea" },
    },
    response,
  },
  "event-trigger-process": { num_events_fetched: { default: 3 }, num_fetches: 10 },
  "scheduled-trigger": {
    event_id: "1292c974-b20d-436c-8bab-d0ee4a361f0d",
    event_name: "reminders",
    request: { url: "{{HOOK}}", headers: [], size: 147, payload: { scheduled_time: "2026-01-01T08:00:00Z" } },
    response,
  },
  "scheduled-trigger-process": { num_cron_events_fetched: 1, num_one_off_scheduled_events_fetched: 0, num_fetches: 10 },
  "async-action-process": { message: "Cleared old calls from the action log", deleted: 12 },
  "cron-event-generator-process": {
    cron_triggers: [{ name: "reminders", upcoming_events_count: 100, max_scheduled_time: "2026-04-11T08:00:00.000Z" }],
    num_fetches: 10,
  },
  "ws-server": { websocket_id: "8c425692-d6b7-41f5-a1be-c8ca23062aee", event: { type: "closed", code: 1005 } },
  "pg-client": {
    message: "The database rejects further connections; requests wait for existing ones",
    info: { source: "default" },
  },
  metadata: {
    message: "Inconsistent Metadata!",
    info: { objects: [{ type: "table", name: "table notes in source default", reason: "Inconsistent object: …" }] },
  },
  "telemetry-log": { message: "failed to export telemetry", reason: "the collector responded with status 400" },
  "response-cache": {
    message: "the response cache does not respond; queries with @cached run without it",
    reason: "connect ECONNREFUSED 127.0.0.1:6379",
  },
  fallback: {
    operation_name: "Articles",
    parameterized_query_hash: "8a1f0cbd04e9f2d7c35b6ea1907d24f3b8e6c511",
    operation_type: "query",
    role: "user",
    reason: "root_field",
    fields: ["query_root.article"],
    request_id: "5a4b8f5e-3f0c-4f0e-9a57-2f6c53e5b0a5",
  },
  "audit-log": {
    request_id: "2d5a4e6c-7b7f-4f0e-9a37-0c2b7a3f1d11",
    role: "admin",
    user: "ann",
    ip: "203.0.113.7",
    endpoint: "/v1/metadata",
    operations: [
      { type: "pg_drop_select_permission", objects: { source: "default", table: "public.author", role: "user" } },
    ],
    operation_count: 1,
    outcome: "success",
    resource_version: 8,
  },
  "schema-sync": { thread_type: "processor", info: "Schema cache updated to 3." },
  "source-catalog-migration": { source: "default", message: "Created the tables of event triggers", from: 0, to: 5 },
  "stored-introspection": {
    message: "Source is unreachable; using its stored introspection",
    info: { source: "default", reason: "connection error" },
  },
  "stored-introspection-storage": { message: "Stored the shape of a source", info: { source: "default" } },
};
