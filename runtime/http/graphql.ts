/** `/v1/graphql` and `/v1alpha1/graphql`: one operation or a batch; errors in the GraphQL form. */

import type { AuthenticatedSession } from "../ports/authentication.ts";
import type { GraphqlRequest } from "../ports/graphql.ts";
import type { Handler, PlainRequest, PlainResponse, RequestRecord } from "../ports/request.ts";
import type { RequestServices } from "../ports/services.ts";
import type { AdmittedSession } from "../values/admitted-session.ts";
import { type ErrorVisibility, renderError } from "../values/error-body.ts";
import { EngineError } from "../values/errors.ts";
import { parseJsonBetweenOthers } from "../values/parse-json.ts";
import { eventsHandler } from "./events/answer-events.ts";
import { GivenHeaders, withGiven } from "./given-headers.ts";
import { type BodyItem, readGraphqlBody } from "./graphql-body.ts";
import { admitBody, failure, type GraphqlEndpoint, type Posted, type UrlOperation } from "./graphql-request.ts";
import { readGraphqlUrl } from "./graphql-url.ts";
import { graphqlResponseType, prefersEvents, prefersGraphqlResponse } from "./media-type.ts";
import { isMultipart, readMultipart } from "./multipart.ts";
import { jsonResponse } from "./responses.ts";
import { readUploads } from "./uploads.ts";

export interface GraphqlSettings extends ErrorVisibility {
  readonly preserve401Errors: boolean;
  /** Of a request; 0: none are taken. */
  readonly maxUploadFiles: number;
  readonly maxUploadFileBytes: number;
}

export interface RelaySettings {
  readonly enableRelay: boolean;
}

export function relayDisabled(): EngineError {
  const message =
    "The Relay API is disabled. To enable it, set the ENGINE_GRAPHQL_ENABLE_RELAY environment variable to 'true'.";
  return new EngineError("not-supported", "$", message);
}

/** `POST /v1/graphql`: status 200 for errors too, but for failed authentication where the settings say so. */
export function graphqlHandler(services: RequestServices, settings: GraphqlSettings): Handler {
  return handlerOf({ ...postedTo(services, settings), statusOf: statusOfErrors(settings) });
}

/** `POST /v1alpha1/graphql`: errors have their own status. */
export function graphqlAlphaHandler(services: RequestServices, settings: GraphqlSettings): Handler {
  return handlerOf({ ...postedTo(services, settings), statusOf: (error) => error.status });
}

/** `POST /v1/relay` and `/v1beta1/relay`: as `/v1/graphql`, on the Relay schema. */
export function relayHandler(services: RequestServices, settings: GraphqlSettings & RelaySettings): Handler {
  if (settings.enableRelay) return graphqlHandler({ ...services, graphql: services.relay }, settings);
  const error = relayDisabled();
  const record = { mode: "error", session: null, error } as const;
  return async () => jsonResponse(error.status, renderError(error, false), record);
}

/** `GET /v1/graphql`: queries in the URL, whose answers nobody may keep unless the query asks for it. */
export function graphqlUrlHandler(services: RequestServices, settings: GraphqlSettings): Handler {
  const handler = handlerOf({
    services,
    visibility: settings,
    bodyOf: ({ query: url }) => ({ url }),
    parse: (posted) => readGraphqlUrl(isUrl(posted) ? posted.url : {}),
    statusOf: statusOfErrors(settings),
    execute: executeQuery(services),
    isSimple: true,
  });
  return async (request) => {
    const response = await handler(request);
    const allow = response.status === notAllowed ? { allow: "POST" } : {};
    return { ...response, headers: { "cache-control": "no-store", ...response.headers, ...allow } };
  };
}

const notAllowed = 405;

const ways = { mutation: "POST", subscription: "WebSocket, or by POST with Accept: text/event-stream" };

/** Only what changes nothing: a link, an image or a prefetch may send it. */
function executeQuery({ graphql }: RequestServices): GraphqlEndpoint["execute"] {
  return async (request, by, caller, headers) => {
    const prepared = await graphql.prepare(request, by);
    if (prepared.kind === "query") return prepared.run(caller, headers);
    const message = `a ${prepared.kind} is not taken by GET: send it by ${ways[prepared.kind]}`;
    throw new EngineError("not-supported", "$", message, { status: notAllowed });
  };
}

/** Bodies that were not read: proxies and clients in between have to know, whatever they understand of GraphQL. */
const transportStatuses: ReadonlySet<number> = new Set([notAllowed, 408, 413, 503]);

function statusOfErrors({ preserve401Errors }: GraphqlSettings): (error: EngineError) => number {
  return ({ status }) => (transportStatuses.has(status) || (preserve401Errors && status === 401) ? status : 200);
}

function isUrl(posted: Posted): posted is UrlOperation {
  return typeof posted !== "string" && "url" in posted;
}

function postedTo(services: RequestServices, settings: GraphqlSettings): Omit<GraphqlEndpoint, "statusOf"> {
  const { maxUploadFiles, maxUploadFileBytes } = settings;
  return {
    services,
    visibility: settings,
    hasEvents: true,
    execute: services.graphql.execute,
    bodyOf(request, session) {
      const type = request.headers["content-type"];
      if (session === null || type === undefined || !isMultipart(type)) return request.readBody(session);
      if (maxUploadFiles === 0) {
        throw new EngineError("not-supported", "$", "files are not taken (--max-upload-files)", { status: 415 });
      }
      const limits = { files: maxUploadFiles, fileBytes: maxUploadFileBytes };
      return request
        .readUpload(session)
        .then(({ bytes, textBytes }) => readMultipart(bytes, type, { ...limits, textBytes }));
    },
    parse(body) {
      if (isUrl(body)) return readGraphqlUrl(body.url);
      if (typeof body !== "string") return readUploads(body);
      const json = parseJsonBetweenOthers(body);
      return json instanceof Promise ? json.then(readGraphqlBody) : readGraphqlBody(json);
    },
  };
}

function handlerOf(given: GraphqlEndpoint): Handler {
  const modern: GraphqlEndpoint = { ...given, statusOf: ({ status }) => Math.max(status, 400) };
  const events = eventsHandler(given);
  // No promise around the usual answer: each costs a request several turns.
  return (request) => {
    if (given.hasEvents === true && prefersEvents(request.headers)) return events(request);
    return prefersGraphqlResponse(request.headers) ? answerModern(modern, request) : answer(given, request);
  };
}

/** As clients of GraphQL over HTTP expect it. */
async function answerModern(endpoint: GraphqlEndpoint, request: PlainRequest): Promise<PlainResponse> {
  const response = await answer(endpoint, request);
  if (response.record.mode === "batched") return response;
  return { ...response, headers: { ...response.headers, "content-type": `${graphqlResponseType}; charset=utf-8` } };
}

async function answer(endpoint: GraphqlEndpoint, request: PlainRequest): Promise<PlainResponse> {
  const asked = await admitBody(endpoint, request);
  if (asked.kind === "refused") {
    const { session, failed } = asked;
    const { error } = failed;
    return jsonResponse(endpoint.statusOf(error), failed.body, { mode: "error", session, error });
  }
  const { body, admitted } = asked;
  if (body.mode === "batched") return runBatch(endpoint, body.items, admitted, request);
  const { item } = body;
  const given = new GivenHeaders(true);
  const { body: text, error } = await run(endpoint, item, admitted, request, given);
  const status = error === null ? 200 : endpoint.statusOf(error);
  const graphql = item instanceof EngineError ? undefined : item;
  const { session } = admitted;
  // Not added behind a spread, which takes longer than all else of it.
  const response = jsonResponse(status, text, { mode: "single", session, error, graphql }, given);
  const { long } = given;
  if (error !== null || long === undefined) return withGiven(response, given);
  return withGiven({ ...response, body: "", long: long.within('{"data":', "}") }, given);
}

/** One after the other, each on its own; the batch itself succeeds whatever becomes of its parts. */
async function runBatch(
  endpoint: GraphqlEndpoint,
  items: readonly BodyItem[],
  admitted: AdmittedSession<AuthenticatedSession>,
  request: PlainRequest,
): Promise<PlainResponse> {
  const outcomes: Outcome[] = [];
  const given = new GivenHeaders();
  for (const item of items) outcomes.push(await run(endpoint, item, admitted, request, given));
  // No header can say how long each of them is kept.
  given.cached = undefined;
  const record: RequestRecord = {
    mode: "batched",
    session: admitted.session,
    error: outcomes.find(({ error }) => error !== null)?.error ?? null,
    graphql: items.filter((item): item is GraphqlRequest => !(item instanceof EngineError)),
    parts: outcomes.map(({ body, error }) => ({ size: Buffer.byteLength(body), error })),
  };
  return withGiven(jsonResponse(200, `[${outcomes.map(({ body }) => body).join(",")}]`, record, given), given);
}

interface Outcome {
  readonly body: string;
  readonly error: EngineError | null;
}

function run(
  endpoint: GraphqlEndpoint,
  item: BodyItem,
  admitted: AdmittedSession,
  request: PlainRequest,
  given: GivenHeaders,
): Promise<Outcome> {
  const failed = (thrown: unknown): Outcome => failure(endpoint, thrown, { session: admitted.session, request, item });
  if (item instanceof EngineError) return Promise.resolve(failed(item));
  return endpoint.execute(item, admitted, request.caller, given).then(succeeded, failed);
}

const succeeded = (data: string): Outcome => ({ body: `{"data":${data}}`, error: null });
