/**
 * One request of `node:http` from its head to its answer: read the body, ask the handler, write what it says, log.
 * Knows no router, so that every kind of server can use it.
 */
import type { IncomingMessage, OutgoingHttpHeader, ServerResponse } from "node:http";
import { logRequest } from "../observe/http-log.ts";
import type { Log } from "../observe/log.ts";
import { EngineError } from "../support/errors.ts";
import { compress, isCompressed } from "./compression.ts";
import { type CorsSettings, corsHeaders } from "./cors.ts";
import { NodeRequest, readBody } from "./node-request.ts";
import { errorResponse } from "./responses.ts";
import type { Handler, PlainRequest, PlainResponse, RequestServices } from "./services.ts";

export interface ServeContext {
  readonly cors: CorsSettings;
  readonly log: Log;
  readonly reportBug: RequestServices["reportBug"];
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
    const uncompressedSize = Buffer.byteLength(response.body);
    const isPlain =
      response.record.error !== null || !isCompressed(uncompressedSize, request.headers["accept-encoding"]);
    const encoding = isPlain ? null : "gzip";
    const bytes = isPlain ? response.body : await compress(response.body, uncompressedSize);
    const responseSize = typeof bytes === "string" ? uncompressedSize : bytes.length;
    // The rest of a body that is too long is not read, so nothing can follow it.
    const close = tooLong || context.isClosing();
    reply.writeHead(response.status, headersOf(context, request, response, { responseSize, encoding, close }));
    reply.end(bytes);
    logRequest(context.log, {
      request,
      response,
      httpVersion: raw.httpVersion,
      responseSize,
      uncompressedSize,
      encoding,
      readMilliseconds: start - arrival,
      executionMilliseconds,
    });
  } catch (bug) {
    context.reportBug(bug, request.requestId);
    reply.destroy();
  }
}

/** How a body goes over the wire. */
interface Sending {
  /** In bytes. */
  readonly responseSize: number;
  readonly encoding: "gzip" | null;
  readonly close: boolean;
}

/** Names and values in turns: what Node writes fastest. */
function headersOf(
  context: ServeContext,
  request: PlainRequest,
  response: PlainResponse,
  sent: Sending,
): OutgoingHttpHeader[] {
  const headers: OutgoingHttpHeader[] = ["x-request-id", request.requestId, "content-length", sent.responseSize];
  if (sent.encoding !== null) headers.push("content-encoding", sent.encoding, "vary", "accept-encoding");
  add(headers, response.headers);
  const { origin } = request.headers;
  if (origin !== undefined) add(headers, corsHeaders(context.cors, origin) ?? {});
  if (sent.close) headers.push("connection", "close");
  return headers;
}

function add(headers: OutgoingHttpHeader[], more: PlainResponse["headers"]): void {
  for (const name in more) {
    const value = more[name];
    if (value !== undefined) headers.push(name, typeof value === "string" ? value : [...value]);
  }
}
