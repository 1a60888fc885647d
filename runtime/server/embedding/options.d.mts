/** The options of the server as `engine.config.ts` sets them. Generated from the table of options: `npm run golden`. */
export interface EngineOptions {
  /** PostgreSQL URL of the source `default`; also stores the metadata unless --metadata-database-url is set (`ENGINE_GRAPHQL_DATABASE_URL`) */
  readonly databaseUrl?: string | undefined;
  /** PostgreSQL URL of the metadata database (`ENGINE_GRAPHQL_METADATA_DATABASE_URL`) */
  readonly metadataDatabaseUrl?: string | undefined;
  /** data folder of the embedded PostgreSQL, which runs if no database URL is set (`ENGINE_GRAPHQL_DATA_DIR`) */
  readonly dataDir?: string | undefined;
  /** allow administrators' SQL to become superuser of the embedded PostgreSQL with `set role engine_superuser` (`ENGINE_GRAPHQL_EMBEDDED_SUPERUSER`) */
  readonly embeddedSuperuser?: boolean | undefined;
  /** number of retries when connecting to the metadata database (`ENGINE_GRAPHQL_NO_OF_RETRIES`) */
  readonly noOfRetries?: number | undefined;
  /** number of processes that serve the port; auto: one per core (`ENGINE_GRAPHQL_WORKERS`) */
  readonly workers?: number | string | undefined;
  /** port to listen on (`ENGINE_GRAPHQL_SERVER_PORT`) */
  readonly serverPort?: number | undefined;
  /** address to listen on; *: all addresses; auto: all addresses with an admin secret, otherwise localhost only (`ENGINE_GRAPHQL_SERVER_HOST`) */
  readonly serverHost?: string | undefined;
  /** timeout for the headers of a request, in seconds (`ENGINE_GRAPHQL_SERVER_TIMEOUT`) */
  readonly serverTimeout?: number | undefined;
  /** timeout for the body of a request after its headers, in seconds; extended by --body-least-rate (`ENGINE_GRAPHQL_BODY_TIMEOUT`) */
  readonly bodyTimeout?: number | undefined;
  /** number of body bytes that extend --body-timeout by one second; 0: never extended (`ENGINE_GRAPHQL_BODY_LEAST_RATE`) */
  readonly bodyLeastRate?: number | undefined;
  /** accepted for compatibility: a source has one pool, sized by --connections (`ENGINE_GRAPHQL_PG_STRIPES`) */
  readonly pgStripes?: number | undefined;
  /** maximum number of connections to the metadata database, and to the source `default` of --database-url (`ENGINE_GRAPHQL_PG_CONNECTIONS`) */
  readonly pgConnections?: number | undefined;
  /** idle time after which a database connection is closed, in seconds (`ENGINE_GRAPHQL_PG_TIMEOUT`) */
  readonly pgTimeout?: number | undefined;
  /** age after which a database connection is replaced, in seconds; 0: never (`ENGINE_GRAPHQL_PG_CONN_LIFETIME`) */
  readonly pgConnLifetime?: number | undefined;
  /** maximum wait for a free database connection, in seconds; default 30, 0: no limit (`ENGINE_GRAPHQL_PG_POOL_TIMEOUT`) */
  readonly pgPoolTimeout?: number | undefined;
  /** use prepared statements; disable behind a pooler in transaction mode (`ENGINE_GRAPHQL_USE_PREPARED_STATEMENTS`) */
  readonly usePreparedStatements?: boolean | undefined;
  /** isolation level of transactions: read-committed, repeatable-read, serializable (`ENGINE_GRAPHQL_TX_ISOLATION`) */
  readonly txIsolation?: string | undefined;
  /** secret that grants administrator access; without one, every client is an administrator (`ENGINE_GRAPHQL_ADMIN_SECRET`) */
  readonly adminSecret?: string | undefined;
  /** without an admin secret, let `engine start` generate one, print it once and store it next to --data-dir (`ENGINE_GRAPHQL_MAKE_ADMIN_SECRET`) */
  readonly makeAdminSecret?: boolean | undefined;
  /** allow listening on non-loopback addresses without an admin secret: every client is an administrator (`ENGINE_GRAPHQL_INSECURE_NO_SECRET`) */
  readonly insecureNoSecret?: boolean | undefined;
  /** former name of --admin-secret, which takes precedence (`ENGINE_GRAPHQL_ACCESS_KEY`) */
  readonly accessKey?: string | undefined;
  /** additional admin secrets, a JSON array of strings (`ENGINE_GRAPHQL_ADMIN_SECRETS`) */
  readonly adminSecrets?: string | object | undefined;
  /** URL of the webhook that returns the role and session variables of a request (`ENGINE_GRAPHQL_AUTH_HOOK`) */
  readonly authHook?: string | undefined;
  /** HTTP method of the authentication webhook: GET, POST (`ENGINE_GRAPHQL_AUTH_HOOK_MODE`) */
  readonly authHookMode?: string | undefined;
  /** send GraphQL operations to the authentication webhook if its method is POST (`ENGINE_GRAPHQL_AUTH_HOOK_SEND_REQUEST_BODY`) */
  readonly authHookSendRequestBody?: boolean | undefined;
  /** accepted JSON Web Tokens: a JSON object with their key or its URL (`ENGINE_GRAPHQL_JWT_SECRET`) */
  readonly jwtSecret?: string | object | undefined;
  /** additional kinds of accepted tokens, a JSON array of such objects (`ENGINE_GRAPHQL_JWT_SECRETS`) */
  readonly jwtSecrets?: string | object | undefined;
  /** role of requests without credentials (`ENGINE_GRAPHQL_UNAUTHORIZED_ROLE`) */
  readonly unauthorizedRole?: string | undefined;
  /** alias for the prefix of session variables and secrets, such as X-Hasura-=X-Engine- (`ENGINE_GRAPHQL_HEADER_ALIAS`) */
  readonly headerAlias?: string | undefined;
  /** depth limit of the unauthorized role unless set in api_limits of the metadata; 0: none (`ENGINE_GRAPHQL_UNAUTHORIZED_DEPTH_LIMIT`) */
  readonly unauthorizedDepthLimit?: number | undefined;
  /** node limit of the unauthorized role unless set in api_limits of the metadata; 0: none (`ENGINE_GRAPHQL_UNAUTHORIZED_NODE_LIMIT`) */
  readonly unauthorizedNodeLimit?: number | undefined;
  /** time limit of the unauthorized role unless set in api_limits of the metadata, in seconds; 0: none (`ENGINE_GRAPHQL_UNAUTHORIZED_TIME_LIMIT`) */
  readonly unauthorizedTimeLimit?: number | undefined;
  /** batch limit of the unauthorized role unless set in api_limits of the metadata; 0: none (`ENGINE_GRAPHQL_UNAUTHORIZED_BATCH_LIMIT`) */
  readonly unauthorizedBatchLimit?: number | undefined;
  /** allowed browser origins, comma-separated, optionally with one leading wildcard label (https://*.example.com); other origins are refused. *: all origins, if there is an admin secret (`ENGINE_GRAPHQL_CORS_DOMAIN`) */
  readonly corsDomain?: string | readonly string[] | undefined;
  /** send no CORS headers (`ENGINE_GRAPHQL_DISABLE_CORS`) */
  readonly disableCors?: boolean | undefined;
  /** return bigint, numeric and double precision values as strings (`ENGINE_GRAPHQL_STRINGIFY_NUMERIC_TYPES`) */
  readonly stringifyNumericTypes?: boolean | undefined;
  /** give headers of the metadata precedence over client headers in webhook calls (`ENGINE_GRAPHQL_CONFIGURED_HEADER_PRECEDENCE`) */
  readonly configuredHeaderPrecedence?: boolean | undefined;
  /** treat null in `where` as true (`ENGINE_GRAPHQL_V1_BOOLEAN_NULL_COLLAPSE`) */
  readonly v1BooleanNullCollapse?: boolean | undefined;
  /** accept null for variables of non-nullable types (`ENGINE_GRAPHQL_BACKWARDS_COMPAT_NULL_IN_NONNULLABLE_VARIABLES`) */
  readonly backwardsCompatNullInNonnullableVariables?: boolean | undefined;
  /** response of REST endpoints: the same as /v1/graphql, or only the value of its `data` (`ENGINE_GRAPHQL_REST_RESPONSE`) */
  readonly restResponse?: string | undefined;
  /** public URL of /mcp, the audience that its tokens must have and that no other endpoint accepts (`ENGINE_GRAPHQL_MCP_RESOURCE`) */
  readonly mcpResource?: string | undefined;
  /** issuers of tokens for /mcp, comma-separated URLs, which the metadata of --mcp-resource names (`ENGINE_GRAPHQL_MCP_AUTHORIZATION_SERVERS`) */
  readonly mcpAuthorizationServers?: string | undefined;
  /** accept the admin secret at /mcp, with the role of the request (`ENGINE_GRAPHQL_MCP_ADMIN_SECRET`) */
  readonly mcpAdminSecret?: boolean | undefined;
  /** groups of endpoints to serve, comma-separated: metadata, graphql, pgdump, config, developer, metrics, mcp (`ENGINE_GRAPHQL_ENABLED_APIS`) */
  readonly enabledApis?: string | readonly string[] | undefined;
  /** tools of /mcp that change data: confirm (after the effect was shown), allow (without confirmation), or forbid (not served) (`ENGINE_GRAPHQL_MCP_WRITES`) */
  readonly mcpWrites?: string | undefined;
  /** serve the tool query_data of /mcp, with which assistants run read-only GraphQL queries (`ENGINE_GRAPHQL_MCP_QUERY_DATA`) */
  readonly mcpQueryData?: boolean | undefined;
  /** depth limit of queries by the tool query_data of /mcp (`ENGINE_GRAPHQL_MCP_QUERY_DEPTH_LIMIT`) */
  readonly mcpQueryDepthLimit?: number | undefined;
  /** node limit of queries by the tool query_data of /mcp (`ENGINE_GRAPHQL_MCP_QUERY_NODE_LIMIT`) */
  readonly mcpQueryNodeLimit?: number | undefined;
  /** maximum number of rows in results of the tool query_data of /mcp (`ENGINE_GRAPHQL_MCP_QUERY_ROW_LIMIT`) */
  readonly mcpQueryRowLimit?: number | undefined;
  /** maximum size in bytes of results of the tool query_data of /mcp (`ENGINE_GRAPHQL_MCP_QUERY_BYTE_LIMIT`) */
  readonly mcpQueryByteLimit?: number | undefined;
  /** time limit in seconds of queries by the tool query_data of /mcp (`ENGINE_GRAPHQL_MCP_QUERY_TIME_LIMIT`) */
  readonly mcpQueryTimeLimit?: number | undefined;
  /** serve the tool describe of /mcp, which lists tables and columns of the role (`ENGINE_GRAPHQL_MCP_DESCRIBE`) */
  readonly mcpDescribe?: boolean | undefined;
  /** serve the console at /console; by default only in development mode, and without an admin secret on a loopback address (`ENGINE_GRAPHQL_ENABLE_CONSOLE`) */
  readonly enableConsole?: boolean | undefined;
  /** folder with console files that replace those of the package (`ENGINE_GRAPHQL_CONSOLE_ASSETS_DIR`) */
  readonly consoleAssetsDir?: string | undefined;
  /** name of the environment that the console shows, such as production; visible without signing in (`ENGINE_GRAPHQL_CONSOLE_LABEL`) */
  readonly consoleLabel?: string | undefined;
  /** color of the label of the console: gray, blue, green, yellow, red, purple (`ENGINE_GRAPHQL_CONSOLE_COLOR`) */
  readonly consoleColor?: string | undefined;
  /** accepted for compatibility: the engine sends no error reports (`ENGINE_CONSOLE_SENTRY_DSN`) */
  readonly consoleSentryDsn?: string | undefined;
  /** types of log lines to write, comma-separated: startup, http-log, webhook-log, websocket-log, mcp-log, query-log, execution-log, livequery-poller-log, action-handler-log, data-connector-log, jwk-refresh-log, validate-input-log (`ENGINE_GRAPHQL_ENABLED_LOG_TYPES`) */
  readonly enabledLogTypes?: string | readonly string[] | undefined;
  /** minimum level of log lines: debug, info, warn, error (`ENGINE_GRAPHQL_LOG_LEVEL`) */
  readonly logLevel?: string | undefined;
  /** json: one object per line; text: short readable lines. Default: text on a terminal, json elsewhere (`ENGINE_GRAPHQL_LOG_FORMAT`) */
  readonly logFormat?: string | undefined;
  /** GraphQL variables whose values are logged as [MASKED], comma-separated (`ENGINE_GRAPHQL_LOG_MASKED_VARIABLES`) */
  readonly logMaskedVariables?: string | readonly string[] | undefined;
  /** log complete metadata requests, without secrets, if query-log is enabled (`ENGINE_GRAPHQL_ENABLE_METADATA_QUERY_LOGGING`) */
  readonly enableMetadataQueryLogging?: boolean | undefined;
  /** include operations in http-log for failed requests only, if query-log is enabled (`ENGINE_GRAPHQL_HTTP_LOG_QUERY_ONLY_ON_ERROR`) */
  readonly httpLogQueryOnlyOnError?: boolean | undefined;
  /** show internal error details to every role (`ENGINE_GRAPHQL_DEV_MODE`) */
  readonly devMode?: boolean | undefined;
  /** show internal error details to the role admin (`ENGINE_GRAPHQL_ADMIN_INTERNAL_ERRORS`) */
  readonly adminInternalErrors?: boolean | undefined;
  /** restrict roles other than admin to operations of the allow-list (`ENGINE_GRAPHQL_ENABLE_ALLOWLIST`) */
  readonly enableAllowlist?: boolean | undefined;
  /** collections of the allow-list that apply: roles (global ones and those of the role), or global (`ENGINE_GRAPHQL_ALLOWLIST_SCOPE`) */
  readonly allowlistScope?: string | undefined;
  /** reject mutations, SQL that may write, and metadata changes (`ENGINE_GRAPHQL_ENABLE_READ_ONLY_MODE`) */
  readonly enableReadOnlyMode?: boolean | undefined;
  /** reject metadata changes, and do not migrate the tables of the metadata database (`ENGINE_GRAPHQL_ENABLE_MAINTENANCE_MODE`) */
  readonly enableMaintenanceMode?: boolean | undefined;
  /** return status 401 for failed authentication on /v1/graphql too (`ENGINE_GRAPHQL_PRESERVE_401_ERRORS`) */
  readonly preserve401Errors?: boolean | undefined;
  /** act as a subgraph of Apollo Federation, like the experimental feature apollo_federation (`ENGINE_GRAPHQL_ENABLE_APOLLO_FEDERATION`) */
  readonly enableApolloFederation?: boolean | undefined;
  /** serve the Relay API at /v1/relay and /v1beta1/relay (`ENGINE_GRAPHQL_ENABLE_RELAY`) */
  readonly enableRelay?: boolean | undefined;
  /** key for encrypting Relay ids and cursors of roles without access to all their values, at least 32 characters; default: a random key in the metadata database (`ENGINE_GRAPHQL_RELAY_ID_KEY`) */
  readonly relayIdKey?: string | undefined;
  /** features to enable, comma-separated: inherited_roles, streaming_subscriptions, optimize_permission_filters, naming_convention, apollo_federation, hide_update_many_fields, bigquery_string_numeric_input, hide_aggregation_predicates, hide_stream_fields, group_by_aggregations, disable_postgres_arrays, no_null_unbound_variable_default, remove_empty_subscription_responses, remote_joins_in_subscriptions (`ENGINE_GRAPHQL_EXPERIMENTAL_FEATURES`) */
  readonly experimentalFeatures?: string | readonly string[] | undefined;
  /** naming convention of GraphQL types and fields: engine-default, graphql-default (`ENGINE_GRAPHQL_DEFAULT_NAMING_CONVENTION`) */
  readonly defaultNamingConvention?: string | undefined;
  /** allow roles with select permission on a table to call query functions that return it (`ENGINE_GRAPHQL_INFER_FUNCTION_PERMISSIONS`) */
  readonly inferFunctionPermissions?: boolean | undefined;
  /** use database comments on tables, columns and functions as descriptions in the GraphQL schema; a deliberate difference from the original engine, which uses none since 2.51.1 (`ENGINE_GRAPHQL_INFER_DESCRIPTIONS`) */
  readonly inferDescriptions?: boolean | undefined;
  /** restrict roles to the permission documents of remote schemas; otherwise every role has full access (`ENGINE_GRAPHQL_ENABLE_REMOTE_SCHEMA_PERMISSIONS`) */
  readonly enableRemoteSchemaPermissions?: boolean | undefined;
  /** hosts and networks that the engine may call (webhooks, actions, remote schemas, authentication hooks, key sets, telemetry), comma-separated; default: all except link-local and metadata service addresses (`ENGINE_GRAPHQL_OUTBOUND_ALLOW`) */
  readonly outboundAllow?: string | readonly string[] | undefined;
  /** URL of the server that a project moves from; serves GraphQL operations over HTTP that select fields which are absent here, such as https://old.example.com; not for artifacts (`ENGINE_GRAPHQL_FALLBACK`) */
  readonly fallback?: string | undefined;
  /** if a remote server returns both data and errors, pass on the data instead of the errors (`ENGINE_GRAPHQL_REMOTE_SCHEMA_PRIORITIZE_DATA`) */
  readonly remoteSchemaPrioritizeData?: boolean | undefined;
  /** delay before an unreachable remote schema is introspected again, in milliseconds, increasing up to two minutes; 0: never (`ENGINE_GRAPHQL_REMOTE_SCHEMA_HEALING_INTERVAL`) */
  readonly remoteSchemaHealingInterval?: number | undefined;
  /** omit null arguments of remote fields from requests to remote servers (`ENGINE_GRAPHQL_REMOTE_SCHEMA_SKIP_NULLS`) */
  readonly remoteSchemaSkipNulls?: boolean | undefined;
  /** maximum number of remote relationship keys in one request to a remote server (`ENGINE_GRAPHQL_REMOTE_RELATIONSHIPS_BATCH_SIZE`) */
  readonly remoteRelationshipsBatchSize?: number | undefined;
  /** do not validate native queries against the database (`ENGINE_GRAPHQL_DISABLE_NATIVE_QUERY_VALIDATION`) */
  readonly disableNativeQueryValidation?: boolean | undefined;
  /** read the cookie of WebSocket handshakes even with --disable-cors, which lets every page open one (`ENGINE_GRAPHQL_WS_READ_COOKIE`) */
  readonly wsReadCookie?: boolean | undefined;
  /** compress WebSocket messages for clients that request it (`ENGINE_GRAPHQL_CONNECTION_COMPRESSION`) */
  readonly connectionCompression?: boolean | undefined;
  /** interval of keep-alive messages on WebSockets and event streams, in seconds; 0: none (`ENGINE_GRAPHQL_WEBSOCKET_KEEPALIVE`) */
  readonly websocketKeepalive?: number | undefined;
  /** timeout for initializing a WebSocket connection, in seconds; 0: none (`ENGINE_GRAPHQL_WEBSOCKET_CONNECTION_INIT_TIMEOUT`) */
  readonly websocketConnectionInitTimeout?: number | undefined;
  /** keep WebSockets and event streams open when the metadata changes; the variable has the opposite meaning (`ENGINE_GRAPHQL_CLOSE_WEBSOCKETS_ON_METADATA_CHANGE`) */
  readonly closeWebsocketsOnMetadataChange?: boolean | undefined;
  /** polling interval of live queries, in milliseconds (`ENGINE_GRAPHQL_LIVE_QUERIES_MULTIPLEXED_REFETCH_INTERVAL`) */
  readonly liveQueriesMultiplexedRefetchInterval?: number | undefined;
  /** maximum number of variable sets of a live query in one statement (`ENGINE_GRAPHQL_LIVE_QUERIES_MULTIPLEXED_BATCH_SIZE`) */
  readonly liveQueriesMultiplexedBatchSize?: number | undefined;
  /** sources whose tables get triggers that notify live queries instead of polling, comma-separated (`ENGINE_GRAPHQL_LIVE_QUERIES_NOTIFY`) */
  readonly liveQueriesNotify?: string | readonly string[] | undefined;
  /** polling interval of streaming subscriptions, in milliseconds (`ENGINE_GRAPHQL_STREAMING_QUERIES_MULTIPLEXED_REFETCH_INTERVAL`) */
  readonly streamingQueriesMultiplexedRefetchInterval?: number | undefined;
  /** maximum number of variable sets of a streaming subscription in one statement (`ENGINE_GRAPHQL_STREAMING_QUERIES_MULTIPLEXED_BATCH_SIZE`) */
  readonly streamingQueriesMultiplexedBatchSize?: number | undefined;
  /** deliver a row of a stream only after all transactions that were open when it was written have ended; by default except those that stay open for 10 seconds, and except on SQL Server without a rowversion column (`ENGINE_GRAPHQL_STREAMING_QUERIES_HOLD_BACK`) */
  readonly streamingQueriesHoldBack?: boolean | undefined;
  /** maximum number of concurrent event deliveries (`ENGINE_GRAPHQL_EVENTS_HTTP_POOL_SIZE`) */
  readonly eventsHttpPoolSize?: number | undefined;
  /** maximum polling interval for events, in milliseconds (`ENGINE_GRAPHQL_EVENTS_FETCH_INTERVAL`) */
  readonly eventsFetchInterval?: number | undefined;
  /** maximum number of events taken in one batch; 0: deliver none (`ENGINE_GRAPHQL_EVENTS_FETCH_BATCH_SIZE`) */
  readonly eventsFetchBatchSize?: number | undefined;
  /** maximum number of bytes of a webhook response stored in the invocation log; the rest is not read (`ENGINE_GRAPHQL_EVENTS_STORED_RESPONSE_BYTES`) */
  readonly eventsStoredResponseBytes?: number | undefined;
  /** deliver no events, scheduled events or asynchronous actions (`ENGINE_GRAPHQL_DISABLE_EVENTING`) */
  readonly disableEventing?: boolean | undefined;
  /** record events and generate scheduled events, but leave their delivery to other instances (`ENGINE_GRAPHQL_DISABLE_EVENT_PROCESSING`) */
  readonly disableEventProcessing?: boolean | undefined;
  /** omit payloads and responses of event triggers from the log (`ENGINE_GRAPHQL_REDACT_EVENT_TRIGGER_LOGS`) */
  readonly redactEventTriggerLogs?: boolean | undefined;
  /** omit payloads and responses of cron triggers and one-off events from the log (`ENGINE_GRAPHQL_REDACT_SCHEDULED_TRIGGER_LOGS`) */
  readonly redactScheduledTriggerLogs?: boolean | undefined;
  /** age in hours at which ended one-off events and their invocation logs are deleted; 0: never (`ENGINE_GRAPHQL_SCHEDULED_EVENTS_CLEAR_OLDER_THAN`) */
  readonly scheduledEventsClearOlderThan?: number | undefined;
  /** maximum polling interval for asynchronous action calls, in milliseconds; 0: make none (`ENGINE_GRAPHQL_ASYNC_ACTIONS_FETCH_INTERVAL`) */
  readonly asyncActionsFetchInterval?: number | undefined;
  /** maximum number of asynchronous action calls taken in one batch; 0: make none (`ENGINE_GRAPHQL_ASYNC_ACTIONS_FETCH_BATCH_SIZE`) */
  readonly asyncActionsFetchBatchSize?: number | undefined;
  /** age in hours at which ended asynchronous action calls are deleted; 0: never (`ENGINE_GRAPHQL_ACTION_LOG_CLEAR_OLDER_THAN`) */
  readonly actionLogClearOlderThan?: number | undefined;
  /** maximum number of asynchronous action calls deleted by one statement (`ENGINE_GRAPHQL_ACTION_LOG_CLEAR_BATCH_SIZE`) */
  readonly actionLogClearBatchSize?: number | undefined;
  /** interval between deletions of asynchronous action calls, in seconds (`ENGINE_GRAPHQL_ACTION_LOG_CLEAR_INTERVAL`) */
  readonly actionLogClearInterval?: number | undefined;
  /** omit requests to action handlers from the log (`ENGINE_GRAPHQL_REDACT_ACTION_HANDLER_LOGS`) */
  readonly redactActionHandlerLogs?: boolean | undefined;
  /** log failed deliveries as errors (`ENGINE_GRAPHQL_ENABLE_TRIGGERS_ERROR_LOG_LEVEL`) */
  readonly enableTriggersErrorLogLevel?: boolean | undefined;
  /** accepted for compatibility: the metadata database needs no extensions (`ENGINE_GRAPHQL_METADATA_DATABASE_EXTENSIONS_SCHEMA`) */
  readonly metadataDatabaseExtensionsSchema?: string | undefined;
  /** metadata whose `backend_configs` are merged below those of the stored metadata; exported, but not stored (`ENGINE_GRAPHQL_METADATA_DEFAULTS`) */
  readonly metadataDefaults?: string | object | undefined;
  /** number of the last metadata changes that are stored with their previous content; 0: none (`ENGINE_GRAPHQL_METADATA_HISTORY_SIZE`) */
  readonly metadataHistorySize?: number | undefined;
  /** age in days at which entries of the audit log are deleted from the metadata database; 0: never (`ENGINE_GRAPHQL_AUDIT_LOG_RETENTION`) */
  readonly auditLogRetention?: number | undefined;
  /** maximum wait for work in progress at shutdown, in seconds; running statements are then cancelled (`ENGINE_GRAPHQL_GRACEFUL_SHUTDOWN_TIMEOUT`) */
  readonly gracefulShutdownTimeout?: number | undefined;
  /** maximum size of request headers, in bytes (`ENGINE_GRAPHQL_MAX_TOTAL_HEADER_LENGTH`) */
  readonly maxTotalHeaderLength?: number | undefined;
  /** maximum size of a request body or WebSocket message from roles other than admin, in bytes (`ENGINE_GRAPHQL_MAX_BODY_BYTES`) */
  readonly maxBodyBytes?: number | undefined;
  /** maximum size of a request body from the role admin, whose metadata and SQL can be long, in bytes (`ENGINE_GRAPHQL_ADMIN_MAX_BODY_BYTES`) */
  readonly adminMaxBodyBytes?: number | undefined;
  /** maximum size of a request body or WebSocket message from the role of --unauthorized-role, in bytes (`ENGINE_GRAPHQL_UNAUTHORIZED_MAX_BODY_BYTES`) */
  readonly unauthorizedMaxBodyBytes?: number | undefined;
  /** maximum size of a body that is read before authentication, for the authentication webhook, in bytes (`ENGINE_GRAPHQL_AUTH_HOOK_MAX_BODY_BYTES`) */
  readonly authHookMaxBodyBytes?: number | undefined;
  /** maximum size of a body with files, in bytes; the role of --unauthorized-role has its own limit (`ENGINE_GRAPHQL_MAX_UPLOAD_BYTES`) */
  readonly maxUploadBytes?: number | undefined;
  /** maximum size of one file, in bytes (`ENGINE_GRAPHQL_MAX_UPLOAD_FILE_BYTES`) */
  readonly maxUploadFileBytes?: number | undefined;
  /** maximum number of files in a request; 0: uploads are rejected (`ENGINE_GRAPHQL_MAX_UPLOAD_FILES`) */
  readonly maxUploadFiles?: number | undefined;
  /** maximum total size of all responses longer than 64 KiB, from the arrival of their rows until clients have read them, in bytes; above it, rows wait and the slowest clients are disconnected. Also the limit for the joins of one request (`ENGINE_GRAPHQL_MAX_BUFFERED_RESPONSE_BYTES`) */
  readonly maxBufferedResponseBytes?: number | undefined;
  /** maximum total size of all bodies longer than 64 KiB held in memory, in bytes; further ones are rejected with status 503 (`ENGINE_GRAPHQL_MAX_BUFFERED_BODY_BYTES`) */
  readonly maxBufferedBodyBytes?: number | undefined;
  /** polling interval for metadata changes of other instances, in milliseconds; 0: never (`ENGINE_GRAPHQL_SCHEMA_SYNC_POLL_INTERVAL`) */
  readonly schemaSyncPollInterval?: number | undefined;
  /** accepted for compatibility: automatic persisted queries are not supported (`ENGINE_GRAPHQL_ENABLE_PERSISTED_QUERIES`) */
  readonly enablePersistedQueries?: boolean | undefined;
  /** accepted for compatibility: automatic persisted queries are not supported (`ENGINE_GRAPHQL_PERSISTED_QUERIES_TTL`) */
  readonly persistedQueriesTtl?: number | undefined;
  /** maximum number of cached query plans (`ENGINE_GRAPHQL_QUERY_PLAN_CACHE_SIZE`) */
  readonly queryPlanCacheSize?: number | undefined;
  /** Redis server for responses of queries with @cached and for rate limits shared by all instances, redis:// or rediss://; default: each instance uses its own memory (`ENGINE_GRAPHQL_REDIS_URL`) */
  readonly redisUrl?: string | undefined;
  /** maximum memory for responses of queries with @cached without --redis-url, in bytes; 0: disable caching, also in Redis (`ENGINE_GRAPHQL_CACHE_MAX_BYTES`) */
  readonly cacheMaxBytes?: number | undefined;
  /** maximum size of a cached response of a query with @cached, in megabytes (`ENGINE_GRAPHQL_CACHE_MAX_ENTRY_SIZE`) */
  readonly cacheMaxEntrySize?: number | undefined;
  /** maximum time to live of a cached response of a query with @cached, in seconds (`ENGINE_GRAPHQL_CACHE_MAX_ENTRY_TTL`) */
  readonly cacheMaxEntryTtl?: number | undefined;
  /** accepted for compatibility: the engine sends no usage data (`ENGINE_GRAPHQL_ENABLE_TELEMETRY`) */
  readonly enableTelemetry?: boolean | undefined;
  /** bearer token for /v1/metrics; without one, only administrators have access (`ENGINE_GRAPHQL_METRICS_SECRET`) */
  readonly metricsSecret?: string | undefined;
  /** label metrics with the names of operations and triggers (`ENGINE_GRAPHQL_METRICS_ENABLE_HIGH_CARDINALITY_LABELS`) */
  readonly metricsEnableHighCardinalityLabels?: boolean | undefined;
  /** include the text of GraphQL operations and SQL statements in spans (`ENGINE_GRAPHQL_ENABLE_QUERY_TRACING`) */
  readonly enableQueryTracing?: boolean | undefined;
  /** fraction of new traces that are exported, from 0 to 1; traces of clients follow their sampling decision (`ENGINE_GRAPHQL_TRACES_SAMPLE_RATIO`) */
  readonly tracesSampleRatio?: number | undefined;
  /** add attributes of spans under the names that they had before OpenTelemetry's current conventions (`ENGINE_GRAPHQL_TRACES_OLD_ATTRIBUTES`) */
  readonly tracesOldAttributes?: boolean | undefined;
  /** folder that contains all `dynamic_from_file` secrets, after resolving symbolic links; or the only allowed file (`ENGINE_GRAPHQL_DYNAMIC_SECRETS_ALLOWED_PATH_PREFIX`) */
  readonly dynamicSecretsAllowedPathPrefix?: string | undefined;
}
