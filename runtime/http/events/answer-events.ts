/**
 * A request that asks for its results as an event stream: the result of a query or mutation with the end behind it, or
 * those of a subscription for as long as the client reads.
 */
import type { AuthenticatedSession } from "../../ports/authentication.ts";
import type { AnswerBasis } from "../../ports/graphql.ts";
import type { Handler, PlainRequest, PlainResponse, RequestRecord } from "../../ports/request.ts";
import type { AdmittedSession } from "../../values/admitted-session.ts";
import { EngineError } from "../../values/errors.ts";
import { GivenHeaders, withGiven } from "../given-headers.ts";
import type { BodyItem, GraphqlBody } from "../graphql-body.ts";
import { admitBody, type FailedOperation, failure, type GraphqlEndpoint } from "../graphql-request.ts";
import { jsonResponse } from "../responses.ts";
import { completeEvent, nextEvent, ResultEvents } from "./event-text.ts";
import { subscriptionEvents } from "./subscription-events.ts";

const headers = {
  "content-type": "text/event-stream; charset=utf-8",
  // No transformation: what compresses answers would keep events back.
  "cache-control": "no-store, no-transform",
  // The same for nginx, which waits for a full buffer otherwise.
  "x-accel-buffering": "no",
};

export function eventsHandler(endpoint: GraphqlEndpoint): Handler {
  const results = new ResultEvents();
  return (request) => answer(endpoint, request, results);
}

async function answer(endpoint: GraphqlEndpoint, request: PlainRequest, results: ResultEvents): Promise<PlainResponse> {
  const asked = await admitBody(endpoint, request);
  if (asked.kind === "refused") return failed(endpoint, asked.failed, { mode: "error", session: asked.session });
  const { admitted } = asked;
  const { session } = admitted;
  const item = single(asked.body);
  const graphql = item instanceof EngineError ? undefined : item;
  const record = { mode: "single", session, graphql } as const;
  try {
    return await run(endpoint, item, { admitted, request, results });
  } catch (thrown) {
    return failed(endpoint, failure(endpoint, thrown, { session, request, item }), record);
  }
}

function single(body: GraphqlBody): BodyItem {
  if (body.mode === "single") return body.item;
  const message = "an event stream is for one operation: send those of the list in requests of their own";
  return new EngineError("not-supported", "$", message);
}

interface Asking {
  readonly admitted: AdmittedSession<AuthenticatedSession>;
  readonly request: PlainRequest;
  readonly results: ResultEvents;
}

/** @throws EngineError where there is no result */
async function run(endpoint: GraphqlEndpoint, item: BodyItem, asking: Asking): Promise<PlainResponse> {
  if (item instanceof EngineError) throw item;
  const { admitted, request, results } = asking;
  const { session } = admitted;
  const record: RequestRecord = { mode: "single", session, error: null, graphql: item };
  const prepared = await endpoint.services.graphql.prepare(item, admitted);
  if (prepared.kind !== "subscription") {
    const given = new GivenHeaders();
    const data = await prepared.run(request.caller, given);
    // Caches know nothing of streams.
    given.cached = undefined;
    return withGiven(eventResponse(nextEvent(`{"data":${data}}`) + completeEvent, record, given), given);
  }
  const events = subscriptionEvents({
    prepared,
    results,
    expiresAt: session.expiresAt,
    failure: (thrown) => failure(endpoint, thrown, { session, request, item }),
  });
  return { ...eventResponse("", record), events };
}

/** Where the status of the answer is that of the error, clients do not read what it says: any form will do. */
function failed(
  { statusOf }: GraphqlEndpoint,
  { error, body }: FailedOperation,
  about: Omit<RequestRecord, "error">,
): PlainResponse {
  const status = statusOf(error);
  const record = { ...about, error };
  return status === 200 ? eventResponse(nextEvent(body) + completeEvent, record) : jsonResponse(status, body, record);
}

function eventResponse(body: string, record: RequestRecord, basis?: AnswerBasis): PlainResponse {
  const response = jsonResponse(200, body, record, basis);
  return { ...response, headers: { ...response.headers, ...headers } };
}
