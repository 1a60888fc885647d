/**
 * `POST /mcp`: the Model Context Protocol over streamable HTTP, without sessions. Each request is authenticated and
 * admitted like a GraphQL request, and receives one JSON response; only `subscriptions/listen` opens an event stream.
 */
import type { AuthenticatedSession } from "../../ports/authentication.ts";
import type { Handler, PlainRequest, PlainResponse, RequestRecord } from "../../ports/request.ts";
import type { RequestServices } from "../../ports/services.ts";
import { EngineError } from "../../values/errors.ts";
import { CollectedHeaders, withCollected } from "../collected-headers.ts";
import { requestSession } from "../request-session.ts";
import { jsonResponse } from "../responses.ts";
import { challenge, checkMcpSession, InsufficientScope, type McpAuthorization, mcpAudience } from "./authorization.ts";
import type { Exchange, McpSettings } from "./exchange.ts";
import { ChangeStreams } from "./listen.ts";
import { McpError, renderMcpError } from "./mcp-error.ts";
import { type McpMessage, parseMessage, readMessage } from "./message.ts";
import { respondTo } from "./methods.ts";
import { type OriginSettings, originCheck } from "./origin-check.ts";
import { RequestStates } from "./request-state.ts";
import { serverMeta } from "./result-text.ts";
import { dialectOf } from "./revision.ts";

export const mcpPath = "/mcp";

export type McpHandlerSettings = McpSettings & OriginSettings & McpAuthorization;

export function mcpHandler(services: RequestServices, settings: McpHandlerSettings): Handler {
  const shared: Shared = {
    services,
    settings,
    checkOrigin: originCheck(settings),
    states: new RequestStates(settings),
    streams: new ChangeStreams(services.agentTools.version),
    meta: serverMeta(settings.version),
    audience: mcpAudience(settings) ?? undefined,
  };
  return (request) => respond(shared, request);
}

interface Shared extends Pick<Exchange, "services" | "states" | "streams" | "meta"> {
  readonly settings: McpHandlerSettings;
  readonly checkOrigin: ReturnType<typeof originCheck>;
  /** The audience that tokens must have, if any. */
  readonly audience: string | undefined;
}

const jsonType = /^\s*application\/json\s*(?:;|$)/i;

/** Returns the reason for which the head of a request is refused; `null` if it is accepted. */
function headRefusal({ method, headers }: PlainRequest): EngineError | null {
  if (method !== "POST") {
    return new EngineError("not-supported", "$", "/mcp accepts only POST", { status: 405 });
  }
  // A page can send other types to another origin without a preflight.
  if (jsonType.test(headers["content-type"] ?? "")) return null;
  return new EngineError("not-supported", "$", "/mcp requires the content type application/json", { status: 415 });
}

function refused(error: EngineError): PlainResponse {
  const response = jsonResponse(error.status, renderMcpError(error, undefined), {
    mode: "error",
    session: null,
    error,
  });
  return error.status === 405 ? { ...response, headers: { ...response.headers, allow: "POST" } } : response;
}

async function respond(shared: Shared, request: PlainRequest): Promise<PlainResponse> {
  // Objects built by spread are slower to create and to read.
  const { services, settings, states, streams, meta, audience } = shared;
  const refusal = shared.checkOrigin(request.headers) ?? headRefusal(request);
  if (refusal !== null) return refused(refusal);
  let session: AuthenticatedSession | null = null;
  let message: McpMessage | undefined;
  try {
    const { headers, method: httpMethod } = request;
    const authenticated = await services.authenticator.authenticate(headers, { method: httpMethod, audience });
    session = requestSession(authenticated, request);
    checkMcpSession(session, settings);
    message = readMessage(await parseMessage(await request.readBody(session)));
    const dialect = dialectOf(message, request.headers);
    const admitted = await services.admission.admit(session, 1, request);
    const { method, params, idText } = message;
    if (idText === undefined) return accepted(session);
    if (dialect.isModern && method === "subscriptions/listen") {
      return listening(session, streams.open(params, idText, session));
    }
    const collected = new CollectedHeaders();
    let error: EngineError | null = null;
    const noteError = (noted: EngineError): void => {
      error = noted;
    };
    const exchange = {
      services,
      settings,
      states,
      streams,
      meta,
      dialect,
      request,
      params,
      admitted,
      collected,
      noteError,
    };
    const result = await respondTo(exchange, method);
    const body = `{"jsonrpc":"2.0","id":${idText},"result":${result}}`;
    return withCollected(jsonResponse(200, body, { mode: "non-graphql", session, error }, collected), collected);
  } catch (thrown) {
    return failed(shared, thrown, { session, request, idText: message?.idText });
  }
}

/** Notifications have no effect: clients end requests by closing their connection. */
function accepted(session: AuthenticatedSession): PlainResponse {
  return { status: 202, headers: {}, body: "", record: { mode: "non-graphql", session, error: null } };
}

const eventHeaders = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
};

function listening(session: AuthenticatedSession, events: PlainResponse["events"]): PlainResponse {
  const record: RequestRecord = { mode: "non-graphql", session, error: null };
  return { status: 200, headers: eventHeaders, body: "", record, events };
}

interface FailedMessage {
  readonly session: AuthenticatedSession | null;
  readonly request: PlainRequest;
  readonly idText: string | undefined;
}

function failed(
  { services, settings }: Shared,
  thrown: unknown,
  { session, request, idText }: FailedMessage,
): PlainResponse {
  if (thrown instanceof McpError) {
    const error = new EngineError("bad-request", "$", thrown.message, { status: thrown.status });
    return jsonResponse(thrown.status, renderMcpError(thrown, idText), { mode: "non-graphql", session, error });
  }
  const error = thrown instanceof EngineError ? thrown : services.reportBug(thrown, request.requestId);
  // Clients of the protocol expect 401 after any failed authentication, before they sign in.
  const isUnauthenticated = session === null && error.status < 500;
  const status = isUnauthenticated ? 401 : error.status;
  const response = jsonResponse(status, renderMcpError(error, idText), { mode: "error", session, error });
  if (!isUnauthenticated && !(error instanceof InsufficientScope)) return response;
  const value = challenge(settings, error, request.headers.authorization !== undefined);
  return { ...response, headers: { ...response.headers, "www-authenticate": value } };
}
