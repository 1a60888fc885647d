/** Sends an event stream, from its head to its log line. */
import type { IncomingMessage, OutgoingHttpHeader, ServerResponse } from "node:http";
import { logRequest } from "../../observe/logs/http-log.ts";
import type { Log } from "../../observe/logs/log.ts";
import type { ShownRequestSettings } from "../../observe/logs/shown-request.ts";
import type { Events, PlainRequest, PlainResponse } from "../../ports/request.ts";
import type { Telemetry } from "../../ports/telemetry.ts";
import { describeRequest } from "../request-span.ts";
import type { EventStreams } from "./event-streams.ts";

export interface EventsContext {
  readonly eventStreams: EventStreams;
  readonly telemetry: Telemetry;
  readonly log: Log;
  readonly shownRequests: ShownRequestSettings;
}

export interface EventsExchange {
  readonly request: PlainRequest;
  readonly response: PlainResponse;
  readonly events: Events;
  readonly raw: IncomingMessage;
  readonly reply: ServerResponse;
  readonly headers: OutgoingHttpHeader[];
  readonly readMilliseconds: number;
  /** Start of the request, on the clock of `performance.now`. */
  readonly start: number;
}

/** Sends a stream. Resolves when the client has disconnected or received the whole stream. */
export async function sendEvents(context: EventsContext, exchange: EventsExchange): Promise<void> {
  const { request, response, events, raw, reply, headers, readMilliseconds, start } = exchange;
  const { meters } = context.telemetry;
  const { span } = request;
  reply.writeHead(response.status, headers);
  const stream = context.eventStreams.open(reply, events, (bytes) => {
    if (meters.isOn) meters.httpResponseBytes.add(bytes);
  });
  await events.start(stream);
  const executionMilliseconds = performance.now() - start - readMilliseconds;
  // The span ends when the stream begins, because a stream may last for days.
  if (span.isRecording) describeRequest({ request, response: withError(response, events), raw, responseSize: 0 });
  span.end();
  await stream.closed;
  logRequest(context.log, context.shownRequests, {
    request,
    response: withError(response, events),
    httpVersion: raw.httpVersion,
    responseSize: stream.size,
    uncompressedSize: stream.size,
    encoding: null,
    readMilliseconds,
    executionMilliseconds,
  });
}

function withError(response: PlainResponse, { error }: Events): PlainResponse {
  return error === null ? response : { ...response, record: { ...response.record, error } };
}
