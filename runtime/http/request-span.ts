/** Sets the attributes of an HTTP request's span, as named by OpenTelemetry's semantic conventions. */
import type { IncomingMessage } from "node:http";
import type { GraphqlRequest } from "../ports/graphql.ts";
import type { PlainRequest, PlainResponse } from "../ports/request.ts";

export interface AnsweredRequest {
  readonly request: PlainRequest;
  readonly response: PlainResponse;
  readonly raw: Pick<IncomingMessage, "httpVersion">;
  /** The size in bytes as sent. */
  readonly responseSize: number;
}

export function describeRequest({ request, response, raw, responseSize }: AnsweredRequest): void {
  const { span, headers } = request;
  const { record, status } = response;
  const { host } = headers;
  const server = host !== undefined && URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : undefined;
  const isKnown = knownMethods.has(request.method);
  span.set({
    request_id: request.requestId,
    "http.request.method": isKnown ? request.method : "_OTHER",
    ...(!isKnown && { "http.request.method_original": request.method }),
    "server.address": server?.hostname,
    "server.port": server && (Number(server.port) || defaultPort),
    "url.path": request.path,
    "url.scheme": "http",
    "http.response.status_code": status,
    "http.response.body.size": responseSize,
    "network.protocol.version": raw.httpVersion,
    "client.address": request.ip,
    "user_agent.original": headers["user-agent"],
    ...(record.session && { session_variables: variablesText(record.session.variables) }),
    "graphql.operation.name": operationName(record.graphql),
  });
  if (record.error !== null) span.fail(record.error);
}

/** Methods of RFC 9110 and 5789. Other methods would make the attribute's cardinality unbounded. */
const knownMethods: ReadonlySet<string> = new Set("CONNECT DELETE GET HEAD OPTIONS PATCH POST PUT TRACE".split(" "));
const defaultPort = 80;

function variablesText(variables: ReadonlyMap<string, string>): string {
  return JSON.stringify(Object.fromEntries(variables));
}

function operationName(graphql: PlainResponse["record"]["graphql"]): string | undefined {
  return isSingle(graphql) ? (graphql.operationName ?? undefined) : undefined;
}

function isSingle(graphql: PlainResponse["record"]["graphql"]): graphql is GraphqlRequest {
  return graphql !== undefined && !Array.isArray(graphql);
}
