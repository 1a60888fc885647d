/**
 * All codes of errors and warnings, with their causes and remedies. The type of `EngineError.code` and the reference
 * (`docs/reference/errors.md`) are derived from these tables.
 */

export interface ErrorCodeRow {
  /** HTTP statuses outside `/v1/graphql`; empty if only commands fail with the code. */
  readonly statuses: readonly number[];
  readonly cause: string;
  readonly remedy: string;
}

const row = (statuses: readonly number[], cause: string, remedy: string): ErrorCodeRow => ({ statuses, cause, remedy });

export const errorCodes = {
  "access-denied": row(
    [400, 401, 403],
    "400: the role lacks access to an operation, or to operations outside the allow-list; 401: credentials are missing or invalid; 403: a page of another origin sent the request",
    "send the admin secret, a valid token or an allowed operation; for 403, allow the origin by the option that the message names",
  ),
  "already-exists": row(
    [400],
    "a metadata object, table or column of this name exists",
    "choose another name, or drop or replace the existing object",
  ),
  "already-tracked": row([400], "the table, function, model or query is tracked", "remove the operation"),
  "already-untracked": row([400], "the table is not tracked", "remove the operation, or correct the name"),
  "bad-request": row(
    [400, 408, 413],
    "400: the request contradicts the schema or the state of the metadata; 408: the body arrives too slowly; 413: the body is too long",
    "correct the request by the message; for 408 and 413, change it or `--body-timeout`, `--max-body-bytes` and the limits of uploads",
  ),
  "batch-limit-exceeded": row(
    [400],
    "a batch has more operations than `api_limits` allows for the role",
    "send fewer operations at once, or raise `batch_limit`",
  ),
  busy: row([400], "an event is being delivered, or a source is being changed by another instance", "retry later"),
  "concurrent-update": row(
    [400],
    "the database rolled back the transaction because of a concurrent one",
    "retry the mutation",
  ),
  conflict: row(
    [400, 409],
    "the metadata, or the files of a migration, changed at the same time; or `resource_version` is not the current version",
    "read the current version, and repeat the change",
  ),
  "connection error": row(
    [500, 502],
    "a command, or 502: the console of `engine console`, cannot reach the server, or the connection was closed before the response",
    "check `--endpoint` and the server",
  ),
  "constraint-error": row(
    [400],
    "an upsert names a constraint that does not exist, or a mutation does not fit the tables of the database",
    "correct `on_conflict`; after a change of the database, reload the metadata",
  ),
  "constraint-violation": row(
    [400],
    "a row violates a unique, foreign key, not-null or exclusion constraint; or a metadata change violates a rule",
    "correct the values, or use `on_conflict` for existing rows",
  ),
  "cyclic-dependency": row([400], "inherited roles include each other", "remove a role from one of the sets"),
  "data-connector-error": row(
    [400],
    "the kind of source is unknown or has no capabilities",
    "use `postgres` or `mssql`",
  ),
  "data-exception": row(
    [400],
    "a value has the wrong form for its column type, is out of range, or is divided by zero",
    "correct the value",
  ),
  "dependency-error": row(
    [400],
    "other metadata objects depend on the object",
    "drop them first, or repeat the operation with `cascade: true`",
  ),
  "depth-limit-exceeded": row(
    [400],
    "the operation is deeper than `api_limits` allows for the role",
    "select fewer levels, or raise `depth_limit`",
  ),
  "fallback-failed": row(
    [502],
    "the operation selects fields that are absent here, and the server of `--fallback` returned no JSON response within its limits",
    "check the server of `--fallback`; `internal` has the cause; or add the absent fields here",
  ),
  "invalid-configuration": row(
    [400],
    "a definition cannot be used: a source, table, permission or other object of the metadata, or an option",
    "correct the definition that `path` and the message name",
  ),
  "invalid-headers": row(
    [400],
    "the request has a malformed credential, such as an `Authorization` header without `Bearer`",
    "correct the header",
  ),
  "invalid-json": row([400], "the body is not JSON", "correct the body"),
  "invalid-jwt": row(
    [400],
    "the token is malformed, expired, has a wrong signature, issuer or audience",
    "obtain a new token; check the key, `issuer` and `audience` of `--jwt-secret`",
  ),
  "invalid-params": row([], "a flag or argument of a command is invalid or lacks another one", "correct the command"),
  "jwt-invalid-claims": row(
    [400],
    "the claims of the token lack the default role, or do not allow the requested one",
    "correct the claims, or request an allowed role",
  ),
  "jwt-missing-role-claims": row(
    [400],
    "the token has no allowed roles or no default role",
    "add the claims, or `claims_map` with the places of their values",
  ),
  locked: row([], "another tool holds the lock of the migrations", "wait, or raise `--lock-timeout`"),
  "metadata-warnings": row(
    [400],
    "the operation causes warnings, and `allow_warnings` is false",
    "correct their causes, or repeat the operation with `allow_warnings: true`",
  ),
  "method-not-allowed": row([405], "the endpoint has other methods", "use a method that the message names"),
  "node-limit-exceeded": row(
    [400],
    "the operation has more fields than `api_limits` allows for the role",
    "select fewer fields, or raise `node_limit`",
  ),
  "not-exists": row(
    [400],
    "the metadata or the database has no object of this name",
    "correct the name; after a change of the database, reload the metadata",
  ),
  "not-found": row(
    [400, 404],
    "400: a table, field or object is unknown; 404: no endpoint has this path, or its API group is disabled",
    "correct the name or the path; enable the group by `--enabled-apis`",
  ),
  "not-supported": row(
    [400, 405, 415],
    "400: the database or this operation does not support the request; 405: only `POST` is supported; 415: the endpoint does not accept the media type",
    "use the form that the message names",
  ),
  "parse-failed": row(
    [400],
    "a value of the request has the wrong type, a key is missing or unknown, or the body has the wrong form",
    "correct the value at `path`",
  ),
  "permission-denied": row(
    [400],
    "the role has no permission for the table, column or operation",
    "use another role, or grant the permission",
  ),
  "permission-error": row(
    [400],
    "a written row violates the check of the permission or a check constraint; or a secret file is outside of the allowed folder",
    "correct the row, the permission or the path",
  ),
  "postgres-error": row(
    [400, 500],
    "400: SQL of `run_sql` failed; 500: the connection to PostgreSQL failed or was lost",
    "correct the SQL (`internal` has the message of the database); for 500, check the database and `/healthz/sources`",
  ),
  "postgres-max-connections-error": row(
    [500],
    "PostgreSQL, or the pooler before it, has no free connection",
    "lower `--connections` or `max_connections` of the source, or raise the limit of the database",
  ),
  "rate-limit-exceeded": row(
    [429],
    "the role or client sends more operations in a minute than `api_limits` allows",
    "wait, or raise `rate_limit`",
  ),
  "remote-schema-conflicts": row(
    [400],
    "a root field or type has the same name as one of a remote schema",
    "rename it, or set a prefix in `customization` of the remote schema",
  ),
  "remote-schema-error": row(
    [400, 500],
    "400: the introspection of a remote schema failed; 500: a request to it failed",
    "check the URL, its headers and the server; `internal` has the cause",
  ),
  "result-limit-exceeded": row(
    [400],
    "the result of a tool for assistants has more rows or bytes than its `limits` allow",
    "request fewer rows, with a filter or a limit, or raise the limit",
  ),
  "start-failed": row(
    [400, 500],
    "the server cannot start: the metadata database is unreachable or belongs to a newer version; or a WebSocket message precedes the initialization",
    "check the URL and the version; for WebSockets, send `connection_init` first",
  ),
  "template-resolution-failed": row(
    [400],
    "the connection template of a source does not select a connection",
    "correct the template; `internal` has the place",
  ),
  "time-limit-exceeded": row(
    [400],
    "the operation takes longer than `api_limits` allows for the role",
    "select less, add an index, or raise `time_limit`",
  ),
  unexpected: row(
    [400, 408, 499, 500, 503],
    "an error that the request did not cause: inconsistent metadata, an unreachable service, a failed statement, a bug; 408: the body did not arrive in time; 499: the client disconnected; 503: the server is stopping or short of memory",
    "read `internal` as an administrator, and the log; retry after 408 and 503",
  ),
  "unexpected-payload": row(
    [400],
    "an operation of `/v1/query` or of the metadata has a member that is not expected",
    "correct the member at `path`",
  ),
  unfinished: row([], "a migration was interrupted, and its changes are partly made", "follow the message"),
  unwritable: row([], "a command cannot write a file or folder", "check the path and its rights"),
  "validation-failed": row(
    [400],
    "the operation does not fit the schema of the role: unknown fields or arguments, wrong types, missing variables or session variables, refused inputs",
    "correct the operation at `path`; introspection returns the schema of the role",
  ),
} as const satisfies Readonly<Record<string, ErrorCodeRow>>;

export type ErrorCode = keyof typeof errorCodes;

/** Codes of warnings in responses of metadata operations. They do not stop the operation. */
export const warningCodes = {
  "event-trigger-mismatch": "the triggers in the database differ from the metadata",
  "illegal-event-trigger-name": "the name of an event trigger has characters that are not recommended, or is too long",
  "inconsistent-metadata": "the operation left an object inconsistent",
  "saved-operation-broken": "a saved operation is no longer valid for a role",
  "source-cleanup-failed": "the tables and triggers of the engine could not be removed from a dropped source",
  "track-table-failed": "a table of `pg_track_tables` was not tracked",
  "untrack-table-failed": "a table of `pg_untrack_tables` was not untracked",
} as const satisfies Readonly<Record<string, string>>;

export type WarningCode = keyof typeof warningCodes;
