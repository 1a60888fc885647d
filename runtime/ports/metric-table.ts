/** Every metric of the server, one row each (`docs/metrics.md`): what it is called, what it counts, by which labels. */

export interface MetricRow {
  /** Without the prefix `engine_`. */
  readonly name: string;
  readonly kind: "counter" | "gauge" | "histogram";
  readonly labels: readonly string[];
  /** One line for whoever reads the metrics. */
  readonly help: string;
  /** Upper bounds of a histogram, ascending. */
  readonly buckets?: readonly number[];
  /** All values of some labels: where one has a series the others have one, too, so that no first failure is missed. */
  readonly values?: Readonly<Record<string, readonly string[]>>;
  /** Of a gauge of which the workers of a server have the same, or a share each: the largest one is shown, not the sum. */
  readonly ofAll?: "largest";
}

const coarse = [0.01, 0.03, 0.1, 0.3, 1, 3, 10] as const;
const fine = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100] as const;
const long = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100] as const;
const wide = [0.000001, 0.0001, 0.01, 0.1, 0.3, 1, 3, 10, 30, 100] as const;

const outcomes = { status: ["success", "failed"] } as const;
const losses = { reason: ["buffer_full", "send_failed"] } as const;

const operation = ["operation_name", "parameterized_query_hash"] as const;
const trigger = ["trigger_name", "source_name"] as const;
const connection = ["source_name", "conn_info", "role"] as const;

/** Labels whose values clients and metadata make up as they like: they can be switched off. */
export const highCardinalityLabels: ReadonlySet<string> = new Set([...operation, "trigger_name", "variable_name"]);

const row = <const Row extends MetricRow>(given: Row): Row => given;

export const metricTable = {
  executionTime: row({
    name: "graphql_execution_time_seconds",
    kind: "histogram",
    labels: ["operation_type"],
    help: "Time that successful GraphQL queries and mutations took",
    buckets: coarse,
  }),
  requests: row({
    name: "graphql_requests_total",
    kind: "counter",
    labels: ["operation_type", "response_status", ...operation],
    help: "GraphQL operations",
  }),
  operationVariables: row({
    name: "graphql_variables_total",
    kind: "counter",
    labels: ["operation_type", "variable_name", "state", ...operation],
    help: "Variables of operations that ran, by what they were: value, null, or absent",
  }),
  answerFields: row({
    name: "graphql_response_fields_total",
    kind: "counter",
    labels: ["operation_type", "result", ...operation],
    help: "Root fields of successful queries and mutations, by what was answered: value, null, or empty",
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
    help: "Time that the statement took which fetches events",
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
    help: "Events that were delivered or given up",
    values: outcomes,
  }),
  eventProcessingTime: row({
    name: "event_processing_time_seconds",
    kind: "histogram",
    labels: trigger,
    help: "Time from when an event was due until its delivery ended",
    buckets: long,
  }),
  eventQueueTime: row({
    name: "event_queue_time_seconds",
    kind: "histogram",
    labels: trigger,
    help: "Time that a fetched event waited for a worker",
    buckets: long,
  }),
  eventWorkers: row({
    name: "event_trigger_http_workers",
    kind: "gauge",
    labels: [],
    help: "Events that are being delivered now",
  }),
  eventWebhookTime: row({
    name: "event_webhook_processing_time_seconds",
    kind: "histogram",
    labels: trigger,
    help: "Time that the webhook of an event took",
    buckets: coarse,
  }),
  eventsPerBatch: row({
    name: "events_fetched_per_batch",
    kind: "gauge",
    labels: [],
    help: "Events in the last batch that was fetched",
  }),
  activeSubscriptions: row({
    name: "active_subscriptions",
    kind: "gauge",
    labels: ["subscription_kind", ...operation],
    help: "Subscriptions that are open now",
  }),
  pollers: row({
    name: "active_subscription_pollers",
    kind: "gauge",
    labels: ["subscription_kind"],
    help: "Groups of subscriptions that share a statement now",
  }),
  failingPollers: row({
    name: "active_subscription_pollers_in_error_state",
    kind: "gauge",
    labels: ["subscription_kind"],
    help: "Groups of subscriptions whose last poll failed",
  }),
  subscriptionTotalTime: row({
    name: "subscription_total_time_seconds",
    kind: "histogram",
    labels: ["subscription_kind", ...operation],
    help: "Time of a poll, from its beginning until its results were handed over",
    buckets: wide,
  }),
  subscriptionDatabaseTime: row({
    name: "subscription_db_execution_time_seconds",
    kind: "histogram",
    labels: ["subscription_kind", ...operation],
    help: "Time that the database took for a batch of a poll",
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
    help: "Time that a received WebSocket message waited for its turn, in seconds",
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
    help: "Requests that asked for a cached response",
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
    help: "Events of cron triggers that were delivered or given up",
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
    help: "One-off events that were delivered or given up",
    values: outcomes,
  }),
  httpConnections: row({
    name: "http_connections",
    kind: "gauge",
    labels: [],
    help: "Open HTTP connections, WebSockets left out",
  }),
  websocketConnections: row({
    name: "websocket_connections",
    kind: "gauge",
    labels: [],
    help: "Open WebSockets",
  }),
  eventStreams: row({
    name: "event_streams",
    kind: "gauge",
    labels: [],
    help: "Subscriptions over server-sent events; each has an HTTP connection",
  }),
  postgresConnections: row({
    name: "postgres_connections",
    kind: "gauge",
    labels: connection,
    help: "Connections of the pool of a source; role is primary, replica, or member of its connection set",
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
    help: "Time that a statement waited for a connection, in seconds; statements that found one free do not count",
    buckets: wide,
  }),
  postgresErrors: row({
    name: "postgres_connection_error_total",
    kind: "counter",
    labels: connection,
    help: "Connections of a source that could not be opened",
  }),
  sourceHealth: row({
    name: "source_health",
    kind: "gauge",
    labels: ["source_name"],
    help: "Whether a source answered when it was last asked: 0 it did, 1 timeout, 2 failed, 3 error",
    ofAll: "largest",
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
    help: "Bytes of requests to handlers of actions",
  }),
  actionResponseBytes: row({
    name: "action_response_bytes_total",
    kind: "counter",
    labels: [],
    help: "Bytes of answers of handlers of actions",
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
    help: "Bytes of answers of webhooks of event triggers",
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
    help: "Bytes of answers of webhooks of cron triggers and one-off events",
  }),
  sentSpans: row({ name: "otel_sent_spans", kind: "counter", labels: [], help: "Spans that the collector took" }),
  droppedSpans: row({
    name: "otel_dropped_spans",
    kind: "counter",
    labels: ["reason"],
    help: "Spans that were not exported",
    values: losses,
  }),
  sentLogs: row({ name: "otel_sent_logs", kind: "counter", labels: [], help: "Log lines that the collector took" }),
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
    help: "Metric points that the collector took",
  }),
  droppedMetrics: row({
    name: "otel_dropped_metrics",
    kind: "counter",
    labels: ["reason"],
    help: "Metric points that were not exported",
    values: losses,
  }),

  // What the specification does not name.
  metadataVersion: row({
    name: "metadata_resource_version",
    kind: "gauge",
    labels: [],
    help: "Version of the metadata that is served",
    ofAll: "largest",
  }),
  metadataHealth: row({
    name: "metadata_database_health",
    kind: "gauge",
    labels: [],
    help: "Whether the metadata database answered when it was last asked: 0 it did, 1 timeout, 2 failed, 3 error",
  }),
  shortage: row({
    name: "process_shortage",
    kind: "gauge",
    labels: [],
    help: "Whether the process has no descriptor or memory left: 1 it takes nothing from queues, 0 it does",
    ofAll: "largest",
  }),
  inconsistentObjects: row({
    name: "metadata_inconsistent_objects",
    kind: "gauge",
    labels: [],
    help: "Objects of the metadata that are left out because they are inconsistent",
    ofAll: "largest",
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
    help: "Time to put compiled metadata to service",
    buckets: long,
  }),
  planCache: row({
    name: "plan_cache_requests_total",
    kind: "counter",
    labels: ["status"],
    help: "Operations by where their plan came from: hit, miss, or saved",
  }),
  eventBacklog: row({
    name: "event_backlog",
    kind: "gauge",
    labels: trigger,
    help: "Events that wait for their delivery; counted up to 100000",
  }),
  eventOldest: row({
    name: "event_oldest_pending_seconds",
    kind: "gauge",
    labels: trigger,
    help: "Age of the oldest event that waits for its delivery",
    ofAll: "largest",
  }),
  eventLoopDelay: row({
    name: "event_loop_delay_seconds",
    kind: "gauge",
    labels: ["percentile"],
    help: "How late timers of the process were since the last look",
    ofAll: "largest",
  }),
  eventLoopUse: row({
    name: "event_loop_utilization_ratio",
    kind: "gauge",
    labels: [],
    help: "Share of time that the event loop was busy since the last look",
    ofAll: "largest",
  }),
  residentMemory: row({
    name: "process_resident_memory_bytes",
    kind: "gauge",
    labels: [],
    help: "Memory of the process",
  }),
  heapMemory: row({
    name: "process_heap_bytes",
    kind: "gauge",
    labels: [],
    help: "Memory in use by JavaScript objects",
  }),
  processorTime: row({
    name: "process_cpu_seconds_total",
    kind: "counter",
    labels: ["mode"],
    help: "Processor time of the process",
  }),
  uptime: row({
    name: "process_uptime_seconds",
    kind: "gauge",
    labels: [],
    help: "Time since the process started",
    ofAll: "largest",
  }),
  seriesLimited: row({
    name: "metrics_limited_series_total",
    kind: "counter",
    labels: [],
    help: "Observations counted under the label value other because a metric has as many series as it may have",
  }),
} as const satisfies Readonly<Record<string, MetricRow>>;

export type MetricName = keyof typeof metricTable;
export type MetricTable = typeof metricTable;
