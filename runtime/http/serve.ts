/** Serves one request of `node:http` from its head to its log line. The caller does the routing. */
import type { IncomingMessage, OutgoingHttpHeader, ServerResponse } from "node:http";
import { Kind, parse } from "graphql";
import { hasAdminSecret } from "../config/admin-secrets.ts";
import type { Options } from "../config/option-table.ts";
import { isBatch, logRequest } from "../observe/logs/http-log.ts";
import type { Log } from "../observe/logs/log.ts";
import type { ShownRequestSettings } from "../observe/logs/shown-request.ts";
import { slowMilliseconds } from "../observe/logs/slow-operations.ts";
import type { Events, Handler, PlainResponse, RequestRecord } from "../ports/request.ts";
import type { RequestServices } from "../ports/services.ts";
import type { Telemetry } from "../ports/telemetry.ts";
import { EngineError } from "../values/errors.ts";
import { JoinedBytes } from "../values/joined-bytes.ts";
import { LongText } from "../values/long-text.ts";
import { longAnswer, type ResponseMemory } from "../values/response-memory.ts";
import { type ResponseText, textSize } from "../values/response-text.ts";
import { inSpan, type Span } from "../values/span.ts";
import { type PageCheck, type PageSettings, pageCheck } from "./auth/foreign-page.ts";
import { type BodyLimits, type BodyPace, type BodySettings, bodyLimits, bodyPace } from "./body-limits.ts";
import type { BufferedBodies } from "./buffered-bodies.ts";
import { compress, compressPieces, isCompressed } from "./compression.ts";
import { type CorsSettings, corsHeaders } from "./cors.ts";
import type { EventStreams } from "./events/event-streams.ts";
import { sendEvents } from "./events/send-events.ts";
import { LargeResponses } from "./large-responses.ts";
import { NodeRequest } from "./node-request.ts";
import type { OpenConnections } from "./open-connections.ts";
import { RequestBody } from "./request-body.ts";
import { describeRequest } from "./request-span.ts";
import { staleResponse } from "./response-validity.ts";
import { errorResponse } from "./responses.ts";

export type ServeSettings = CorsSettings &
  PageSettings &
  BodySettings &
  ShownRequestSettings &
  Pick<Options, "maxBufferedBodyBytes" | "bodyTimeoutSeconds" | "bodyLeastRate">;

export interface ServeContext {
  readonly cors: CorsSettings;
  /** Refuses requests of foreign pages before any handler runs; `null` if every page is allowed. */
  readonly pageCheck: PageCheck | null;
  readonly log: Log;
  /** The parts of requests that the log shows. */
  readonly shownRequests: ShownRequestSettings;
  readonly telemetry: Telemetry;
  readonly slowOperations: RequestServices["slowOperations"];
  readonly roleUsage: RequestServices["roleUsage"];
  readonly reportBug: RequestServices["reportBug"];
  readonly bodyLimits: BodyLimits;
  readonly bodyPace: BodyPace;
  /** Shared by all requests of the process. */
  readonly bodies: BufferedBodies;
  /** Shared by all requests of the process. */
  readonly largeResponses: LargeResponses;
  readonly responseMemory: ResponseMemory;
  readonly eventStreams: EventStreams;
  readonly connections: Pick<OpenConnections, "begin" | "end" | "isClosing">;
}

export function serveContext(
  settings: ServeSettings,
  tools: Pick<
    ServeContext,
    | "log"
    | "telemetry"
    | "slowOperations"
    | "roleUsage"
    | "reportBug"
    | "connections"
    | "bodies"
    | "responseMemory"
    | "eventStreams"
  >,
): ServeContext {
  const largeResponses = new LargeResponses(tools.responseMemory, tools.log);
  const { disableCors, corsDomains } = settings;
  // Without an admin secret, `*` allows no origin (see `pageCheck`), so that no foreign page can read a response.
  const cors = { disableCors, corsDomains: hasAdminSecret(settings) ? corsDomains : { ...corsDomains, any: false } };
  return {
    cors,
    pageCheck: pageCheck(settings),
    shownRequests: settings,
    bodyLimits: bodyLimits(settings),
    bodyPace: bodyPace(settings),
    largeResponses,
    ...tools,
  };
}

/** A request that is being served, with its reply. */
interface Exchange {
  readonly context: ServeContext;
  readonly raw: IncomingMessage;
  readonly reply: ServerResponse;
  readonly body: RequestBody;
  readonly request: NodeRequest;
  /** Start of the request, on the clock of `performance.now`. */
  readonly start: number;
}

/** Serves one request: runs the handler, then encodes, sends and logs the response. */
export async function serve(
  context: ServeContext,
  handler: Handler,
  raw: IncomingMessage,
  reply: ServerResponse,
): Promise<void> {
  const slot = context.connections.begin(raw);
  const body = new RequestBody(raw, reply, context);
  const { meters, tracer } = context.telemetry;
  const request = new NodeRequest(raw, body, context.bodyLimits, tracer);
  const exchange = { context, raw, reply, body, request, start: performance.now() };
  let response: PlainResponse;
  try {
    const refusal = context.pageCheck?.(request.method, request.headers) ?? null;
    response = refusal === null ? await handler(request) : errorResponse(refusal);
  } catch (thrown) {
    response = errorResponse(thrown instanceof EngineError ? thrown : context.reportBug(thrown, request.requestId));
  }
  if (meters.isOn) meters.httpRequestBytes.add(body.bytes);
  body.release();
  if (body.isLost) {
    request.span.end();
    context.connections.end(slot);
    return;
  }
  const executionMilliseconds = performance.now() - exchange.start - body.readMilliseconds;
  try {
    const refusal = response.events && eventsRefusal(context, reply);
    if (refusal !== undefined) response = errorResponse(refusal);
    if (response.events === undefined) {
      const encoding = encode(exchange, response);
      let encoded = encoding instanceof Promise ? await encoding : encoding;
      // Between this check and the write, nothing is awaited unless the process was suspended.
      const current = response.validity?.isCurrent() ?? true;
      if (current !== true && !(await current)) encoded = unencoded(errorResponse(staleResponse()));
      const sending = send(exchange, encoded);
      if (sending !== undefined) await sending;
      record(exchange, encoded, executionMilliseconds);
    } else {
      await stream(exchange, response, response.events);
    }
  } catch (bug) {
    context.reportBug(bug, request.requestId);
    request.span.fail(bug);
    request.span.end();
    reply.destroy();
  }
  context.connections.end(slot);
}

/** Resolves when the stream has ended. */
function stream(exchange: Exchange, response: PlainResponse, events: Events): Promise<void> {
  const { context, raw, reply, request, start } = exchange;
  const { readMilliseconds } = exchange.body;
  const { session } = response.record;
  if (session !== null) context.roleUsage?.note(session.role, false, 0, 0);
  const headers = headersOf(exchange, response, { responseSize: null, encoding: null, close: false });
  return sendEvents(context, { request, response, events, raw, reply, headers, readMilliseconds, start });
}

/** A response with its encoded body. */
interface Encoded {
  readonly response: PlainResponse;
  readonly bytes: ResponseText | Buffer;
  readonly encoding: "gzip" | null;
  /** Size of the body in bytes before compression. */
  readonly uncompressedSize: number;
  readonly responseSize: number;
}

function unencoded(response: PlainResponse, uncompressedSize?: number): Encoded {
  const bytes = response.encoded ?? response.body;
  const size = uncompressedSize ?? textSize(bytes);
  return { response, bytes, encoding: null, uncompressedSize: size, responseSize: size };
}

/** Compresses the body if the client accepts it and the body is long enough. */
function encode({ context, request }: Exchange, response: PlainResponse): Encoded | Promise<Encoded> {
  const text = response.encoded ?? response.body;
  const uncompressedSize = textSize(text);
  const isPlain = response.record.error !== null || !isCompressed(uncompressedSize, request.headers["accept-encoding"]);
  if (isPlain) return unencoded(response, uncompressedSize);
  const gzipped = (bytes: Buffer): Encoded => {
    return { response, bytes, encoding: "gzip", uncompressedSize, responseSize: bytes.length };
  };
  if (response.gzip !== undefined) return gzipped(response.gzip);
  return compressed(context, text, uncompressedSize, request.span).then(gzipped);
}

/** @returns a promise if the body is written in several pieces */
function send(exchange: Exchange, encoded: Encoded): Promise<void> | undefined {
  const { context, reply, body } = exchange;
  const { response, bytes, encoding, responseSize } = encoded;
  // The rest of a long request body stays unread, so the connection cannot be reused.
  const { hasLongRest } = body;
  body.limitRest();
  const close = hasLongRest || context.connections.isClosing;
  reply.writeHead(response.status, headersOf(exchange, response, { responseSize, encoding, close }));
  if (hasLongRest) return sendBeforeRest(exchange, bytes);
  if (responseSize > longAnswer || bytes instanceof LongText) {
    context.largeResponses.send(reply, bytes, responseSize);
  } else if (bytes instanceof JoinedBytes) {
    sendPieces(reply, bytes);
  } else if (typeof bytes === "string" && bytes.length === responseSize) {
    // A text with as many bytes as characters is ASCII. Node writes it much faster as latin1.
    reply.end(bytes, "latin1");
  } else {
    reply.end(bytes);
  }
  return undefined;
}

/** The pieces of one value: the text before it, the value, the text after it. */
const piecesOfOne = 3;

function sendPieces(reply: ServerResponse, bytes: JoinedBytes): void {
  const { pieces } = bytes;
  if (pieces.length > piecesOfOne) {
    // Joining several short pieces costs less than handing each to the socket.
    reply.end(bytes.toBuffer());
    return;
  }
  reply.cork();
  for (const piece of pieces) reply.write(piece);
  reply.end();
}

async function sendBeforeRest({ reply, body }: Exchange, bytes: Encoded["bytes"]): Promise<void> {
  for await (const piece of piecesOf(bytes)) reply.write(piece);
  body.discardRest(() => reply.end());
}

/** Records a request in the log, the metrics and its span. */
function record(exchange: Exchange, encoded: Encoded, executionMilliseconds: number): void {
  const { context, raw, request } = exchange;
  const { response, encoding, uncompressedSize, responseSize } = encoded;
  const { readMilliseconds } = exchange.body;
  const { meters } = context.telemetry;
  const { span } = request;
  if (meters.isOn) meters.httpResponseBytes.add(responseSize);
  if (span.isRecording) describeRequest({ request, response, raw, responseSize });
  span.end();
  const { httpVersion } = raw;
  const sizes = { responseSize, uncompressedSize, encoding };
  const times = { readMilliseconds, executionMilliseconds };
  logRequest(context.log, context.shownRequests, { request, response, httpVersion, ...sizes, ...times });
  const { session, error } = response.record;
  if (session !== null) context.roleUsage?.note(session.role, error !== null, executionMilliseconds, uncompressedSize);
  if (executionMilliseconds >= slowMilliseconds) noteSlow(exchange, response.record, executionMilliseconds);
}

/**
 * Records a slow operation. Skips batches, whose operations are not timed separately, and the console's own
 * introspections, which no user started.
 */
function noteSlow({ context, request }: Exchange, record: RequestRecord, milliseconds: number): void {
  const { graphql, session, error } = record;
  const { slowOperations } = context;
  if (slowOperations === undefined || session === null || graphql === undefined || isBatch(graphql)) return;
  if (request.headers["engine-client"] === "console" && isIntrospection(graphql.query)) return;
  slowOperations.note(graphql, { role: session.role, hasFailed: error !== null, milliseconds });
}

/**
 * Returns true if a document selects only introspection fields. Any client can send the mark of the console, so it must
 * not hide other operations.
 */
function isIntrospection(query: string): boolean {
  try {
    return parse(query).definitions.every(
      (definition) =>
        definition.kind !== Kind.OPERATION_DEFINITION ||
        definition.selectionSet.selections.every((each) => each.kind === Kind.FIELD && /^__/.test(each.name.value)),
    );
  } catch {
    return false;
  }
}

/** Returns the reason why an event stream cannot begin, if any. */
function eventsRefusal({ connections }: ServeContext, reply: ServerResponse): EngineError | undefined {
  if (connections.isClosing) {
    return new EngineError("unexpected", "$", "the server is shutting down", { status: 503 });
  }
  if (reply.socket !== null || reply.destroyed) return undefined;
  // If the client pipelines requests, the stream would be buffered until the earlier responses have ended.
  const message = "an event stream cannot wait for an earlier response on its connection; open a separate connection";
  return new EngineError("not-supported", "$", message);
}

function piecesOf(body: Encoded["bytes"]): AsyncIterable<Buffer> | readonly (string | Buffer)[] {
  if (body instanceof LongText) return body.pieces();
  if (body instanceof JoinedBytes) return body.pieces;
  return [body];
}

/** Compresses a body and counts its memory. */
async function compressed(
  { responseMemory }: ServeContext,
  body: ResponseText,
  size: number,
  span: Span,
): Promise<Buffer> {
  const compressing = span.child("Compress response");
  if (body instanceof LongText) return await inSpan(compressing, () => body.gzip());
  responseMemory.take(size);
  try {
    return await inSpan(compressing, () => (typeof body === "string" ? compress(body, size) : compressPieces(body)));
  } finally {
    responseMemory.release(size);
  }
}

/** The transfer of a body. */
interface Sending {
  /** The size in bytes; `null` if unknown in advance. */
  readonly responseSize: number | null;
  readonly encoding: "gzip" | null;
  readonly close: boolean;
}

/** Returns the headers as alternating names and values, which Node writes fastest. */
function headersOf({ context, request }: Exchange, response: PlainResponse, sent: Sending): OutgoingHttpHeader[] {
  const headers: OutgoingHttpHeader[] = ["x-request-id", request.requestId];
  if (sent.responseSize !== null) headers.push("content-length", sent.responseSize);
  if (sent.encoding !== null) headers.push("content-encoding", sent.encoding, "vary", "accept-encoding");
  add(headers, response.headers);
  const { origin } = request.headers;
  if (origin !== undefined) add(headers, corsHeaders(context.cors, origin, response.headers) ?? {});
  if (sent.close) headers.push("connection", "close");
  return headers;
}

function add(headers: OutgoingHttpHeader[], more: PlainResponse["headers"]): void {
  for (const name in more) {
    const value = more[name];
    if (value !== undefined) headers.push(name, typeof value === "string" ? value : [...value]);
  }
}
