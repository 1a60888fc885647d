/** The table of all attributes of spans (`docs/how-to/tracing.md`). Their names are OpenTelemetry's where it has one. */

export interface SpanAttributeRow {
  /** OpenTelemetry's convention that defines the name; `null` for an attribute of the engine. */
  readonly convention: "HTTP" | "database" | "GraphQL" | "general" | null;
  /** The name that OpenTelemetry has deprecated, or that similar servers used before the convention. */
  readonly old?: string;
  /** Meaning, in one line. */
  readonly help: string;
}

const row = <const Row extends SpanAttributeRow>(value: Row): Row => value;

export const spanAttributeTable = {
  "http.request.method": row({ convention: "HTTP", help: "method; `_OTHER` for an unknown one" }),
  "http.request.method_original": row({ convention: "HTTP", help: "the unknown method" }),
  "http.response.status_code": row({ convention: "HTTP", help: "status of the response" }),
  "http.response.body.size": row({
    convention: "HTTP",
    old: "http.response_content_length",
    help: "bytes of the response as sent",
  }),
  "http.route": row({ convention: "HTTP", help: "path of the endpoint, without values of REST parameters" }),
  "url.path": row({ convention: "HTTP", help: "path of the request" }),
  "url.scheme": row({ convention: "HTTP", help: "`http`" }),
  "server.address": row({ convention: "general", help: "host of the engine, or of the called server or database" }),
  "server.port": row({ convention: "general", help: "port of the same" }),
  "client.address": row({ convention: "general", help: "address of the client" }),
  "network.protocol.version": row({ convention: "general", help: "version of HTTP" }),
  "user_agent.original": row({ convention: "general", help: "header `User-Agent`" }),
  "user.roles": row({ convention: "general", old: "enduser.role", help: "list with the role of the request" }),
  "error.type": row({ convention: "general", help: "code of the error, or status of a failed response" }),
  "graphql.operation.name": row({ convention: "GraphQL", help: "name of the operation" }),
  "graphql.operation.type": row({ convention: "GraphQL", help: "`query`, `mutation` or `subscription`" }),
  "graphql.document": row({
    convention: "GraphQL",
    old: "graphql.query",
    help: "text of the operation, if texts are traced",
  }),
  "db.system.name": row({ convention: "database", help: "`postgresql` or `microsoft.sql_server`" }),
  "db.namespace": row({ convention: "database", help: "name of the database" }),
  "db.query.text": row({ convention: "database", old: "db.query", help: "text of the statement, if texts are traced" }),
  "db.response.status_code": row({ convention: "database", help: "error code of the database" }),
  request_id: row({ convention: null, help: "id of the request, as in the log" }),
  session_variables: row({ convention: null, help: "session variables as a JSON object" }),
  source_name: row({ convention: null, help: "name of the source" }),
  remote_schema: row({ convention: null, help: "name of the remote schema of a join" }),
  action_name: row({ convention: null, help: "name of an asynchronous action" }),
  action_id: row({ convention: null, help: "id of the call of an asynchronous action" }),
  event_id: row({ convention: null, help: "id of the delivered event" }),
  tries: row({ convention: null, help: "number of earlier attempts to deliver the event" }),
};

export type SpanAttributeName = keyof typeof spanAttributeTable;

/** Old names by current name. */
export const oldAttributeNames: ReadonlyMap<string, string> = new Map(
  Object.entries<SpanAttributeRow>(spanAttributeTable).flatMap(([name, { old }]) =>
    old === undefined ? [] : [[name, old] as const],
  ),
);
