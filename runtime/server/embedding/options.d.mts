/** The options of the server as `engine.config.ts` sets them. Generated from the table of options: `npm run golden`. */
export interface EngineOptions {
  /** PostgreSQL URL of the source `default`; also holds the metadata unless --metadata-database-url is given (`ENGINE_GRAPHQL_DATABASE_URL`) */
  readonly databaseUrl?: string | undefined;
  /** PostgreSQL URL of the database that holds the metadata (`ENGINE_GRAPHQL_METADATA_DATABASE_URL`) */
  readonly metadataDatabaseUrl?: string | undefined;
  /** data of the embedded PostgreSQL, which runs when no database URL is given (`ENGINE_GRAPHQL_DATA_DIR`) */
  readonly dataDir?: string | undefined;
  /** let SQL of administrators become the superuser of the embedded PostgreSQL, with `set role engine_superuser` (`ENGINE_GRAPHQL_EMBEDDED_SUPERUSER`) */
  readonly embeddedSuperuser?: boolean | undefined;
  /** attempts to connect to the metadata database (`ENGINE_GRAPHQL_NO_OF_RETRIES`) */
  readonly noOfRetries?: number | undefined;
  /** processes that serve on the same port; auto: as many as there are cores (`ENGINE_GRAPHQL_WORKERS`) */
  readonly workers?: number | string | undefined;
  /** port to listen on (`ENGINE_GRAPHQL_SERVER_PORT`) */
  readonly serverPort?: number | undefined;
  /** address to listen on; * for all; auto: all with an admin secret, this machine only (localhost) without (`ENGINE_GRAPHQL_SERVER_HOST`) */
  readonly serverHost?: string | undefined;
  /** time within which a client has to send the head of a request, in seconds (`ENGINE_GRAPHQL_SERVER_TIMEOUT`) */
  readonly serverTimeout?: number | undefined;
  /** time within which the body of a request has to arrive after its head, in seconds; --body-least-rate adds to it (`ENGINE_GRAPHQL_BODY_TIMEOUT`) */
  readonly bodyTimeout?: number | undefined;
  /** bytes of a body that extend --body-timeout by a second; 0: none do (`ENGINE_GRAPHQL_BODY_LEAST_RATE`) */
  readonly bodyLeastRate?: number | undefined;
  /** accepted for compatibility: a source has one pool, of --connections (`ENGINE_GRAPHQL_PG_STRIPES`) */
  readonly pgStripes?: number | undefined;
  /** most connections to the metadata database, and to the source `default` of --database-url (`ENGINE_GRAPHQL_PG_CONNECTIONS`) */
  readonly pgConnections?: number | undefined;
  /** time after which an idle database connection is closed, in seconds (`ENGINE_GRAPHQL_PG_TIMEOUT`) */
  readonly pgTimeout?: number | undefined;
  /** time after which a database connection is replaced, in seconds; 0 for never (`ENGINE_GRAPHQL_PG_CONN_LIFETIME`) */
  readonly pgConnLifetime?: number | undefined;
  /** longest wait for a free database connection, in seconds; 30 unless given, 0 for ever (`ENGINE_GRAPHQL_PG_POOL_TIMEOUT`) */
  readonly pgPoolTimeout?: number | undefined;
  /** prepare statements on the database; turn off behind a pooler in transaction mode (`ENGINE_GRAPHQL_USE_PREPARED_STATEMENTS`) */
  readonly usePreparedStatements?: boolean | undefined;
  /** isolation level of transactions: read-committed, repeatable-read, serializable (`ENGINE_GRAPHQL_TX_ISOLATION`) */
  readonly txIsolation?: string | undefined;
  /** secret that gives administrator access; without one every request is an administrator's (`ENGINE_GRAPHQL_ADMIN_SECRET`) */
  readonly adminSecret?: string | undefined;
  /** `engine start` without an admin secret makes one, shows it once and keeps it beside --data-dir (`ENGINE_GRAPHQL_MAKE_ADMIN_SECRET`) */
  readonly makeAdminSecret?: boolean | undefined;
  /** listen on other addresses than those of this machine without an admin secret: every client is an administrator (`ENGINE_GRAPHQL_INSECURE_NO_SECRET`) */
  readonly insecureNoSecret?: boolean | undefined;
  /** older name of --admin-secret, which wins over it (`ENGINE_GRAPHQL_ACCESS_KEY`) */
  readonly accessKey?: string | undefined;
  /** further admin secrets, a JSON array of strings (`ENGINE_GRAPHQL_ADMIN_SECRETS`) */
  readonly adminSecrets?: string | object | undefined;
  /** URL of the webhook that tells role and session variables of a request (`ENGINE_GRAPHQL_AUTH_HOOK`) */
  readonly authHook?: string | undefined;
  /** how the authentication webhook is called: GET, POST (`ENGINE_GRAPHQL_AUTH_HOOK_MODE`) */
  readonly authHookMode?: string | undefined;
  /** send GraphQL operations to the authentication webhook, when it is called with POST (`ENGINE_GRAPHQL_AUTH_HOOK_SEND_REQUEST_BODY`) */
  readonly authHookSendRequestBody?: boolean | undefined;
  /** which JSON Web Tokens to accept, a JSON object with their key or its URL (`ENGINE_GRAPHQL_JWT_SECRET`) */
  readonly jwtSecret?: string | object | undefined;
  /** further kinds of tokens to accept, a JSON array of such objects (`ENGINE_GRAPHQL_JWT_SECRETS`) */
  readonly jwtSecrets?: string | object | undefined;
  /** role of requests without credentials (`ENGINE_GRAPHQL_UNAUTHORIZED_ROLE`) */
  readonly unauthorizedRole?: string | undefined;
  /** another prefix of session variables and secrets that is taken for ours, such as X-Hasura-=X-Engine- (`ENGINE_GRAPHQL_HEADER_ALIAS`) */
  readonly headerAlias?: string | undefined;
  /** depth limit of the unauthorized role where api_limits of the metadata names none for it; 0 for none (`ENGINE_GRAPHQL_UNAUTHORIZED_DEPTH_LIMIT`) */
  readonly unauthorizedDepthLimit?: number | undefined;
  /** node limit of the unauthorized role where api_limits of the metadata names none for it; 0 for none (`ENGINE_GRAPHQL_UNAUTHORIZED_NODE_LIMIT`) */
  readonly unauthorizedNodeLimit?: number | undefined;
  /** time limit of the unauthorized role where api_limits of the metadata names none for it, in seconds; 0 for none (`ENGINE_GRAPHQL_UNAUTHORIZED_TIME_LIMIT`) */
  readonly unauthorizedTimeLimit?: number | undefined;
  /** batch limit of the unauthorized role where api_limits of the metadata names none for it; 0 for none (`ENGINE_GRAPHQL_UNAUTHORIZED_BATCH_LIMIT`) */
  readonly unauthorizedBatchLimit?: number | undefined;
  /** browser origins that may call, comma separated, one wildcard label allowed in front (https://*.example.com); others are refused, except that * allows all origins where there is an admin secret (`ENGINE_GRAPHQL_CORS_DOMAIN`) */
  readonly corsDomain?: string | readonly string[] | undefined;
  /** send no CORS headers (`ENGINE_GRAPHQL_DISABLE_CORS`) */
  readonly disableCors?: boolean | undefined;
  /** answer bigint, numeric and double precision values as strings (`ENGINE_GRAPHQL_STRINGIFY_NUMERIC_TYPES`) */
  readonly stringifyNumericTypes?: boolean | undefined;
  /** Headers of the metadata win over those of the client in calls of webhooks (`ENGINE_GRAPHQL_CONFIGURED_HEADER_PRECEDENCE`) */
  readonly configuredHeaderPrecedence?: boolean | undefined;
  /** take a null in `where` as true (`ENGINE_GRAPHQL_V1_BOOLEAN_NULL_COLLAPSE`) */
  readonly v1BooleanNullCollapse?: boolean | undefined;
  /** accept null for variables of non-nullable types (`ENGINE_GRAPHQL_BACKWARDS_COMPAT_NULL_IN_NONNULLABLE_VARIABLES`) */
  readonly backwardsCompatNullInNonnullableVariables?: boolean | undefined;
  /** what REST endpoints answer: what /v1/graphql does, or the value of its `data` alone (`ENGINE_GRAPHQL_REST_RESPONSE`) */
  readonly restResponse?: string | undefined;
  /** groups of endpoints to serve, comma separated: metadata, graphql, pgdump, config, developer, metrics (`ENGINE_GRAPHQL_ENABLED_APIS`) */
  readonly enabledApis?: string | readonly string[] | undefined;
  /** whether a console is served at /console; unless given, on in development mode, and without an admin secret on a loopback address (`ENGINE_GRAPHQL_ENABLE_CONSOLE`) */
  readonly enableConsole?: boolean | undefined;
  /** folder with the files of the console, to use in place of those of the package (`ENGINE_GRAPHQL_CONSOLE_ASSETS_DIR`) */
  readonly consoleAssetsDir?: string | undefined;
  /** accepted for compatibility: nothing is ever reported (`ENGINE_CONSOLE_SENTRY_DSN`) */
  readonly consoleSentryDsn?: string | undefined;
  /** types of log lines to write, comma separated: startup, http-log, webhook-log, websocket-log, query-log, execution-log, livequery-poller-log, action-handler-log, data-connector-log, jwk-refresh-log, validate-input-log (`ENGINE_GRAPHQL_ENABLED_LOG_TYPES`) */
  readonly enabledLogTypes?: string | readonly string[] | undefined;
  /** least level of log lines to write: debug, info, warn, error (`ENGINE_GRAPHQL_LOG_LEVEL`) */
  readonly logLevel?: string | undefined;
  /** json: one object per line; text: short readable lines. Unless given, text on a terminal and json elsewhere (`ENGINE_GRAPHQL_LOG_FORMAT`) */
  readonly logFormat?: string | undefined;
  /** GraphQL variables whose values the log shows as [MASKED], comma separated (`ENGINE_GRAPHQL_LOG_MASKED_VARIABLES`) */
  readonly logMaskedVariables?: string | readonly string[] | undefined;
  /** log requests for metadata as a whole, without secrets, where query-log is among the log types (`ENGINE_GRAPHQL_ENABLE_METADATA_QUERY_LOGGING`) */
  readonly enableMetadataQueryLogging?: boolean | undefined;
  /** where query-log is among the log types, http-log shows the operations of failed requests only (`ENGINE_GRAPHQL_HTTP_LOG_QUERY_ONLY_ON_ERROR`) */
  readonly httpLogQueryOnlyOnError?: boolean | undefined;
  /** show the internal details of errors to every role (`ENGINE_GRAPHQL_DEV_MODE`) */
  readonly devMode?: boolean | undefined;
  /** show the internal details of errors to the role admin (`ENGINE_GRAPHQL_ADMIN_INTERNAL_ERRORS`) */
  readonly adminInternalErrors?: boolean | undefined;
  /** roles other than admin may send the operations of the allow-list only (`ENGINE_GRAPHQL_ENABLE_ALLOWLIST`) */
  readonly enableAllowlist?: boolean | undefined;
  /** which collections of the allow-list count: roles (those for all and those of single roles), or global (`ENGINE_GRAPHQL_ALLOWLIST_SCOPE`) */
  readonly allowlistScope?: string | undefined;
  /** refuse mutations, SQL that may write, and changes of the metadata (`ENGINE_GRAPHQL_ENABLE_READ_ONLY_MODE`) */
  readonly enableReadOnlyMode?: boolean | undefined;
  /** refuse changes of the metadata, and leave the tables of the metadata database as they are (`ENGINE_GRAPHQL_ENABLE_MAINTENANCE_MODE`) */
  readonly enableMaintenanceMode?: boolean | undefined;
  /** answer failed authentication with status 401 on /v1/graphql too (`ENGINE_GRAPHQL_PRESERVE_401_ERRORS`) */
  readonly preserve401Errors?: boolean | undefined;
  /** be a subgraph of Apollo federation, like the experimental feature apollo_federation (`ENGINE_GRAPHQL_ENABLE_APOLLO_FEDERATION`) */
  readonly enableApolloFederation?: boolean | undefined;
  /** serve the Relay API at /v1/relay and /v1beta1/relay (`ENGINE_GRAPHQL_ENABLE_RELAY`) */
  readonly enableRelay?: boolean | undefined;
  /** key that encrypts Relay ids and cursors of roles that may not read all values in them, at least 32 characters; without one, a random key in the metadata database (`ENGINE_GRAPHQL_RELAY_ID_KEY`) */
  readonly relayIdKey?: string | undefined;
  /** features to switch on, comma separated: inherited_roles, streaming_subscriptions, optimize_permission_filters, naming_convention, apollo_federation, hide_update_many_fields, bigquery_string_numeric_input, hide_aggregation_predicates, hide_stream_fields, group_by_aggregations, disable_postgres_arrays, no_null_unbound_variable_default, remove_empty_subscription_responses, remote_joins_in_subscriptions (`ENGINE_GRAPHQL_EXPERIMENTAL_FEATURES`) */
  readonly experimentalFeatures?: string | readonly string[] | undefined;
  /** naming of GraphQL types and fields: engine-default, graphql-default (`ENGINE_GRAPHQL_DEFAULT_NAMING_CONVENTION`) */
  readonly defaultNamingConvention?: string | undefined;
  /** a role that may select from a table may call the query functions that return it (`ENGINE_GRAPHQL_INFER_FUNCTION_PERMISSIONS`) */
  readonly inferFunctionPermissions?: boolean | undefined;
  /** comments of tables, columns and functions in the database describe them in the GraphQL schema (`ENGINE_GRAPHQL_INFER_DESCRIPTIONS`) */
  readonly inferDescriptions?: boolean | undefined;
  /** a role may use of remote schemas what its permission documents say; else every role may use all (`ENGINE_GRAPHQL_ENABLE_REMOTE_SCHEMA_PERMISSIONS`) */
  readonly enableRemoteSchemaPermissions?: boolean | undefined;
  /** hosts and networks that the engine may call (webhooks, actions, remote schemas, authentication hooks, key sets, telemetry), comma separated; unless given, all but link-local addresses and those of metadata services (`ENGINE_GRAPHQL_OUTBOUND_ALLOW`) */
  readonly outboundAllow?: string | readonly string[] | undefined;
  /** of a remote server that answers with data and errors, the data is passed on; else the errors (`ENGINE_GRAPHQL_REMOTE_SCHEMA_PRIORITIZE_DATA`) */
  readonly remoteSchemaPrioritizeData?: boolean | undefined;
  /** how soon a remote server that did not answer is asked again what it offers, in milliseconds, then ever later up to two minutes; 0 for never (`ENGINE_GRAPHQL_REMOTE_SCHEMA_HEALING_INTERVAL`) */
  readonly remoteSchemaHealingInterval?: number | undefined;
  /** arguments of remote fields that are null are not sent to the remote server (`ENGINE_GRAPHQL_REMOTE_SCHEMA_SKIP_NULLS`) */
  readonly remoteSchemaSkipNulls?: boolean | undefined;
  /** so many keys of remote relationships are asked for in one request to a remote server (`ENGINE_GRAPHQL_REMOTE_RELATIONSHIPS_BATCH_SIZE`) */
  readonly remoteRelationshipsBatchSize?: number | undefined;
  /** do not ask databases whether they understand native queries (`ENGINE_GRAPHQL_DISABLE_NATIVE_QUERY_VALIDATION`) */
  readonly disableNativeQueryValidation?: boolean | undefined;
  /** read the cookie of WebSocket handshakes although --disable-cors lets every page open one (`ENGINE_GRAPHQL_WS_READ_COOKIE`) */
  readonly wsReadCookie?: boolean | undefined;
  /** compress WebSocket messages for clients that ask for it (`ENGINE_GRAPHQL_CONNECTION_COMPRESSION`) */
  readonly connectionCompression?: boolean | undefined;
  /** time between keep-alive messages on a WebSocket or event stream, in seconds; 0 for none (`ENGINE_GRAPHQL_WEBSOCKET_KEEPALIVE`) */
  readonly websocketKeepalive?: number | undefined;
  /** time within which a client has to initialise its WebSocket, in seconds; 0 for any (`ENGINE_GRAPHQL_WEBSOCKET_CONNECTION_INIT_TIMEOUT`) */
  readonly websocketConnectionInitTimeout?: number | undefined;
  /** keep WebSockets and event streams open when the metadata changes; the variable says whether to close them (`ENGINE_GRAPHQL_CLOSE_WEBSOCKETS_ON_METADATA_CHANGE`) */
  readonly closeWebsocketsOnMetadataChange?: boolean | undefined;
  /** time between the polls of a live query, in milliseconds (`ENGINE_GRAPHQL_LIVE_QUERIES_MULTIPLEXED_REFETCH_INTERVAL`) */
  readonly liveQueriesMultiplexedRefetchInterval?: number | undefined;
  /** so many sets of variables of a live query are asked for in one statement (`ENGINE_GRAPHQL_LIVE_QUERIES_MULTIPLEXED_BATCH_SIZE`) */
  readonly liveQueriesMultiplexedBatchSize?: number | undefined;
  /** names of sources, separated by commas, whose tables get triggers that wake live queries in place of polling (`ENGINE_GRAPHQL_LIVE_QUERIES_NOTIFY`) */
  readonly liveQueriesNotify?: string | readonly string[] | undefined;
  /** time between the polls of a streaming subscription, in milliseconds (`ENGINE_GRAPHQL_STREAMING_QUERIES_MULTIPLEXED_REFETCH_INTERVAL`) */
  readonly streamingQueriesMultiplexedRefetchInterval?: number | undefined;
  /** so many sets of variables of a streaming subscription are asked for in one statement (`ENGINE_GRAPHQL_STREAMING_QUERIES_MULTIPLEXED_BATCH_SIZE`) */
  readonly streamingQueriesMultiplexedBatchSize?: number | undefined;
  /** deliver a row of a stream when all transactions that were open when it was written have ended (`ENGINE_GRAPHQL_STREAMING_QUERIES_HOLD_BACK`) */
  readonly streamingQueriesHoldBack?: boolean | undefined;
  /** most deliveries of events at a time (`ENGINE_GRAPHQL_EVENTS_HTTP_POOL_SIZE`) */
  readonly eventsHttpPoolSize?: number | undefined;
  /** longest time between two looks for events, in milliseconds (`ENGINE_GRAPHQL_EVENTS_FETCH_INTERVAL`) */
  readonly eventsFetchInterval?: number | undefined;
  /** most events that are taken at once; 0 to deliver none (`ENGINE_GRAPHQL_EVENTS_FETCH_BATCH_SIZE`) */
  readonly eventsFetchBatchSize?: number | undefined;
  /** most bytes of a webhook's answer that are stored in the log of invocations; the rest is not read (`ENGINE_GRAPHQL_EVENTS_STORED_RESPONSE_BYTES`) */
  readonly eventsStoredResponseBytes?: number | undefined;
  /** deliver no events, scheduled events or asynchronous actions (`ENGINE_GRAPHQL_DISABLE_EVENTING`) */
  readonly disableEventing?: boolean | undefined;
  /** record events and generate scheduled ones, but leave their delivery to other instances (`ENGINE_GRAPHQL_DISABLE_EVENT_PROCESSING`) */
  readonly disableEventProcessing?: boolean | undefined;
  /** leave payloads and answers of event triggers out of the log (`ENGINE_GRAPHQL_REDACT_EVENT_TRIGGER_LOGS`) */
  readonly redactEventTriggerLogs?: boolean | undefined;
  /** leave payloads and answers of cron triggers and one-off events out of the log (`ENGINE_GRAPHQL_REDACT_SCHEDULED_TRIGGER_LOGS`) */
  readonly redactScheduledTriggerLogs?: boolean | undefined;
  /** hours after which one-off events that have ended are deleted, with their invocation logs; 0 keeps them (`ENGINE_GRAPHQL_SCHEDULED_EVENTS_CLEAR_OLDER_THAN`) */
  readonly scheduledEventsClearOlderThan?: number | undefined;
  /** longest time between two looks for calls of asynchronous actions, in milliseconds; 0 to make none (`ENGINE_GRAPHQL_ASYNC_ACTIONS_FETCH_INTERVAL`) */
  readonly asyncActionsFetchInterval?: number | undefined;
  /** most calls of asynchronous actions that are taken at once; 0 to make none (`ENGINE_GRAPHQL_ASYNC_ACTIONS_FETCH_BATCH_SIZE`) */
  readonly asyncActionsFetchBatchSize?: number | undefined;
  /** hours after which calls of asynchronous actions that have ended are deleted; 0 keeps them (`ENGINE_GRAPHQL_ACTION_LOG_CLEAR_OLDER_THAN`) */
  readonly actionLogClearOlderThan?: number | undefined;
  /** most calls of asynchronous actions that one statement deletes (`ENGINE_GRAPHQL_ACTION_LOG_CLEAR_BATCH_SIZE`) */
  readonly actionLogClearBatchSize?: number | undefined;
  /** time from one deletion of calls of asynchronous actions to the next, in seconds (`ENGINE_GRAPHQL_ACTION_LOG_CLEAR_INTERVAL`) */
  readonly actionLogClearInterval?: number | undefined;
  /** leave what handlers of actions are asked out of the log (`ENGINE_GRAPHQL_REDACT_ACTION_HANDLER_LOGS`) */
  readonly redactActionHandlerLogs?: boolean | undefined;
  /** log failed deliveries as errors (`ENGINE_GRAPHQL_ENABLE_TRIGGERS_ERROR_LOG_LEVEL`) */
  readonly enableTriggersErrorLogLevel?: boolean | undefined;
  /** accepted for compatibility: the metadata database needs no extension (`ENGINE_GRAPHQL_METADATA_DATABASE_EXTENSIONS_SCHEMA`) */
  readonly metadataDatabaseExtensionsSchema?: string | undefined;
  /** metadata with `backend_configs`, joined with those of the metadata, which win; they are exported, but not stored (`ENGINE_GRAPHQL_METADATA_DEFAULTS`) */
  readonly metadataDefaults?: string | object | undefined;
  /** longest wait for work in progress at shutdown, in seconds; what still runs then is cancelled in the database (`ENGINE_GRAPHQL_GRACEFUL_SHUTDOWN_TIMEOUT`) */
  readonly gracefulShutdownTimeout?: number | undefined;
  /** most bytes that the headers of a request may have (`ENGINE_GRAPHQL_MAX_TOTAL_HEADER_LENGTH`) */
  readonly maxTotalHeaderLength?: number | undefined;
  /** most bytes of a body or a WebSocket message from roles other than admin (`ENGINE_GRAPHQL_MAX_BODY_BYTES`) */
  readonly maxBodyBytes?: number | undefined;
  /** most bytes of a body from the role admin, whose metadata and SQL can be long (`ENGINE_GRAPHQL_ADMIN_MAX_BODY_BYTES`) */
  readonly adminMaxBodyBytes?: number | undefined;
  /** most bytes of a body or a WebSocket message from the role of --unauthorized-role (`ENGINE_GRAPHQL_UNAUTHORIZED_MAX_BODY_BYTES`) */
  readonly unauthorizedMaxBodyBytes?: number | undefined;
  /** most bytes of a body that is read before authentication, to send it to the authentication webhook (`ENGINE_GRAPHQL_AUTH_HOOK_MAX_BODY_BYTES`) */
  readonly authHookMaxBodyBytes?: number | undefined;
  /** most bytes of a body with files; the role of --unauthorized-role has its own limit (`ENGINE_GRAPHQL_MAX_UPLOAD_BYTES`) */
  readonly maxUploadBytes?: number | undefined;
  /** most bytes of one file (`ENGINE_GRAPHQL_MAX_UPLOAD_FILE_BYTES`) */
  readonly maxUploadFileBytes?: number | undefined;
  /** most files of a request; 0: none are taken (`ENGINE_GRAPHQL_MAX_UPLOAD_FILES`) */
  readonly maxUploadFiles?: number | undefined;
  /** most bytes of all answers longer than 64 KiB, from the arrival of their rows until clients have read them; beyond it rows wait, and the slowest clients are closed; one request may join no more than this (`ENGINE_GRAPHQL_MAX_BUFFERED_RESPONSE_BYTES`) */
  readonly maxBufferedResponseBytes?: number | undefined;
  /** most bytes of all bodies longer than 64 KiB that are held at a time; further ones are answered with 503 (`ENGINE_GRAPHQL_MAX_BUFFERED_BODY_BYTES`) */
  readonly maxBufferedBodyBytes?: number | undefined;
  /** how often to look for metadata changes of other instances, in milliseconds; 0 for never (`ENGINE_GRAPHQL_SCHEMA_SYNC_POLL_INTERVAL`) */
  readonly schemaSyncPollInterval?: number | undefined;
  /** accepted for compatibility: automatic persisted queries are not offered (`ENGINE_GRAPHQL_ENABLE_PERSISTED_QUERIES`) */
  readonly enablePersistedQueries?: boolean | undefined;
  /** accepted for compatibility: automatic persisted queries are not offered (`ENGINE_GRAPHQL_PERSISTED_QUERIES_TTL`) */
  readonly persistedQueriesTtl?: number | undefined;
  /** most query plans to keep (`ENGINE_GRAPHQL_QUERY_PLAN_CACHE_SIZE`) */
  readonly queryPlanCacheSize?: number | undefined;
  /** Redis that keeps answers of queries with @cached and counts rate limits for all instances together, redis:// or rediss://; unless given, each keeps and counts its own in memory (`ENGINE_GRAPHQL_REDIS_URL`) */
  readonly redisUrl?: string | undefined;
  /** most memory for answers of queries with @cached where there is no --redis-url, in bytes; 0 keeps none, in Redis neither (`ENGINE_GRAPHQL_CACHE_MAX_BYTES`) */
  readonly cacheMaxBytes?: number | undefined;
  /** longest answer of a query with @cached that is kept, in megabytes (`ENGINE_GRAPHQL_CACHE_MAX_ENTRY_SIZE`) */
  readonly cacheMaxEntrySize?: number | undefined;
  /** longest time for which an answer of a query with @cached is kept, in seconds (`ENGINE_GRAPHQL_CACHE_MAX_ENTRY_TTL`) */
  readonly cacheMaxEntryTtl?: number | undefined;
  /** accepted for compatibility: nothing is ever reported (`ENGINE_GRAPHQL_ENABLE_TELEMETRY`) */
  readonly enableTelemetry?: boolean | undefined;
  /** what /v1/metrics asks for as a bearer token; without one only administrators may read it (`ENGINE_GRAPHQL_METRICS_SECRET`) */
  readonly metricsSecret?: string | undefined;
  /** whether metrics tell operations and triggers apart (`ENGINE_GRAPHQL_METRICS_ENABLE_HIGH_CARDINALITY_LABELS`) */
  readonly metricsEnableHighCardinalityLabels?: boolean | undefined;
  /** put the text of GraphQL operations and SQL statements into spans (`ENGINE_GRAPHQL_ENABLE_QUERY_TRACING`) */
  readonly enableQueryTracing?: boolean | undefined;
  /** share of the traces begun here that are exported, from 0 to 1; traces of clients are as they say (`ENGINE_GRAPHQL_TRACES_SAMPLE_RATIO`) */
  readonly tracesSampleRatio?: number | undefined;
  /** folder that every `dynamic_from_file` secret must lie below, symbolic links followed; or the one file that is allowed (`ENGINE_GRAPHQL_DYNAMIC_SECRETS_ALLOWED_PATH_PREFIX`) */
  readonly dynamicSecretsAllowedPathPrefix?: string | undefined;
}
