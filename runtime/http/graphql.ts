/** `/v1/graphql` and `/v1alpha1/graphql`: one operation or a batch; errors in the GraphQL form. */

import type { AskedOperations, AuthenticatedSession } from "../ports/authentication.ts";
import type { GraphqlRequest } from "../ports/graphql.ts";
import type { Handler, PlainRequest, PlainResponse } from "../ports/request.ts";
import type { RequestServices } from "../ports/services.ts";
import type { AdmittedSession } from "../values/admitted-session.ts";
import { type ErrorVisibility, renderError, renderGraphqlError, showsInternal } from "../values/error-body.ts";
import { EngineError } from "../values/errors.ts";
import { lazy } from "../values/lazy.ts";
import { parseJsonBetweenOthers } from "../values/parse-json.ts";
import { requestSession, type Session } from "../values/session.ts";
import { AnswerCookies, withCookies } from "./answer-cookies.ts";
import { errorLocations } from "./error-locations.ts";
import { type BodyItem, type GraphqlBody, persistedQueryNotSupported, readGraphqlBody } from "./graphql-body.ts";
import { isMultipart, type MultipartParts, readMultipart } from "./multipart.ts";
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

interface Endpoint {
  readonly services: RequestServices;
  readonly visibility: ErrorVisibility;
  /** @param session `null`: not known yet */
  readonly bodyOf: (request: PlainRequest, session: Session | null) => Posted | Promise<Posted>;
  readonly parse: (posted: Posted) => GraphqlBody | Promise<GraphqlBody>;
  readonly statusOf: (error: EngineError) => number;
}

/** `POST /v1/graphql`: status 200 for errors too, but for failed authentication where the settings say so. */
export function graphqlHandler(services: RequestServices, settings: GraphqlSettings): Handler {
  return handlerOf({ services, visibility: settings, ...posted(settings), statusOf: statusOfErrors(settings) });
}

/** `POST /v1alpha1/graphql`: errors have their own status. */
export function graphqlAlphaHandler(services: RequestServices, settings: GraphqlSettings): Handler {
  return handlerOf({ services, visibility: settings, ...posted(settings), statusOf: (error) => error.status });
}

/** `POST /v1/relay` and `/v1beta1/relay`: as `/v1/graphql`, on the Relay schema. */
export function relayHandler(services: RequestServices, settings: GraphqlSettings & RelaySettings): Handler {
  if (settings.enableRelay) return graphqlHandler({ ...services, graphql: services.relay }, settings);
  const error = relayDisabled();
  const record = { mode: "error", session: null, error } as const;
  return async () => jsonResponse(error.status, renderError(error, false), record);
}

/** `GET /v1/graphql` is for persisted queries, which are not offered (ruling 20 of the specification). */
export function persistedQueryHandler(services: RequestServices, settings: GraphqlSettings): Handler {
  const parse = (): GraphqlBody => ({ mode: "single", item: persistedQueryNotSupported() });
  return handlerOf({ services, visibility: settings, bodyOf: () => "", parse, statusOf: statusOfErrors(settings) });
}

/** Bodies that were not read: proxies and clients in between have to know, whatever they understand of GraphQL. */
const transportStatuses: ReadonlySet<number> = new Set([408, 413, 503]);

function statusOfErrors({ preserve401Errors }: GraphqlSettings): (error: EngineError) => number {
  return ({ status }) => (transportStatuses.has(status) || (preserve401Errors && status === 401) ? status : 200);
}

/** The text of a body, or its parts. */
type Posted = string | MultipartParts;

function posted({ maxUploadFiles, maxUploadFileBytes }: GraphqlSettings): Pick<Endpoint, "bodyOf" | "parse"> {
  return {
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
      if (typeof body !== "string") return readUploads(body);
      const json = parseJsonBetweenOthers(body);
      return json instanceof Promise ? json.then(readGraphqlBody) : readGraphqlBody(json);
    },
  };
}

function handlerOf(endpoint: Endpoint): Handler {
  return async (request) => {
    let session: AuthenticatedSession | null = null;
    let admitted: AdmittedSession<AuthenticatedSession>;
    let body: GraphqlBody;
    let posted: Posted = "";
    const read = lazy(() => endpoint.parse(posted));
    const asked = async (): Promise<AskedOperations> => {
      // Files of clients that nobody knows yet are not read.
      if (isMultipart(request.headers["content-type"])) return null;
      posted = await endpoint.bodyOf(request, null);
      return readable(read);
    };
    try {
      const found = endpoint.services.authenticator.authenticate(request.headers, {
        method: request.method,
        graphql: asked,
      });
      session = requestSession(found instanceof Promise ? await found : found, request);
      // What is wrong with the body comes after authentication: who may not ask is told that, whatever it is like.
      posted = await endpoint.bodyOf(request, session);
      const parsed = read();
      body = parsed instanceof Promise ? await parsed : parsed;
      admitted = endpoint.services.admission.admit(session, body.mode === "batched" ? body.items.length : 1, request);
    } catch (thrown) {
      const { error, body: message } = failure(endpoint, thrown, { session, request });
      return jsonResponse(endpoint.statusOf(error), message, { mode: "error", session, error });
    }
    if (body.mode === "batched") return runBatch(endpoint, body.items, admitted, request);
    const { item } = body;
    const cookies = new AnswerCookies();
    const { body: answer, error } = await run(endpoint, item, admitted, request, cookies);
    const status = error === null ? 200 : endpoint.statusOf(error);
    const graphql = item instanceof EngineError ? undefined : item;
    return withCookies(jsonResponse(status, answer, { mode: "single", session, error, graphql }), cookies);
  };
}

/** The requests of a body for who has to decide about them before they are looked at. */
async function readable(read: () => GraphqlBody | Promise<GraphqlBody>): Promise<AskedOperations> {
  const requestOf = (item: BodyItem): GraphqlRequest | null => (item instanceof EngineError ? null : item);
  try {
    const body = await read();
    return body.mode === "batched" ? body.items.map(requestOf) : requestOf(body.item);
  } catch (error) {
    if (error instanceof EngineError) return null;
    throw error;
  }
}

/** One after the other, each on its own; the batch itself succeeds whatever becomes of its parts. */
async function runBatch(
  endpoint: Endpoint,
  items: readonly BodyItem[],
  admitted: AdmittedSession<AuthenticatedSession>,
  request: PlainRequest,
): Promise<PlainResponse> {
  const outcomes: Outcome[] = [];
  const cookies = new AnswerCookies();
  for (const item of items) outcomes.push(await run(endpoint, item, admitted, request, cookies));
  const response = jsonResponse(200, `[${outcomes.map(({ body }) => body).join(",")}]`, {
    mode: "batched",
    session: admitted.session,
    error: outcomes.find(({ error }) => error !== null)?.error ?? null,
    graphql: items.filter((item): item is GraphqlRequest => !(item instanceof EngineError)),
    parts: outcomes.map(({ body, error }) => ({ size: Buffer.byteLength(body), error })),
  });
  return withCookies(response, cookies);
}

interface Outcome {
  readonly body: string;
  readonly error: EngineError | null;
}

function run(
  endpoint: Endpoint,
  item: BodyItem,
  admitted: AdmittedSession,
  request: PlainRequest,
  cookies: AnswerCookies,
): Promise<Outcome> {
  const failed = (thrown: unknown): Outcome => failure(endpoint, thrown, { session: admitted.session, request, item });
  if (item instanceof EngineError) return Promise.resolve(failed(item));
  return endpoint.services.graphql.execute(item, admitted, request.caller, cookies).then(succeeded, failed);
}

const succeeded = (data: string): Outcome => ({ body: `{"data":${data}}`, error: null });

interface FailedRequest {
  readonly session: Session | null;
  readonly request: PlainRequest;
  /** What of it failed; absent: all of it. */
  readonly item?: BodyItem;
}

function failure(
  { services, visibility }: Endpoint,
  thrown: unknown,
  { session, request, item }: FailedRequest,
): { readonly body: string; readonly error: EngineError } {
  const error = thrown instanceof EngineError ? thrown : services.reportBug(thrown, request.requestId);
  const withInternal = showsInternal(visibility, session);
  const wantsDetails = acceptsGraphqlResponse(request);
  const hint = visibility.devMode || (wantsDetails && withInternal);
  const isLocated = wantsDetails && item !== undefined && !(item instanceof EngineError);
  const locations = isLocated ? errorLocations(error, item) : undefined;
  return { body: renderGraphqlError(error, withInternal, { hint, locations }), error };
}

/** Clients that know this media type expect errors as GraphQL specifies them; others get what they always got. */
function acceptsGraphqlResponse({ headers: { accept } }: PlainRequest): boolean {
  return accept?.includes("application/graphql-response+json") === true;
}
