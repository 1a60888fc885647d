/**
 * Responds with an event stream: the result of a query or mutation followed by `complete`, or the results of a
 * subscription for as long as the client stays connected.
 */
import type { AuthenticatedSession } from "../../ports/authentication.ts";
import type { PreparedOperation, ResponseValidity } from "../../ports/graphql.ts";
import type { EventChannel, Events, Handler, PlainRequest, PlainResponse, RequestRecord } from "../../ports/request.ts";
import type { AdmittedSession } from "../../values/admitted-session.ts";
import { renderResponse, showsInternal } from "../../values/error-body.ts";
import { EngineError } from "../../values/errors.ts";
import { enclosed, type ResponseText, toBytes, unpacked } from "../../values/response-text.ts";
import { CollectedHeaders, withCollected } from "../collected-headers.ts";
import type { BodyItem, GraphqlBody } from "../graphql-body.ts";
import { admitBody, type FailedOperation, failure, type GraphqlEndpoint } from "../graphql-request.ts";
import { jsonResponse } from "../responses.ts";
import { completeEvent, nextEvent, ResultEvents } from "./event-text.ts";

const headers = {
  "content-type": "text/event-stream; charset=utf-8",
  // `no-transform`, because compressing proxies would buffer events.
  "cache-control": "no-store, no-transform",
  // Disables the response buffer of nginx.
  "x-accel-buffering": "no",
};

export function eventsHandler(endpoint: GraphqlEndpoint): Handler {
  const results = new ResultEvents();
  return (request) => respond(endpoint, request, results);
}

async function respond(
  endpoint: GraphqlEndpoint,
  request: PlainRequest,
  results: ResultEvents,
): Promise<PlainResponse> {
  const admission = await admitBody(endpoint, request);
  if (admission.kind === "refused")
    return failed(endpoint, admission.failed, { mode: "error", session: admission.session });
  const { admitted } = admission;
  const { session } = admitted;
  const item = single(admission.body);
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
  const message = "an event stream carries one operation; send each operation of the batch in a separate request";
  return new EngineError("not-supported", "$", message);
}

interface RunContext {
  readonly admitted: AdmittedSession<AuthenticatedSession>;
  readonly request: PlainRequest;
  readonly results: ResultEvents;
}

/**
 * Runs the operation.
 * @throws EngineError if there is no result
 */
async function run(endpoint: GraphqlEndpoint, item: BodyItem, context: RunContext): Promise<PlainResponse> {
  if (item instanceof EngineError) throw item;
  const { admitted, request, results } = context;
  const { session } = admitted;
  const record: RequestRecord = { mode: "single", session, error: null, graphql: item };
  const prepared = await endpoint.services.graphql.prepare(item, admitted);
  if (prepared.kind !== "subscription") {
    const collected = new CollectedHeaders();
    const data = await unpacked(await prepared.run(request.caller, collected));
    // Event streams are not cacheable.
    collected.cached = undefined;
    const { errors } = collected;
    const body = renderResponse(data, errors, showsInternal(endpoint.visibility, session));
    const finished = { ...record, error: errors[0] ?? null };
    return withCollected(eventResponse(enclosed(nextEvent(body), "", completeEvent), finished, collected), collected);
  }
  const events = subscriptionEvents({
    prepared,
    results,
    withInternal: showsInternal(endpoint.visibility, session),
    expiresAt: session.expiresAt,
    failure: (thrown) => failure(endpoint, thrown, { session, request, item }),
  });
  return { ...eventResponse("", record), events };
}

/**
 * Returns the response for a failed request. Its body is plain JSON, because clients of event streams ignore the body
 * if the status is not 200.
 */
function failed(
  { statusOf }: GraphqlEndpoint,
  { error, body }: FailedOperation,
  about: Omit<RequestRecord, "error">,
): PlainResponse {
  const status = statusOf(error);
  const record = { ...about, error };
  return status === 200 ? eventResponse(nextEvent(body) + completeEvent, record) : jsonResponse(status, body, record);
}

function eventResponse(body: ResponseText, record: RequestRecord, validity?: ResponseValidity): PlainResponse {
  const response = jsonResponse(200, body, record, validity);
  return { ...response, headers: { ...response.headers, ...headers } };
}

interface SubscriptionParts {
  readonly prepared: Extract<PreparedOperation, { kind: "subscription" }>;
  /** Shared by all streams. */
  readonly results: ResultEvents;
  /** True if errors of fields include `internal`. */
  readonly withInternal: boolean;
  /** When the session expires; absent for sessions without expiry. */
  readonly expiresAt: number | undefined;
  readonly failure: (thrown: unknown) => FailedOperation;
}

function subscriptionEvents({ prepared, results, withInternal, expiresAt, failure }: SubscriptionParts): Events {
  let last: EngineError | null = null;
  const start = async (channel: EventChannel): Promise<void> => {
    const fail = (thrown: unknown): void => {
      if (channel.isEnded) return;
      const { error, body } = failure(thrown);
      last = error;
      channel.send(nextEvent(body));
    };
    const complete = (): void => {
      channel.send(completeEvent);
      channel.end();
    };
    try {
      const subscription = await prepared.subscribe({
        next: (data, errors) =>
          channel.send(errors ? toBytes(nextEvent(renderResponse(data, errors, withInternal))) : results.of(data)),
        error: fail,
        complete,
        isBusy: () => channel.isBusy(),
        get aborted() {
          return channel.isEnded;
        },
      });
      void channel.ended.then(() => subscription.stop());
    } catch (thrown) {
      fail(thrown);
      complete();
    }
  };
  return {
    expiresAt,
    start,
    get error() {
      return last;
    },
  };
}
