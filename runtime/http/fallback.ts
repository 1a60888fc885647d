/**
 * Forwards operations that this server lacks fields for to the server that a project moves from (`--fallback`). Every
 * operation passes this server's admission before: authentication, rate limits, allow-list and limits of its role.
 */
import { LRUCache } from "lru-cache";
import type { HttpUrl } from "../config/http-url.ts";
import type { Log } from "../observe/logs/log.ts";
import { forwardableHeaders } from "../outbound/client-headers.ts";
import type { HttpCall, HttpReply } from "../outbound/http-call.ts";
import { callFailure, type HttpClient } from "../outbound/http-client.ts";
import type { AuthenticatedSession } from "../ports/authentication.ts";
import type { FallbackResponse, FallbackService, ForwardedOperation } from "../ports/fallback.ts";
import type { GraphqlRequest } from "../ports/graphql.ts";
import type { RequestHeaders } from "../ports/headers.ts";
import type { Meters } from "../ports/metrics.ts";
import type { PlainRequest } from "../ports/request.ts";
import { EngineError, type UnservedOperation } from "../values/errors.ts";
import { stringifyJson } from "../values/json-number.ts";
import { sessionPrefix } from "../values/session.ts";
import { inSpan } from "../values/span.ts";

export interface FallbackSettings {
  readonly server: HttpUrl;
  /** Prefix of session variables and secrets in headers of the other server, in lower case. */
  readonly prefix: string;
  readonly client: Pick<HttpClient, "call">;
  readonly log: Log;
  readonly meters: Meters;
}

/** Limits for the other server, whose redirects could lead credentials elsewhere. */
export const fallbackLimits = {
  milliseconds: 60_000,
  connections: 100,
  callsAtOnce: 10_000,
  responseBytes: 64 * 1024 * 1024,
  redirects: 0,
};

/** Name of this server in `Via`, which ends loops of servers that forward to each other. */
const pseudonym = "engine-fallback";

/** Maximum number of operations that are remembered as logged. */
const maxLogged = 10_000;

export class Fallback implements FallbackService {
  readonly #settings: FallbackSettings;
  readonly #logged = new LRUCache<string, true>({ max: maxLogged });

  constructor(settings: FallbackSettings) {
    this.#settings = settings;
  }

  unservedIn(
    { unserved }: EngineError,
    { method, headers }: PlainRequest,
    { files }: GraphqlRequest,
  ): UnservedOperation | undefined {
    if (unserved === undefined || (files?.size ?? 0) > 0) return undefined;
    // Links and prefetches cause GET requests, so they never run mutations.
    if (method === "GET" && unserved.kind !== "query") return undefined;
    return headers.via?.includes(pseudonym) ? undefined : unserved;
  }

  async forward(forwarded: ForwardedOperation): Promise<FallbackResponse> {
    const { client, meters } = this.#settings;
    const { reason } = forwarded.unserved;
    this.#logOnce(forwarded);
    const span = forwarded.request.span.child("Fallback", "client");
    try {
      const response = await inSpan(span, async () =>
        responseOf(await client.call({ ...this.#callOf(forwarded), span }).catch(noReply)),
      );
      meters.fallbackOperations.add(1, { reason, status: "success" });
      return response;
    } catch (error) {
      meters.fallbackOperations.add(1, { reason, status: "failed" });
      throw error;
    }
  }

  #callOf({ request, session, operation, unserved }: ForwardedOperation): HttpCall {
    const { server, prefix } = this.#settings;
    const { method, caller, headers } = request;
    const url = new URL(server.reveal());
    url.pathname = `${url.pathname.replace(/\/+$/, "")}${pathOf(request.path)}`;
    const sent = { ...fallbackHeaders(headers, session, prefix), via: viaOf(headers) };
    if (method === "GET") {
      for (const [name, value] of Object.entries(membersOf(operation)))
        url.searchParams.set(name, typeof value === "string" ? value : stringifyJson(value));
      return { method, url: url.href, headers: sent, caller };
    }
    // A disconnection aborts queries only, as it does here.
    const abortedBy = unserved.kind === "query" ? caller : undefined;
    return { method, url: url.href, headers: sent, body: stringifyJson(membersOf(operation)), caller: abortedBy };
  }

  #logOnce({ session: { role }, unserved, request: { requestId } }: ForwardedOperation): void {
    const { operation_name, parameterized_query_hash } = unserved.identity();
    const key = `${role}\u0000${operation_name}\u0000${parameterized_query_hash}`;
    if (this.#logged.has(key)) return;
    this.#logged.set(key, true);
    const { fields, reason, kind } = unserved;
    this.#settings.log.info("fallback", {
      operation_name,
      parameterized_query_hash,
      operation_type: kind,
      role,
      reason,
      fields,
      request_id: requestId,
    });
  }
}

/** The Relay API has only its older path on the other server. */
function pathOf(path: string): string {
  return path === "/v1/relay" ? "/v1beta1/relay" : path;
}

/**
 * Returns an operation as the members that this server has read, because another parser could choose another one of
 * two equal keys or parameters, and run an operation that was not admitted.
 */
function membersOf({ query, operationName, variables }: GraphqlRequest): Readonly<Record<string, unknown>> {
  return {
    ...(operationName !== null && { operationName }),
    query,
    ...(variables !== null && { variables }),
  };
}

// Headers.

/** Headers that concern the connection of the client, besides those that are never forwarded. */
const connectionHeaders = ["proxy-authenticate", "proxy-authorization", "via"];

/**
 * Returns the client's headers for the other server, with session variables and secrets under its prefix. The role is
 * that of the session, so that both servers use the same one. Only callers that may choose their session pass other
 * variables: otherwise a server that trusts its network would accept them from anyone.
 * @param prefix prefix of the other server, in lower case
 */
export function fallbackHeaders(
  headers: RequestHeaders,
  { role, choosesRole }: Pick<AuthenticatedSession, "role" | "choosesRole">,
  prefix: string,
): Record<string, string> {
  const nominated = (headers.connection ?? "").toLowerCase().split(",");
  const left = [...connectionHeaders, ...nominated.map((name) => name.trim())];
  const all = Object.entries(forwardableHeaders(headers, left));
  const isVariable = ([name]: readonly [string, string]): boolean =>
    name.startsWith(sessionPrefix) || name.startsWith(prefix);
  const plain = all.filter((header) => !isVariable(header));
  const variables = all.filter(isVariable).map(([name, value]) => {
    const isOwn = name.startsWith(sessionPrefix);
    return { isOwn, name: name.slice((isOwn ? sessionPrefix : prefix).length), value };
  });
  const passed = variables.filter(({ name }) => choosesRole === true || secrets.has(name));
  // This server has authenticated the request by its own names, which therefore take precedence.
  passed.sort((a, b) => Number(a.isOwn) - Number(b.isOwn));
  const renamed = passed.map(({ name, value }) => [`${prefix}${name}`, value] as const);
  return Object.fromEntries([...plain, ...renamed, [`${prefix}role`, role] as const]);
}

const secrets: ReadonlySet<string> = new Set(["admin-secret", "access-key"]);

function viaOf({ via }: RequestHeaders): string {
  const own = `1.1 ${pseudonym}`;
  return via === undefined ? own : `${via}, ${own}`;
}

// Responses.

const json = /^application\/(?:graphql-response\+)?json\b/i;

/** Headers of a response that pass to the client. All others concern the other server or its connection. */
const passedHeaders = ["cache-control", "content-type", "retry-after", "set-cookie"];

/** @throws EngineError for a response that is not JSON, such as a page of a proxy */
function responseOf({ status, headers, text }: HttpReply): FallbackResponse {
  const { "content-type": type } = headers;
  if (status < 200 || (status >= 300 && status < 400)) throw fallbackFailed(`its response has the status ${status}`);
  if (typeof type !== "string" || !json.test(type))
    throw fallbackFailed(`its response with the status ${status} is not JSON`);
  const passed = passedHeaders.flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { status, headers: Object.fromEntries(passed), body: text };
}

function noReply(error: unknown): never {
  throw fallbackFailed(callFailure(error), error);
}

export function fallbackFailed(reason: string, cause?: unknown): EngineError {
  const message = "the operation is not served here, and the fallback server does not respond";
  return new EngineError("fallback-failed", "$", message, { status: 502, internal: { reason }, cause });
}
