/**
 * One request of `node:http` from its head to its answer: ask the handler, write what it says, log.
 * Knows no router, so that every kind of server can use it.
 */
import type { IncomingMessage, OutgoingHttpHeader, ServerResponse } from "node:http";
import { hasAdminSecret } from "../config/admin-secrets.ts";
import type { Options } from "../config/option-table.ts";
import { isBatch, logRequest } from "../observe/logs/http-log.ts";
import type { Log } from "../observe/logs/log.ts";
import type { ShownRequestSettings } from "../observe/logs/shown-request.ts";
import { slowMilliseconds } from "../observe/logs/slow-operations.ts";
import type { LongBody } from "../ports/graphql.ts";
import type { Handler, PlainRequest, PlainResponse, RequestRecord } from "../ports/request.ts";
import type { RequestServices } from "../ports/services.ts";
import type { Telemetry } from "../ports/telemetry.ts";
import { type AnswerMemory, longAnswer } from "../values/answer-memory.ts";
import { EngineError } from "../values/errors.ts";
import { LongText } from "../values/long-text.ts";
import { inSpan, type Span } from "../values/span.ts";
import { type PageCheck, type PageSettings, pageCheck } from "./auth/foreign-page.ts";
import { type BodyLimits, type BodyPace, type BodySettings, bodyLimits, bodyPace } from "./body-limits.ts";
import type { BufferedBodies } from "./buffered-bodies.ts";
import { compress, isCompressed } from "./compression.ts";
import { type CorsSettings, corsHeaders } from "./cors.ts";
import type { EventStreams } from "./events/event-streams.ts";
import { sendEvents } from "./events/send-events.ts";
import { LargeAnswers } from "./large-answers.ts";
import { NodeRequest } from "./node-request.ts";
import type { OpenConnections } from "./open-connections.ts";
import { overtakenAnswer } from "./read-bases.ts";
import { RequestBody } from "./request-body.ts";
import { describeRequest } from "./request-span.ts";
import { errorResponse } from "./responses.ts";

export type ServeSettings = CorsSettings &
  PageSettings &
  BodySettings &
  ShownRequestSettings &
  Pick<Options, "maxBufferedBodyBytes" | "bodyTimeoutSeconds" | "bodyLeastRate">;

export interface ServeContext {
  readonly cors: CorsSettings;
  /** Refuses requests of foreign pages before any handler; `null`: there are none to refuse. */
  readonly pageCheck: PageCheck | null;
  readonly log: Log;
  /** What of requests the log shows. */
  readonly shownRequests: ShownRequestSettings;
  readonly telemetry: Telemetry;
  readonly slowOperations: RequestServices["slowOperations"];
  readonly reportBug: RequestServices["reportBug"];
  readonly bodyLimits: BodyLimits;
  readonly bodyPace: BodyPace;
  /** Those of all requests of the process. */
  readonly bodies: BufferedBodies;
  /** Those of all requests of the process. */
  readonly answers: LargeAnswers;
  readonly answerMemory: AnswerMemory;
  /** Those of the process. */
  readonly eventStreams: EventStreams;
  readonly connections: Pick<OpenConnections, "begin" | "end" | "isClosing">;
}

export function serveContext(
  settings: ServeSettings,
  tools: Pick<
    ServeContext,
    "log" | "telemetry" | "slowOperations" | "reportBug" | "connections" | "bodies" | "answerMemory" | "eventStreams"
  >,
): ServeContext {
  const answers = new LargeAnswers(tools.answerMemory, tools.log);
  const { disableCors, corsDomains } = settings;
  // Without an admin secret `*` allows no origin (`pageCheck`), so no page is to read an answer either.
  const cors = { disableCors, corsDomains: hasAdminSecret(settings) ? corsDomains : { ...corsDomains, any: false } };
  return {
    cors,
    pageCheck: pageCheck(settings),
    shownRequests: settings,
    bodyLimits: bodyLimits(settings),
    bodyPace: bodyPace(settings),
    answers,
    ...tools,
  };
}

/** Answers one request; never rejects. */
export async function serve(
  context: ServeContext,
  handler: Handler,
  raw: IncomingMessage,
  reply: ServerResponse,
): Promise<void> {
  const place = context.connections.begin(raw);
  const body = new RequestBody(raw, reply, context);
  const { meters, tracer } = context.telemetry;
  const request = new NodeRequest(raw, body, context.bodyLimits, tracer);
  const { span } = request;
  const start = performance.now();
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
    span.end();
    context.connections.end(place);
    return;
  }
  const { readMilliseconds } = body;
  const executionMilliseconds = performance.now() - start - readMilliseconds;
  try {
    const refusal = response.events && noEvents(context, reply);
    if (refusal !== undefined) response = errorResponse(refusal);
    if (response.events !== undefined) {
      const headers = headersOf(context, request, response, { responseSize: null, encoding: null, close: false });
      await sendEvents(context, {
        request,
        response,
        events: response.events,
        raw,
        reply,
        headers,
        readMilliseconds,
        start,
      });
      context.connections.end(place);
      return;
    }
    const text = response.long ?? response.body;
    let uncompressedSize = sizeOf(text);
    const isPlain =
      response.record.error !== null || !isCompressed(uncompressedSize, request.headers["accept-encoding"]);
    let encoding: Sending["encoding"] = isPlain ? null : "gzip";
    let bytes = isPlain ? text : (response.gzip ?? (await compressed(context, text, uncompressedSize, span)));
    // Nothing is waited for from here to the write, unless the process stood still.
    const holds = response.basis?.holds() ?? true;
    if (holds !== true && !(await holds)) {
      response = errorResponse(overtakenAnswer());
      encoding = null;
      bytes = response.body;
      uncompressedSize = sizeOf(bytes);
    }
    const responseSize = Buffer.isBuffer(bytes) ? bytes.length : uncompressedSize;
    // The rest of a long body is not read, so nothing can follow it.
    const { hasLongRest } = body;
    body.limitRest();
    const close = hasLongRest || context.connections.isClosing;
    reply.writeHead(response.status, headersOf(context, request, response, { responseSize, encoding, close }));
    if (hasLongRest) {
      for await (const piece of isLong(bytes) ? bytes.pieces() : [bytes]) reply.write(piece);
      body.discardRest(() => reply.end());
    } else if (responseSize > longAnswer || isLong(bytes)) {
      context.answers.send(reply, bytes, responseSize);
    } else if (typeof bytes === "string" && bytes.length === responseSize) {
      // What has as many bytes as characters is ASCII, which is written much faster where Node knows.
      reply.end(bytes, "latin1");
    } else {
      reply.end(bytes);
    }
    if (meters.isOn) meters.httpResponseBytes.add(responseSize);
    if (span.isRecording) describeRequest({ request, response, raw, responseSize });
    span.end();
    logRequest(context.log, context.shownRequests, {
      request,
      response,
      httpVersion: raw.httpVersion,
      responseSize,
      uncompressedSize,
      encoding,
      readMilliseconds,
      executionMilliseconds,
    });
    if (executionMilliseconds >= slowMilliseconds) noteSlow(context, response.record, executionMilliseconds);
  } catch (bug) {
    context.reportBug(bug, request.requestId);
    span.fail(bug);
    span.end();
    reply.destroy();
  }
  context.connections.end(place);
}

/** Operations of a batch are not told apart, and left out. */
function noteSlow({ slowOperations }: ServeContext, record: RequestRecord, milliseconds: number): void {
  const { graphql, session, error } = record;
  if (slowOperations === undefined || session === null || graphql === undefined || isBatch(graphql)) return;
  slowOperations.note(graphql, { role: session.role, hasFailed: error !== null, milliseconds });
}

/** Why an answer that goes on cannot be given; `undefined`: it can. */
function noEvents({ connections }: ServeContext, reply: ServerResponse): EngineError | undefined {
  if (connections.isClosing) {
    return new EngineError("unexpected", "$", "the server is shutting down", { status: 503 });
  }
  if (reply.socket !== null || reply.destroyed) return undefined;
  // It would be kept in memory until those before it have ended.
  const message = "an event stream cannot wait for another answer of its connection: use a connection of its own";
  return new EngineError("not-supported", "$", message);
}

const isLong = (body: string | Buffer | LongBody): body is LongBody =>
  typeof body !== "string" && !Buffer.isBuffer(body);

const sizeOf = (text: string | LongBody): number => (typeof text === "string" ? Buffer.byteLength(text) : text.size);

/** Answers wait for each other to be compressed. */
async function compressed(
  { answerMemory }: ServeContext,
  body: string | LongBody,
  size: number,
  span: Span,
): Promise<Buffer> {
  const compressing = span.child("Compress response");
  if (body instanceof LongText) return await inSpan(compressing, () => body.gzip());
  answerMemory.take(size);
  try {
    return await inSpan(compressing, () => (typeof body === "string" ? compress(body, size) : body.gzip()));
  } finally {
    answerMemory.give(size);
  }
}

/** How a body goes over the wire. */
interface Sending {
  /** In bytes; `null`: not known. */
  readonly responseSize: number | null;
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
