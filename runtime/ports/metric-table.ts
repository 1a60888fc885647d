/** The table of all metrics of the server (`docs/reference/metrics.md`): name, kind, labels and help text. */

export interface MetricRow {
  /** Name without the prefix `engine_`. */
  readonly name: string;
  readonly kind: "counter" | "gauge" | "histogram";
  readonly labels: readonly string[];
  /** Help text of one line. */
  readonly help: string;
  /** Upper bounds of a histogram, ascending. */
  readonly buckets?: readonly number[];
  /**
   * All values of labels whose values are known. The first recorded value creates the series for every one of them, so
   * that the first failure is visible as an increase.
   */
  readonly values?: Readonly<Record<string, readonly string[]>>;
  /** Aggregation of a gauge over the workers of a server: the maximum instead of the sum. */
  readonly aggregation?: "max";
}

const coarse = [0.01, 0.03, 0.1, 0.3, 1, 3, 10] as const;
const fine = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100] as const;
const long = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100] as const;
const lag = [0.01, 0.03, 0.1, 0.3, 1, 2, 3, 5, 10, 30, 100, 300, 1000] as const;
const wide = [0.000001, 0.0001, 0.01, 0.1, 0.3, 1, 3, 10, 30, 100] as const;

const outcomes = { status: ["success", "failed"] } as const;
const losses = { reason: ["buffer_full", "send_failed"] } as const;

const toolOutcomes = { status: ["success", "error", "unconfirmed"] } as const;

const operation = ["operation_name", "parameterized_query_hash"] as const;
const trigger = ["trigger_name", "source_name"] as const;
const connection = ["source_name", "conn_info", "role"] as const;

/** Labels whose values clients or the metadata choose. They can be disabled. */
export const highCardinalityLabels: ReadonlySet<string> = new Set([
  ...operation,
  "trigger_name",
  "variable_name",
  "tool_name",
]);

const row = <const Row extends MetricRow>(value: Row): Row => value;

export const metricTable = {
  executionTime: row({
    name: "graphql_execution_time_seconds",
    kind: "histogram",
    labels: ["operation_type"],
    help: "Duration of successful GraphQL queries and mutations",
    buckets: coarse,
  }),
  requests: row({
    name: "graphql_requests_total",
    kind: "counter",
    labels: ["operation_type", "response_status", ...operation],
    help: "GraphQL operations",
  }),
  fallbackOperations: row({
    name: "graphql_fallback_operations_total",
    kind: "counter",
    labels: ["reason", "status"],
    help: "Operations forwarded to the server of --fallback, by the kind of field that is absent here",
    values: { reason: ["root_field", "nested_field"], ...outcomes },
  }),
  operationVariables: row({
    name: "graphql_variables_total",
    kind: "counter",
    labels: ["operation_type", "variable_name", "state", ...operation],
    help: "Variables of executed operations by state: value, null, or absent",
  }),
  answerFields: row({
    name: "graphql_response_fields_total",
    kind: "counter",
    labels: ["operation_type", "result", ...operation],
    help: "Root fields of successful queries and mutations by result: value, null, or empty",
  }),
  toolCalls: row({
    name: "mcp_tool_calls_total",
    kind: "counter",
    labels: ["status", "tool_name"],
    help: "Calls of tools by assistants; unconfirmed calls of writes only report their effect",
    values: toolOutcomes,
  }),
  toolCallTime: row({
    name: "mcp_tool_call_time_seconds",
    kind: "histogram",
    labels: ["tool_name"],
    help: "Duration of calls of tools by assistants",
    buckets: coarse,
  }),
  eventFetchTime: row({
    name: "event_fetch_time_per_batch_seconds",
    kind: "histogram",
    labels: [],
    help: "Time to fetch a batch of events",
    buckets: fine,
  }),
  eventFetchQueryTime: row({
    name: "events_fetch_query_time_seconds",
    kind: "histogram",
    labels: ["status", "source_name"],
    help: "Duration of the statement that fetches events",
    buckets: fine,
  }),
  eventsFetched: row({
    name: "events_fetched_total",
    kind: "counter",
    labels: ["source_name"],
    help: "Events fetched from a source",
  }),
  eventInvocations: row({
    name: "event_invocations_total",
    kind: "counter",
    labels: ["status", ...trigger],
    help: "Attempts to deliver an event",
    values: outcomes,
  }),
  eventsProcessed: row({
    name: "event_processed_total",
    kind: "counter",
    labels: ["status", ...trigger],
    help: "Events that were delivered or failed permanently",
    values: outcomes,
  }),
  eventProcessingTime: row({
    name: "event_processing_time_seconds",
    kind: "histogram",
    labels: trigger,
    help: "Time from the due time of an event to the end of its delivery",
    buckets: long,
  }),
  eventQueueTime: row({
    name: "event_queue_time_seconds",
    kind: "histogram",
    labels: trigger,
    help: "Time that a fetched event waited for a free worker",
    buckets: long,
  }),
  eventWorkers: row({
    name: "event_trigger_http_workers",
    kind: "gauge",
    labels: [],
    help: "Events being delivered",
  }),
  eventWebhookTime: row({
    name: "event_webhook_processing_time_seconds",
    kind: "histogram",
    labels: trigger,
    help: "Response time of webhooks of event triggers",
    buckets: coarse,
  }),
  eventsPerBatch: row({
    name: "events_fetched_per_batch",
    kind: "gauge",
    labels: [],
    help: "Number of events in the last fetched batch",
  }),
  activeSubscriptions: row({
    name: "active_subscriptions",
    kind: "gauge",
    labels: ["subscription_kind", ...operation],
    help: "Open subscriptions",
  }),
  pollers: row({
    name: "active_subscription_pollers",
    kind: "gauge",
    labels: ["subscription_kind"],
    help: "Pollers, each of which runs one statement for a group of subscriptions",
  }),
  failingPollers: row({
    name: "active_subscription_pollers_in_error_state",
    kind: "gauge",
    labels: ["subscription_kind"],
    help: "Pollers whose last poll failed",
  }),
  subscriptionTotalTime: row({
    name: "subscription_total_time_seconds",
    kind: "histogram",
    labels: ["subscription_kind", ...operation],
    help: "Duration of a poll until its results were handed to the transport",
    buckets: wide,
  }),
  subscriptionDatabaseTime: row({
    name: "subscription_db_execution_time_seconds",
    kind: "histogram",
    labels: ["subscription_kind", ...operation],
    help: "Database time of one batch of a poll",
    buckets: wide,
  }),
  websocketSent: row({
    name: "websocket_messages_sent_bytes_total",
    kind: "counter",
    labels: operation,
    help: "Bytes of messages sent to WebSocket clients",
  }),
  websocketReceived: row({
    name: "websocket_messages_received_bytes_total",
    kind: "counter",
    labels: [],
    help: "Bytes of messages received from WebSocket clients",
  }),
  websocketQueueTime: row({
    name: "websocket_message_queue_time",
    kind: "histogram",
    labels: [],
    help: "Time that a received WebSocket message waited for processing, in seconds",
    buckets: wide,
  }),
  websocketWriteTime: row({
    name: "websocket_message_write_time",
    kind: "histogram",
    labels: [],
    help: "Time until a message was written to a WebSocket, in seconds",
    buckets: wide,
  }),
  cacheRequests: row({
    name: "cache_request_count",
    kind: "counter",
    labels: ["status"],
    help: "Requests for cached responses",
  }),
  cacheOutages: row({
    name: "cache_unavailable_requests_total",
    kind: "counter",
    labels: [],
    help: "Requests with @cached that ran without the cache because Redis did not respond",
  }),
  cronInvocations: row({
    name: "cron_events_invocation_total",
    kind: "counter",
    labels: ["status"],
    help: "Attempts to deliver an event of a cron trigger",
    values: outcomes,
  }),
  cronProcessed: row({
    name: "cron_events_processed_total",
    kind: "counter",
    labels: ["status"],
    help: "Events of cron triggers that were delivered or failed permanently",
    values: outcomes,
  }),
  oneOffInvocations: row({
    name: "oneoff_events_invocation_total",
    kind: "counter",
    labels: ["status"],
    help: "Attempts to deliver a one-off event",
    values: outcomes,
  }),
  oneOffProcessed: row({
    name: "oneoff_events_processed_total",
    kind: "counter",
    labels: ["status"],
    help: "One-off events that were delivered or failed permanently",
    values: outcomes,
  }),
  httpConnections: row({
    name: "http_connections",
    kind: "gauge",
    labels: [],
    help: "Open HTTP connections, excluding WebSockets",
  }),
  websocketConnections: row({
    name: "websocket_connections",
    kind: "gauge",
    labels: [],
    help: "Open WebSocket connections",
  }),
  eventStreams: row({
    name: "event_streams",
    kind: "gauge",
    labels: [],
    help: "Subscriptions over server-sent events; each uses an HTTP connection",
  }),
  postgresConnections: row({
    name: "postgres_connections",
    kind: "gauge",
    labels: connection,
    help: "Connections in the pool of a source; role is primary, replica, or member of its connection set",
  }),
  postgresInitTime: row({
    name: "postgres_connection_init_time",
    kind: "histogram",
    labels: connection,
    help: "Time to open a connection of a source, in seconds",
    buckets: wide,
  }),
  postgresPoolWait: row({
    name: "postgres_pool_wait_time",
    kind: "histogram",
    labels: connection,
    help: "Time that a statement waited for a connection, in seconds; excludes statements that did not wait",
    buckets: wide,
  }),
  postgresErrors: row({
    name: "postgres_connection_error_total",
    kind: "counter",
    labels: connection,
    help: "Failed attempts to open a connection of a source",
  }),
  sourceHealth: row({
    name: "source_health",
    kind: "gauge",
    labels: ["source_name"],
    help: "Result of the last health check of a source: 0 healthy, 1 timeout, 2 failed, 3 error",
    aggregation: "max",
  }),
  httpRequestBytes: row({
    name: "http_request_bytes_total",
    kind: "counter",
    labels: [],
    help: "Bytes of request bodies received over HTTP",
  }),
  httpResponseBytes: row({
    name: "http_response_bytes_total",
    kind: "counter",
    labels: [],
    help: "Bytes of response bodies sent over HTTP",
  }),
  actionRequestBytes: row({
    name: "action_request_bytes_total",
    kind: "counter",
    labels: [],
    help: "Bytes of requests to action handlers",
  }),
  actionResponseBytes: row({
    name: "action_response_bytes_total",
    kind: "counter",
    labels: [],
    help: "Bytes of responses of action handlers",
  }),
  eventRequestBytes: row({
    name: "event_trigger_request_bytes_total",
    kind: "counter",
    labels: [],
    help: "Bytes of requests to webhooks of event triggers",
  }),
  eventResponseBytes: row({
    name: "event_trigger_response_bytes_total",
    kind: "counter",
    labels: [],
    help: "Bytes of responses of webhooks of event triggers",
  }),
  scheduledRequestBytes: row({
    name: "scheduled_trigger_request_bytes_total",
    kind: "counter",
    labels: [],
    help: "Bytes of requests to webhooks of cron triggers and one-off events",
  }),
  scheduledResponseBytes: row({
    name: "scheduled_trigger_response_bytes_total",
    kind: "counter",
    labels: [],
    help: "Bytes of responses of webhooks of cron triggers and one-off events",
  }),
  sentSpans: row({ name: "otel_sent_spans", kind: "counter", labels: [], help: "Spans accepted by the collector" }),
  droppedSpans: row({
    name: "otel_dropped_spans",
    kind: "counter",
    labels: ["reason"],
    help: "Spans that were not exported",
    values: losses,
  }),
  sentLogs: row({ name: "otel_sent_logs", kind: "counter", labels: [], help: "Log lines accepted by the collector" }),
  droppedLogs: row({
    name: "otel_dropped_logs",
    kind: "counter",
    labels: ["reason"],
    help: "Log lines that were not exported",
    values: losses,
  }),
  sentMetrics: row({
    name: "otel_sent_metrics",
    kind: "counter",
    labels: [],
    help: "Metric points accepted by the collector",
  }),
  droppedMetrics: row({
    name: "otel_dropped_metrics",
    kind: "counter",
    labels: ["reason"],
    help: "Metric points that were not exported",
    values: losses,
  }),

  // Metrics that the specification does not define.
  metadataVersion: row({
    name: "metadata_resource_version",
    kind: "gauge",
    labels: [],
    help: "Version of the served metadata",
    aggregation: "max",
  }),
  metadataHealth: row({
    name: "metadata_database_health",
    kind: "gauge",
    labels: [],
    help: "Result of the last health check of the metadata database: 0 healthy, 1 timeout, 2 failed, 3 error",
  }),
  shortage: row({
    name: "process_shortage",
    kind: "gauge",
    labels: [],
    help: "1 while the process is out of file descriptors or memory and takes nothing from queues, otherwise 0",
    aggregation: "max",
  }),
  inconsistentObjects: row({
    name: "metadata_inconsistent_objects",
    kind: "gauge",
    labels: [],
    help: "Inconsistent metadata objects, which are not served",
    aggregation: "max",
  }),
  compileTime: row({
    name: "metadata_compile_seconds",
    kind: "histogram",
    labels: [],
    help: "Time to compile metadata",
    buckets: long,
  }),
  reloadTime: row({
    name: "metadata_reload_seconds",
    kind: "histogram",
    labels: [],
    help: "Time to load compiled metadata",
    buckets: long,
  }),
  metadataLag: row({
    name: "metadata_lag_seconds",
    kind: "histogram",
    labels: [],
    help: "Time from the storing of metadata by another process until this one serves it, by the clock of the metadata database",
    buckets: lag,
  }),
  subscriptionLag: row({
    name: "subscription_lag_seconds",
    kind: "histogram",
    labels: ["subscription_kind", ...operation],
    help: "Longest time that can have passed from the commit of a change to its delivery to a subscriber",
    buckets: lag,
  }),
  eventLag: row({
    name: "event_lag_seconds",
    kind: "histogram",
    labels: trigger,
    help: "Time from the creation of an event to its delivery, including retries, by the clock of its database",
    buckets: lag,
  }),
  planCache: row({
    name: "plan_cache_requests_total",
    kind: "counter",
    labels: ["status"],
    help: "Operations by origin of their plan: hit, miss, or saved",
  }),
  eventBacklog: row({
    name: "event_backlog",
    kind: "gauge",
    labels: trigger,
    help: "Pending events; counted up to 100000",
  }),
  eventOldest: row({
    name: "event_oldest_pending_seconds",
    kind: "gauge",
    labels: trigger,
    help: "Age of the oldest pending event",
    aggregation: "max",
  }),
  eventDeadLetters: row({
    name: "event_dead_letters",
    kind: "gauge",
    labels: trigger,
    help: "Events that failed and are not retried; counted up to 100000",
    aggregation: "max",
  }),
  automationDeadLetters: row({
    name: "automation_dead_letters",
    kind: "gauge",
    labels: ["kind", "trigger_name"],
    help: "Events of schedules (cron, one_off) and calls of asynchronous actions (action) that failed and are not retried; counted up to 10000",
    aggregation: "max",
  }),
  eventLoopDelay: row({
    name: "event_loop_delay_seconds",
    kind: "gauge",
    labels: ["percentile"],
    help: "Delay of the event loop since the last scrape",
    aggregation: "max",
  }),
  eventLoopUse: row({
    name: "event_loop_utilization_ratio",
    kind: "gauge",
    labels: [],
    help: "Fraction of time that the event loop was busy since the last scrape",
    aggregation: "max",
  }),
  residentMemory: row({
    name: "process_resident_memory_bytes",
    kind: "gauge",
    labels: [],
    help: "Resident memory of the process",
  }),
  heapMemory: row({
    name: "process_heap_bytes",
    kind: "gauge",
    labels: [],
    help: "Heap memory used by JavaScript objects",
  }),
  processorTime: row({
    name: "process_cpu_seconds_total",
    kind: "counter",
    labels: ["mode"],
    help: "CPU time of the process",
  }),
  uptime: row({
    name: "process_uptime_seconds",
    kind: "gauge",
    labels: [],
    help: "Time since the process started",
    aggregation: "max",
  }),
  seriesLimited: row({
    name: "metrics_limited_series_total",
    kind: "counter",
    labels: [],
    help: "Observations counted under the label value other because a metric has reached its maximum number of series",
  }),
} as const satisfies Readonly<Record<string, MetricRow>>;

export type MetricName = keyof typeof metricTable;
export type MetricTable = typeof metricTable;
