/**
 * One request of `node:http` from its head to its answer: read the body, ask the handler, write what it says, log.
 * Knows no router, so that every kind of server can use it.
 */
import type { IncomingMessage, OutgoingHttpHeader, ServerResponse } from "node:http";
import { logRequest } from "../observe/http-log.ts";
import type { Log } from "../observe/log.ts";
import { EngineError } from "../support/errors.ts";
import { type CorsSettings, corsHeaders } from "./cors.ts";
import { NodeRequest, readBody } from "./node-request.ts";
import { errorResponse } from "./responses.ts";
import type { Handler, PlainRequest, PlainResponse, Services } from "./services.ts";

export interface ServeContext {
  readonly cors: CorsSettings;
  readonly log: Log;
  readonly reportBug: Services["reportBug"];
  /** Bytes of the longest body that is read. */
  readonly longestBody: number;
  /** When true, connections are not kept for further requests. */
  readonly isClosing: () => boolean;
}

/** Answers one request; never rejects. */
export async function serve(
  context: ServeContext,
  handler: Handler,
  raw: IncomingMessage,
  reply: ServerResponse,
): Promise<void> {
  const arrival = performance.now();
  const body = await readBody(raw, context.longestBody);
  if (body === null) return;
  const tooLong = body instanceof EngineError;
  const request = new NodeRequest(raw, tooLong ? "" : body);
  const start = performance.now();
  let response: PlainResponse;
  try {
    response = tooLong ? errorResponse(body) : await handler(request);
  } catch (thrown) {
    response = errorResponse(thrown instanceof EngineError ? thrown : context.reportBug(thrown, request.requestId));
  }
  const executionMilliseconds = performance.now() - start;
  try {
    // The rest of a body that is too long is not read, so nothing can follow it.
    const responseSize = send(context, request, response, reply, { close: tooLong || context.isClosing() });
    const readMilliseconds = start - arrival;
    const { httpVersion } = raw;
    logRequest(context.log, { request, response, httpVersion, responseSize, readMilliseconds, executionMilliseconds });
  } catch (bug) {
    context.reportBug(bug, request.requestId);
    reply.destroy();
  }
}

/** Returns the bytes of the body. */
function send(
  context: ServeContext,
  request: PlainRequest,
  response: PlainResponse,
  reply: ServerResponse,
  connection: { readonly close: boolean },
): number {
  const size = Buffer.byteLength(response.body);
  // Names and values in turns: what Node writes fastest.
  const headers: OutgoingHttpHeader[] = ["x-request-id", request.requestId, "content-length", size];
  add(headers, response.headers);
  const { origin } = request.headers;
  if (origin !== undefined) add(headers, corsHeaders(context.cors, origin) ?? {});
  if (connection.close) headers.push("connection", "close");
  reply.writeHead(response.status, headers).end(response.body);
  return size;
}

function add(headers: OutgoingHttpHeader[], more: PlainResponse["headers"]): void {
  for (const name in more) {
    const value = more[name];
    if (value !== undefined) headers.push(name, typeof value === "string" ? value : [...value]);
  }
}
