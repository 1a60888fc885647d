/** The options of the server: one row each says where it comes from, what it may be and what it does. */

import { type CorsDomains, describeCorsDomains, parseCorsDomains } from "./cors-domains.ts";
import { httpUrl } from "./http-url.ts";
import { jwtConfig, jwtConfigList } from "./jwt/jwt-config.ts";
import { configurableLogTypes, logLevels } from "./log-types.ts";
import {
  boolean,
  bytes,
  count,
  databaseUrl,
  encryptionKey,
  listOf,
  longestText,
  milliseconds,
  negated,
  nonEmptyText,
  oneOf,
  port,
  positiveCount,
  seconds,
  secret,
  secretList,
  text,
  textBytes,
  type ValueType,
} from "./value-types.ts";

export interface OptionRow<T, D extends T | null> {
  /** Long flag with its dashes; `null`: the variable only. */
  readonly flag: string | null;
  readonly short?: string;
  /** Name of the environment variable. */
  readonly variable: string;
  readonly type: ValueType<T>;
  /** How the flag is read, where it says something else than the variable. */
  readonly flagType?: ValueType<T>;
  readonly default: D;
  /** One line for `--help`. */
  readonly doc: string;
}

const option = <T, const D extends T | null>(row: OptionRow<T, D>): OptionRow<T, D> => row;

const corsDomains: ValueType<CorsDomains> = {
  placeholder: "origins",
  parse: parseCorsDomains,
  print: (domains) => [describeCorsDomains(domains)].flat().join(","),
};

/** The names of the methods stand in upper case where they are shown. */
const hookMode: ValueType<"get" | "post"> = {
  ...oneOf("method", ["get", "post"]),
  print: (method) => method.toUpperCase(),
};

export const apiGroups = ["metadata", "graphql", "pgdump", "config", "developer", "metrics"] as const;
export type ApiGroup = (typeof apiGroups)[number];

export const isolationLevels = ["read-committed", "repeatable-read", "serializable"] as const;

/** The first two are accepted for compatibility: what they name is always on. */
export const experimentalFeatures = [
  "inherited_roles",
  "streaming_subscriptions",
  "optimize_permission_filters",
  "naming_convention",
  "apollo_federation",
  "hide_update_many_fields",
  "bigquery_string_numeric_input",
  "hide_aggregation_predicates",
  "hide_stream_fields",
  "group_by_aggregations",
  "disable_postgres_arrays",
  "no_null_unbound_variable_default",
  "remove_empty_subscription_responses",
] as const;

export const optionTable = {
  databaseUrl: option({
    flag: "--database-url",
    variable: "ENGINE_GRAPHQL_DATABASE_URL",
    type: databaseUrl,
    default: null,
    doc: "PostgreSQL URL of the source `default`; also holds the metadata unless --metadata-database-url is given",
  }),
  metadataDatabaseUrl: option({
    flag: "--metadata-database-url",
    variable: "ENGINE_GRAPHQL_METADATA_DATABASE_URL",
    type: databaseUrl,
    default: null,
    doc: "PostgreSQL URL of the database that holds the metadata",
  }),
  dataDirectory: option({
    flag: "--data-dir",
    variable: "ENGINE_GRAPHQL_DATA_DIR",
    type: nonEmptyText("folder"),
    default: ".data/postgres",
    doc: "data of the embedded PostgreSQL, which runs when no database URL is given",
  }),
  retries: option({
    flag: "--retries",
    variable: "ENGINE_GRAPHQL_NO_OF_RETRIES",
    type: count,
    default: 1,
    doc: "attempts to connect to the metadata database",
  }),
  serverPort: option({
    flag: "--server-port",
    variable: "ENGINE_GRAPHQL_SERVER_PORT",
    type: port,
    default: 8080,
    doc: "port to listen on",
  }),
  serverHost: option({
    flag: "--server-host",
    variable: "ENGINE_GRAPHQL_SERVER_HOST",
    type: nonEmptyText("host"),
    default: "*",
    doc: "address to listen on; * for all",
  }),
  serverTimeoutSeconds: option({
    flag: "--server-timeout",
    variable: "ENGINE_GRAPHQL_SERVER_TIMEOUT",
    type: seconds,
    default: 30,
    doc: "time within which a client has to send the head of a request, in seconds",
  }),
  connections: option({
    flag: "--connections",
    short: "-c",
    variable: "ENGINE_GRAPHQL_PG_CONNECTIONS",
    type: positiveCount,
    default: 50,
    doc: "most connections to the metadata database, and to the source `default` of --database-url",
  }),
  idleTimeoutSeconds: option({
    flag: "--timeout",
    variable: "ENGINE_GRAPHQL_PG_TIMEOUT",
    type: seconds,
    default: 180,
    doc: "time after which an idle database connection is closed, in seconds",
  }),
  connectionLifetimeSeconds: option({
    flag: "--conn-lifetime",
    variable: "ENGINE_GRAPHQL_PG_CONN_LIFETIME",
    type: seconds,
    default: 600,
    doc: "time after which a database connection is replaced, in seconds; 0 for never",
  }),
  poolTimeoutSeconds: option({
    flag: "--pool-timeout",
    variable: "ENGINE_GRAPHQL_PG_POOL_TIMEOUT",
    type: seconds,
    default: null,
    doc: "longest wait for a free database connection, in seconds; 30 unless given, 0 for ever",
  }),
  usePreparedStatements: option({
    flag: "--use-prepared-statements",
    variable: "ENGINE_GRAPHQL_USE_PREPARED_STATEMENTS",
    type: boolean,
    default: true,
    doc: "prepare statements on the database; turn off behind a pooler in transaction mode",
  }),
  isolationLevel: option({
    flag: "--tx-iso",
    short: "-i",
    variable: "ENGINE_GRAPHQL_TX_ISOLATION",
    type: oneOf("level", isolationLevels),
    default: "read-committed",
    doc: `isolation level of transactions: ${isolationLevels.join(", ")}`,
  }),
  adminSecret: option({
    flag: "--admin-secret",
    variable: "ENGINE_GRAPHQL_ADMIN_SECRET",
    type: secret("secret"),
    default: null,
    doc: "secret that gives administrator access; without one every request is an administrator's",
  }),
  accessKey: option({
    flag: "--access-key",
    variable: "ENGINE_GRAPHQL_ACCESS_KEY",
    type: secret("secret"),
    default: null,
    doc: "older name of --admin-secret, which wins over it",
  }),
  adminSecrets: option({
    flag: null,
    variable: "ENGINE_GRAPHQL_ADMIN_SECRETS",
    type: secretList,
    default: [],
    doc: "further admin secrets, a JSON array of strings",
  }),
  authHook: option({
    flag: "--auth-hook",
    variable: "ENGINE_GRAPHQL_AUTH_HOOK",
    type: httpUrl,
    default: null,
    doc: "URL of the webhook that tells role and session variables of a request",
  }),
  authHookMode: option({
    flag: "--auth-hook-mode",
    variable: "ENGINE_GRAPHQL_AUTH_HOOK_MODE",
    type: hookMode,
    default: "get",
    doc: "how the authentication webhook is called: GET, POST",
  }),
  authHookSendRequestBody: option({
    flag: "--auth-hook-send-request-body",
    variable: "ENGINE_GRAPHQL_AUTH_HOOK_SEND_REQUEST_BODY",
    type: boolean,
    default: true,
    doc: "send GraphQL operations to the authentication webhook, when it is called with POST",
  }),
  jwtSecret: option({
    flag: "--jwt-secret",
    variable: "ENGINE_GRAPHQL_JWT_SECRET",
    type: jwtConfig,
    default: null,
    doc: "which JSON Web Tokens to accept, a JSON object with their key or its URL",
  }),
  jwtSecrets: option({
    flag: null,
    variable: "ENGINE_GRAPHQL_JWT_SECRETS",
    type: jwtConfigList,
    default: [],
    doc: "further kinds of tokens to accept, a JSON array of such objects",
  }),
  unauthorizedRole: option({
    flag: "--unauthorized-role",
    variable: "ENGINE_GRAPHQL_UNAUTHORIZED_ROLE",
    type: nonEmptyText("role"),
    default: null,
    doc: "role of requests without credentials",
  }),
  unauthorizedDepthLimit: option({
    flag: "--unauthorized-depth-limit",
    variable: "ENGINE_GRAPHQL_UNAUTHORIZED_DEPTH_LIMIT",
    type: count,
    default: 15,
    doc: "depth limit of the unauthorized role where api_limits of the metadata names none for it; 0 for none",
  }),
  unauthorizedNodeLimit: option({
    flag: "--unauthorized-node-limit",
    variable: "ENGINE_GRAPHQL_UNAUTHORIZED_NODE_LIMIT",
    type: count,
    default: 200,
    doc: "node limit of the unauthorized role where api_limits of the metadata names none for it; 0 for none",
  }),
  unauthorizedTimeLimitSeconds: option({
    flag: "--unauthorized-time-limit",
    variable: "ENGINE_GRAPHQL_UNAUTHORIZED_TIME_LIMIT",
    type: seconds,
    default: 10,
    doc: "time limit of the unauthorized role where api_limits of the metadata names none for it, in seconds; 0 for none",
  }),
  unauthorizedBatchLimit: option({
    flag: "--unauthorized-batch-limit",
    variable: "ENGINE_GRAPHQL_UNAUTHORIZED_BATCH_LIMIT",
    type: count,
    default: 10,
    doc: "batch limit of the unauthorized role where api_limits of the metadata names none for it; 0 for none",
  }),
  corsDomains: option({
    flag: "--cors-domain",
    variable: "ENGINE_GRAPHQL_CORS_DOMAIN",
    type: corsDomains,
    default: { any: true, exact: new Set<string>(), wildcard: new Set<string>() },
    doc: "browser origins that may call, comma separated, one wildcard label allowed in front (https://*.example.com)",
  }),
  disableCors: option({
    flag: "--disable-cors",
    variable: "ENGINE_GRAPHQL_DISABLE_CORS",
    type: boolean,
    default: false,
    doc: "send no CORS headers",
  }),
  stringifyNumericTypes: option({
    flag: "--stringify-numeric-types",
    variable: "ENGINE_GRAPHQL_STRINGIFY_NUMERIC_TYPES",
    type: boolean,
    default: false,
    doc: "answer bigint, numeric and double precision values as strings",
  }),
  configuredHeaderPrecedence: option({
    flag: "--configured-header-precedence",
    variable: "ENGINE_GRAPHQL_CONFIGURED_HEADER_PRECEDENCE",
    type: boolean,
    default: false,
    doc: "Headers of the metadata win over those of the client in calls of webhooks",
  }),
  nullCollapse: option({
    flag: "--v1-boolean-null-collapse",
    variable: "ENGINE_GRAPHQL_V1_BOOLEAN_NULL_COLLAPSE",
    type: boolean,
    default: false,
    doc: "take a null in `where` as true",
  }),
  nullInNonNullableVariables: option({
    flag: "--null-in-nonnullable-variables",
    variable: "ENGINE_GRAPHQL_BACKWARDS_COMPAT_NULL_IN_NONNULLABLE_VARIABLES",
    type: boolean,
    default: false,
    doc: "accept null for variables of non-nullable types",
  }),
  restResponse: option({
    flag: "--rest-response",
    variable: "ENGINE_GRAPHQL_REST_RESPONSE",
    type: oneOf("form", ["graphql", "data"]),
    default: "graphql",
    doc: "what REST endpoints answer: what /v1/graphql does, or the value of its `data` alone",
  }),
  enabledApis: option({
    flag: "--enabled-apis",
    variable: "ENGINE_GRAPHQL_ENABLED_APIS",
    type: listOf("groups", apiGroups),
    default: new Set<ApiGroup>(["metadata", "graphql", "pgdump", "config"]),
    doc: `groups of endpoints to serve, comma separated: ${apiGroups.join(", ")}`,
  }),
  enabledLogTypes: option({
    flag: "--enabled-log-types",
    variable: "ENGINE_GRAPHQL_ENABLED_LOG_TYPES",
    type: listOf("types", configurableLogTypes),
    default: new Set(["startup", "http-log", "webhook-log", "websocket-log", "jwk-refresh-log"] as const),
    doc: `types of log lines to write, comma separated: ${configurableLogTypes.join(", ")}`,
  }),
  logLevel: option({
    flag: "--log-level",
    variable: "ENGINE_GRAPHQL_LOG_LEVEL",
    type: oneOf("level", logLevels),
    default: "info",
    doc: `least level of log lines to write: ${logLevels.join(", ")}`,
  }),
  devMode: option({
    flag: "--dev-mode",
    variable: "ENGINE_GRAPHQL_DEV_MODE",
    type: boolean,
    default: false,
    doc: "show the internal details of errors to every role",
  }),
  adminInternalErrors: option({
    flag: "--admin-internal-errors",
    variable: "ENGINE_GRAPHQL_ADMIN_INTERNAL_ERRORS",
    type: boolean,
    default: true,
    doc: "show the internal details of errors to the role admin",
  }),
  enableAllowlist: option({
    flag: "--enable-allowlist",
    variable: "ENGINE_GRAPHQL_ENABLE_ALLOWLIST",
    type: boolean,
    default: false,
    doc: "roles other than admin may send the operations of the allow-list only",
  }),
  allowlistScope: option({
    flag: "--allowlist-scope",
    variable: "ENGINE_GRAPHQL_ALLOWLIST_SCOPE",
    type: oneOf("scope", ["roles", "global"]),
    default: "roles",
    doc: "which collections of the allow-list count: roles (those for all and those of single roles), or global",
  }),
  enableReadOnlyMode: option({
    flag: "--enable-read-only-mode",
    variable: "ENGINE_GRAPHQL_ENABLE_READ_ONLY_MODE",
    type: boolean,
    default: false,
    doc: "refuse mutations, SQL that may write, and changes of the metadata",
  }),
  enableMaintenanceMode: option({
    flag: "--enable-maintenance-mode",
    variable: "ENGINE_GRAPHQL_ENABLE_MAINTENANCE_MODE",
    type: boolean,
    default: false,
    doc: "refuse changes of the metadata, and leave the tables of the metadata database as they are",
  }),
  preserve401Errors: option({
    flag: "--preserve-401-errors",
    variable: "ENGINE_GRAPHQL_PRESERVE_401_ERRORS",
    type: boolean,
    default: false,
    doc: "answer failed authentication with status 401 on /v1/graphql too",
  }),
  enableApolloFederation: option({
    flag: "--enable-apollo-federation",
    variable: "ENGINE_GRAPHQL_ENABLE_APOLLO_FEDERATION",
    type: boolean,
    default: false,
    doc: "be a subgraph of Apollo federation, like the experimental feature apollo_federation",
  }),
  enableRelay: option({
    flag: "--enable-relay",
    variable: "ENGINE_GRAPHQL_ENABLE_RELAY",
    type: boolean,
    default: true,
    doc: "serve the Relay API at /v1beta1/relay",
  }),
  relayIdKey: option({
    flag: "--relay-id-key",
    variable: "ENGINE_GRAPHQL_RELAY_ID_KEY",
    type: encryptionKey("key"),
    default: null,
    doc: "key that encrypts Relay ids and cursors of roles that may not read all values in them, at least 32 characters; without one, a random key in the metadata database",
  }),
  experimentalFeatures: option({
    flag: "--experimental-features",
    variable: "ENGINE_GRAPHQL_EXPERIMENTAL_FEATURES",
    type: listOf("features", experimentalFeatures),
    default: new Set<(typeof experimentalFeatures)[number]>(),
    doc: `features to switch on, comma separated: ${experimentalFeatures.join(", ")}`,
  }),
  defaultNamingConvention: option({
    flag: "--default-naming-convention",
    variable: "ENGINE_GRAPHQL_DEFAULT_NAMING_CONVENTION",
    type: oneOf("convention", ["engine-default", "graphql-default"]),
    default: "engine-default",
    doc: "naming of GraphQL types and fields: engine-default, graphql-default",
  }),
  inferFunctionPermissions: option({
    flag: "--infer-function-permissions",
    variable: "ENGINE_GRAPHQL_INFER_FUNCTION_PERMISSIONS",
    type: boolean,
    default: true,
    doc: "a role that may select from a table may call the query functions that return it",
  }),
  enableRemoteSchemaPermissions: option({
    flag: "--enable-remote-schema-permissions",
    variable: "ENGINE_GRAPHQL_ENABLE_REMOTE_SCHEMA_PERMISSIONS",
    type: boolean,
    default: false,
    doc: "a role may use of remote schemas what its permission documents say; else every role may use all",
  }),
  remoteSchemaPrioritizeData: option({
    flag: "--remote-schema-prioritize-data",
    variable: "ENGINE_GRAPHQL_REMOTE_SCHEMA_PRIORITIZE_DATA",
    type: boolean,
    default: false,
    doc: "of a remote server that answers with data and errors, the data is passed on; else the errors",
  }),
  remoteSchemaSkipNulls: option({
    flag: "--remote-schema-skip-nulls",
    variable: "ENGINE_GRAPHQL_REMOTE_SCHEMA_SKIP_NULLS",
    type: boolean,
    default: false,
    doc: "arguments of remote fields that are null are not sent to the remote server",
  }),
  disableNativeQueryValidation: option({
    flag: "--disable-native-query-validation",
    variable: "ENGINE_GRAPHQL_DISABLE_NATIVE_QUERY_VALIDATION",
    type: boolean,
    default: false,
    doc: "do not ask databases whether they understand native queries",
  }),
  wsReadCookie: option({
    flag: "--ws-read-cookie",
    variable: "ENGINE_GRAPHQL_WS_READ_COOKIE",
    type: boolean,
    default: false,
    doc: "read the cookie of WebSocket handshakes although --disable-cors lets every page open one",
  }),
  websocketCompression: option({
    flag: "--websocket-compression",
    variable: "ENGINE_GRAPHQL_CONNECTION_COMPRESSION",
    type: boolean,
    default: false,
    doc: "compress WebSocket messages for clients that ask for it",
  }),
  websocketKeepaliveSeconds: option({
    flag: "--websocket-keepalive",
    variable: "ENGINE_GRAPHQL_WEBSOCKET_KEEPALIVE",
    type: seconds,
    default: 5,
    doc: "time between keep-alive messages on a WebSocket, in seconds; 0 for none",
  }),
  websocketInitTimeoutSeconds: option({
    flag: "--websocket-connection-init-timeout",
    variable: "ENGINE_GRAPHQL_WEBSOCKET_CONNECTION_INIT_TIMEOUT",
    type: seconds,
    default: 3,
    doc: "time within which a client has to initialise its WebSocket, in seconds; 0 for any",
  }),
  closeWebsocketsOnMetadataChange: option({
    flag: "--disable-close-websockets-on-metadata-change",
    variable: "ENGINE_GRAPHQL_CLOSE_WEBSOCKETS_ON_METADATA_CHANGE",
    type: boolean,
    flagType: negated(boolean),
    default: true,
    doc: "keep WebSockets open when the metadata changes; the variable says whether to close them",
  }),
  liveQueriesRefetchMilliseconds: option({
    flag: "--live-queries-multiplexed-refetch-interval",
    variable: "ENGINE_GRAPHQL_LIVE_QUERIES_MULTIPLEXED_REFETCH_INTERVAL",
    type: milliseconds,
    default: 1000,
    doc: "time between the polls of a live query, in milliseconds",
  }),
  liveQueriesBatchSize: option({
    flag: "--live-queries-multiplexed-batch-size",
    variable: "ENGINE_GRAPHQL_LIVE_QUERIES_MULTIPLEXED_BATCH_SIZE",
    type: positiveCount,
    default: 100,
    doc: "so many sets of variables of a live query are asked for in one statement",
  }),
  liveQueriesNotify: option({
    flag: "--live-queries-notify",
    variable: "ENGINE_GRAPHQL_LIVE_QUERIES_NOTIFY",
    type: text("sources"),
    default: "",
    doc: "names of sources, separated by commas, whose tables get triggers that wake live queries in place of polling",
  }),
  streamingQueriesRefetchMilliseconds: option({
    flag: "--streaming-queries-multiplexed-refetch-interval",
    variable: "ENGINE_GRAPHQL_STREAMING_QUERIES_MULTIPLEXED_REFETCH_INTERVAL",
    type: milliseconds,
    default: 1000,
    doc: "time between the polls of a streaming subscription, in milliseconds",
  }),
  streamingQueriesBatchSize: option({
    flag: "--streaming-queries-multiplexed-batch-size",
    variable: "ENGINE_GRAPHQL_STREAMING_QUERIES_MULTIPLEXED_BATCH_SIZE",
    type: positiveCount,
    default: 100,
    doc: "so many sets of variables of a streaming subscription are asked for in one statement",
  }),
  holdStreamsBack: option({
    flag: "--streaming-queries-hold-back",
    variable: "ENGINE_GRAPHQL_STREAMING_QUERIES_HOLD_BACK",
    type: boolean,
    default: false,
    doc: "deliver a row of a stream when all transactions that were open when it was written have ended",
  }),
  gracefulShutdownTimeoutSeconds: option({
    flag: "--graceful-shutdown-timeout",
    variable: "ENGINE_GRAPHQL_GRACEFUL_SHUTDOWN_TIMEOUT",
    type: seconds,
    default: 60,
    doc: "longest wait for work in progress at shutdown, in seconds; what still runs then is cancelled in the database",
  }),
  maxTotalHeaderLength: option({
    flag: "--max-total-header-length",
    variable: "ENGINE_GRAPHQL_MAX_TOTAL_HEADER_LENGTH",
    type: bytes,
    default: 1_048_576,
    doc: "most bytes that the headers of a request may have",
  }),
  maxBodyBytes: option({
    flag: "--max-body-bytes",
    variable: "ENGINE_GRAPHQL_MAX_BODY_BYTES",
    type: textBytes,
    default: 1024 * 1024,
    doc: "most bytes of a body or a WebSocket message from roles other than admin",
  }),
  adminMaxBodyBytes: option({
    flag: "--admin-max-body-bytes",
    variable: "ENGINE_GRAPHQL_ADMIN_MAX_BODY_BYTES",
    type: textBytes,
    default: longestText,
    doc: "most bytes of a body from the role admin, whose metadata and SQL can be long",
  }),
  unauthorizedMaxBodyBytes: option({
    flag: "--unauthorized-max-body-bytes",
    variable: "ENGINE_GRAPHQL_UNAUTHORIZED_MAX_BODY_BYTES",
    type: textBytes,
    default: 1024 * 1024,
    doc: "most bytes of a body or a WebSocket message from the role of --unauthorized-role",
  }),
  authHookMaxBodyBytes: option({
    flag: "--auth-hook-max-body-bytes",
    variable: "ENGINE_GRAPHQL_AUTH_HOOK_MAX_BODY_BYTES",
    type: textBytes,
    default: 1024 * 1024,
    doc: "most bytes of a body that is read before authentication, to send it to the authentication webhook",
  }),
  maxBufferedResponseBytes: option({
    flag: "--max-buffered-response-bytes",
    variable: "ENGINE_GRAPHQL_MAX_BUFFERED_RESPONSE_BYTES",
    type: bytes,
    default: 256 * 1024 * 1024,
    doc: "most bytes of all answers longer than 64 KiB, from the arrival of their rows until clients have read them; beyond it rows wait, and the slowest clients are closed",
  }),
  maxBufferedBodyBytes: option({
    flag: "--max-buffered-body-bytes",
    variable: "ENGINE_GRAPHQL_MAX_BUFFERED_BODY_BYTES",
    type: bytes,
    default: 256 * 1024 * 1024,
    doc: "most bytes of all bodies longer than 64 KiB that are held at a time; further ones are answered with 503",
  }),
  schemaSyncPollMilliseconds: option({
    flag: "--schema-sync-poll-interval",
    variable: "ENGINE_GRAPHQL_SCHEMA_SYNC_POLL_INTERVAL",
    type: milliseconds,
    default: 1000,
    doc: "how often to look for metadata changes of other instances, in milliseconds; 0 for never",
  }),
  queryPlanCacheSize: option({
    flag: "--query-plan-cache-size",
    variable: "ENGINE_GRAPHQL_QUERY_PLAN_CACHE_SIZE",
    type: positiveCount,
    default: 4000,
    doc: "most query plans to keep",
  }),
  enableTelemetry: option({
    flag: "--enable-telemetry",
    variable: "ENGINE_GRAPHQL_ENABLE_TELEMETRY",
    type: boolean,
    default: false,
    doc: "accepted for compatibility: nothing is ever reported",
  }),
  dynamicSecretsPathPrefix: option({
    flag: null,
    variable: "ENGINE_GRAPHQL_DYNAMIC_SECRETS_ALLOWED_PATH_PREFIX",
    type: text("path"),
    default: null,
    doc: "folder that every `dynamic_from_file` secret must lie below, symbolic links followed; or the one file that is allowed",
  }),
};

export type OptionName = keyof typeof optionTable;

type OptionValue<Row> = Row extends OptionRow<infer T, infer D> ? T | D : never;

/** The settings that the server starts with. */
export type Options = { readonly [Name in OptionName]: OptionValue<(typeof optionTable)[Name]> };
