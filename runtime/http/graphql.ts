/** `/v1/graphql` and `/v1alpha1/graphql`: one operation or a batch; errors in the GraphQL form. */
import type { AuthenticatedSession } from "../ports/authentication.ts";
import type { FallbackResponse, FallbackService, ForwardedOperation } from "../ports/fallback.ts";
import type { FindSavedText, GraphqlRequest } from "../ports/graphql.ts";
import type { Handler, PlainRequest, PlainResponse, RequestRecord } from "../ports/request.ts";
import type { RequestServices } from "../ports/services.ts";
import type { AdmittedSession } from "../values/admitted-session.ts";
import { type ErrorVisibility, renderError, renderResponse, showsInternal } from "../values/error-body.ts";
import { EngineError, pathTo } from "../values/errors.ts";
import { isObject } from "../values/is-object.ts";
import type { JoinedBytes } from "../values/joined-bytes.ts";
import { parseJson, parseJsonInSlices } from "../values/json/parse.ts";
import { enclosed, joinedTexts, type ResponseText, textSize, unpacked } from "../values/response-text.ts";
import { filesIn, type UploadedFile } from "../values/uploaded-file.ts";
import { CollectedHeaders, withCollected } from "./collected-headers.ts";
import { eventsHandler } from "./events/event-response.ts";
import { fallbackFailed } from "./fallback.ts";
import { type BodyItem, type GraphqlBody, readGraphqlBody } from "./graphql-body.ts";
import {
  admitBody,
  type FailedRequest,
  failure,
  type GraphqlEndpoint,
  type Posted,
  readGraphqlUrl,
  type UrlOperation,
} from "./graphql-request.ts";
import { graphqlErrorStatus, partialSuccess } from "./graphql-status.ts";
import { graphqlResponseType, prefersEvents, prefersGraphqlResponse } from "./media-type.ts";
import { isMultipart, type MultipartParts, readMultipart } from "./multipart.ts";
import { jsonResponse } from "./responses.ts";

export interface GraphqlSettings extends ErrorVisibility {
  readonly preserve401Errors: boolean;
  /** Maximum number of files in a request; 0 disables uploads. */
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

/** Handles `POST /v1/graphql`. Errors have status 200, or 401 if the settings preserve it. */
export function graphqlHandler(services: RequestServices, settings: GraphqlSettings): Handler {
  return handlerOf({ ...postedTo(services, settings), statusOf: statusOfErrors(settings) });
}

/** Handles `POST /v1alpha1/graphql`. Errors keep their status. */
export function graphqlAlphaHandler(services: RequestServices, settings: GraphqlSettings): Handler {
  return handlerOf({ ...postedTo(services, settings), statusOf: (error) => error.status });
}

/** Handles `POST /v1/relay` and `/v1beta1/relay`: like `/v1/graphql`, with the Relay schema. */
export function relayHandler(services: RequestServices, settings: GraphqlSettings & RelaySettings): Handler {
  if (settings.enableRelay) return graphqlHandler({ ...services, graphql: services.relay }, settings);
  const error = relayDisabled();
  const record = { mode: "error", session: null, error } as const;
  return async () => jsonResponse(error.status, renderError(error, false), record);
}

/** Handles `GET /v1/graphql`: queries in the URL. Responses are not cacheable unless the query enables caching. */
export function graphqlUrlHandler(services: RequestServices, settings: GraphqlSettings): Handler {
  const handler = handlerOf({
    services,
    visibility: settings,
    bodyOf: ({ query: url }) => ({ url }),
    parse: (posted) => readGraphqlUrl(isUrl(posted) ? posted.url : {}, services.savedText),
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

const alternatives = { mutation: "POST", subscription: "WebSocket, or by POST with Accept: text/event-stream" };

/** Returns a function that executes queries only, because links, images and prefetches cause GET requests. */
function executeQuery({ graphql }: RequestServices): GraphqlEndpoint["execute"] {
  return async (request, by, caller, headers) => {
    const prepared = await graphql.prepare(request, by);
    if (prepared.kind === "query") return prepared.run(caller, headers);
    const message = `GET does not accept a ${prepared.kind}; send it by ${alternatives[prepared.kind]}`;
    throw new EngineError("not-supported", "$", message, { status: notAllowed });
  };
}

/** Statuses of transport errors, which proxies and HTTP clients need. */
const transportStatuses: ReadonlySet<number> = new Set([notAllowed, 408, 413, 502, 503]);

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
        throw new EngineError("not-supported", "$", "file uploads are disabled; enable them with --max-upload-files", {
          status: 415,
        });
      }
      const limits = { files: maxUploadFiles, fileBytes: maxUploadFileBytes };
      return request
        .readUpload(session)
        .then(({ bytes, textBytes }) => readMultipart(bytes, type, { ...limits, textBytes }));
    },
    parse(body) {
      const { savedText } = services;
      if (isUrl(body)) return readGraphqlUrl(body.url, savedText);
      if (typeof body !== "string") return readUploads(body, savedText);
      const json = parseJsonInSlices(body);
      return json instanceof Promise
        ? json.then((long) => readGraphqlBody(long, savedText))
        : readGraphqlBody(json, savedText);
    },
  };
}

function handlerOf(endpoint: GraphqlEndpoint): Handler {
  const modern: GraphqlEndpoint = { ...endpoint, statusOf: graphqlErrorStatus, partialStatus: partialSuccess };
  const events = eventsHandler(endpoint);
  // Not an async function: each additional promise would cost several microtasks.
  return (request) => {
    if (endpoint.hasEvents === true && prefersEvents(request.headers)) return events(request);
    return prefersGraphqlResponse(request.headers) ? respondModern(modern, request) : respond(endpoint, request);
  };
}

/** Responds as the GraphQL over HTTP specification requires for `application/graphql-response+json`. */
async function respondModern(endpoint: GraphqlEndpoint, request: PlainRequest): Promise<PlainResponse> {
  const response = await respond(endpoint, request);
  if (response.record.mode === "batched" || response.record.isForwarded) return response;
  return { ...response, headers: { ...response.headers, "content-type": `${graphqlResponseType}; charset=utf-8` } };
}

async function respond(endpoint: GraphqlEndpoint, request: PlainRequest): Promise<PlainResponse> {
  const admission = await admitBody(endpoint, request);
  if (admission.kind === "refused") {
    const { session, failed } = admission;
    const { error } = failed;
    return jsonResponse(endpoint.statusOf(error), failed.body, { mode: "error", session, error });
  }
  const { body, admitted } = admission;
  if (body.mode === "batched") return runBatch(endpoint, body.items, admitted, request);
  const { item } = body;
  const collected = new CollectedHeaders();
  const outcome = await run(endpoint, item, admitted, request, collected);
  const { body: text, error, hasData, forwarded } = outcome;
  // Drops the cache header of a discarded attempt.
  if (!hasData) collected.cached = undefined;
  const { partialStatus = 200, statusOf } = endpoint;
  const status = error === null ? 200 : hasData ? partialStatus : statusOf(error);
  const graphql = item instanceof EngineError ? undefined : item;
  const { session } = admitted;
  if (forwarded) return { ...forwarded, record: { mode: "single", session, error: null, graphql, isForwarded: true } };
  // The headers are passed as an argument, because spreading the response would dominate the cost of this function.
  const response = jsonResponse(status, text, { mode: "single", session, error, graphql }, collected);
  return withCollected(response, collected);
}

/** Runs the operations of a batch in sequence. The batch succeeds even if all of its operations fail. */
async function runBatch(
  endpoint: GraphqlEndpoint,
  items: readonly BodyItem[],
  admitted: AdmittedSession<AuthenticatedSession>,
  request: PlainRequest,
): Promise<PlainResponse> {
  const outcomes: Outcome<string | JoinedBytes>[] = [];
  const collected = new CollectedHeaders();
  for (const item of items) {
    const outcome = await run(endpoint, item, admitted, request, collected);
    const part = isPart(outcome) ? outcome : brokenPart(endpoint, { session: admitted.session, request, item });
    outcomes.push({ ...part, body: await unpacked(part.body) });
  }
  // One header cannot describe the cacheability of several results.
  collected.cached = undefined;
  const record: RequestRecord = {
    mode: "batched",
    session: admitted.session,
    error: outcomes.find(({ error }) => error !== null)?.error ?? null,
    graphql: items.filter((item): item is GraphqlRequest => !(item instanceof EngineError)),
    parts: outcomes.map(({ body, error }) => ({ size: textSize(body), error })),
  };
  const parts = outcomes.flatMap(({ body }, i) => (i === 0 ? [body] : [",", body]));
  return withCollected(jsonResponse(200, joinedTexts(["[", ...parts, "]"]), record, collected), collected);
}

/** Returns false for a forwarded response that would break the text of the batch. */
function isPart({ forwarded }: Outcome): boolean {
  if (forwarded === undefined) return true;
  try {
    JSON.parse(forwarded.body);
    return true;
  } catch {
    return false;
  }
}

function brokenPart(endpoint: GraphqlEndpoint, failed: FailedRequest): Outcome {
  return { ...failure(endpoint, fallbackFailed("its response is not JSON"), failed), hasData: false };
}

interface Outcome<Text extends ResponseText = ResponseText> {
  readonly body: Text;
  /** The error of the operation, or the first error of a field. */
  readonly error: EngineError | null;
  readonly hasData: boolean;
  /** The response of the server of `--fallback`. */
  readonly forwarded?: FallbackResponse;
}

function run(
  endpoint: GraphqlEndpoint,
  item: BodyItem,
  admitted: AdmittedSession<AuthenticatedSession>,
  request: PlainRequest,
  collected: CollectedHeaders,
): Promise<Outcome> {
  const { session } = admitted;
  const { fallback } = endpoint.services;
  const failed = (thrown: unknown): Outcome => ({
    ...failure(endpoint, thrown, { session, request, item }),
    hasData: false,
  });
  if (item instanceof EngineError) return Promise.resolve(failed(item));
  collected.discardErrors();
  const succeeded = (data: ResponseText): Outcome => {
    const { errors } = collected;
    if (errors.length === 0) return { body: enclosed(data, '{"data":', "}"), error: null, hasData: true };
    const body = renderResponse(data, errors, showsInternal(endpoint.visibility, session));
    return { body, error: errors[0] ?? null, hasData: true };
  };
  const run = endpoint.execute(item, admitted, request.caller, collected);
  if (fallback === undefined) return run.then(succeeded, failed);
  return run.then(succeeded, (thrown) =>
    forward(fallback, thrown, { request, session, operation: item }).catch(failed),
  );
}

/** @throws what the operation has thrown, unless the server of `--fallback` may serve it; or why it could not */
async function forward(
  fallback: FallbackService,
  thrown: unknown,
  { request, session, operation }: Omit<ForwardedOperation, "unserved">,
): Promise<Outcome> {
  const unserved = thrown instanceof EngineError ? fallback.unservedIn(thrown, request, operation) : undefined;
  if (unserved === undefined) throw thrown;
  const forwarded = await fallback.forward({ request, session, operation, unserved });
  return { body: forwarded.body, error: null, hasData: false, forwarded };
}

/**
 * Reads the operations of a multipart body and inserts its files into their variables.
 * @throws EngineError `parse-failed` if `map` does not match files and variables
 */
async function readUploads(
  { operations, map: mapText, files }: MultipartParts,
  findSaved: FindSavedText,
): Promise<GraphqlBody> {
  const json = await parseJsonInSlices(operations);
  const map = parseJson(mapText);
  if (!isObject(map)) throw invalidMap('"map" is not an object');
  const inserted = new Set<unknown>();
  for (const [name, paths] of Object.entries(map)) {
    const file = files.get(name);
    if (file === undefined) throw invalidMap(`"map" refers to a missing file: ${JSON.stringify(name)}`);
    if (!Array.isArray(paths) || paths.length === 0) throw invalidMap('a member of "map" is not a list of paths');
    for (const path of paths) insertFile(json, path, file);
    inserted.add(file);
  }
  if (inserted.size < files.size) throw invalidMap('a file has no entry in "map"');
  const body = readGraphqlBody(json, findSaved);
  if (body.mode === "single") return { mode: "single", item: withFiles(body.item) };
  return { mode: "batched", items: body.items.map(withFiles) };
}

function withFiles(item: BodyItem): BodyItem {
  if (item instanceof EngineError) return item;
  return { ...item, files: new Set(filesIn(item.variables, "variables").map(({ file }) => file)) };
}

/** Replaces a `null` in the variables by a file. */
function insertFile(json: unknown, path: unknown, file: UploadedFile): void {
  if (typeof path !== "string") throw invalidMap('a path in "map" is not a string');
  const segments = path.split(".");
  const inRequest = Array.isArray(json) ? segments.slice(1) : segments;
  const last = segments.at(-1);
  if (inRequest[0] !== "variables" || inRequest.length < 2 || last === undefined) throw invalidPath(path);
  let container = json;
  for (const segment of segments.slice(0, -1)) container = memberOf(container, segment, path);
  if (memberOf(container, last, path) !== null) throw invalidPath(path);
  Object.assign(Object(container), { [last]: file });
}

function memberOf(value: unknown, key: string, path: string): unknown {
  const isMember = Array.isArray(value) ? /^\d+$/.test(key) : isObject(value);
  if (!isMember || !Object.hasOwn(Object(value), key)) throw invalidPath(path);
  return Object(value)[key];
}

function invalidPath(path: string): EngineError {
  const shown = JSON.stringify(path.slice(0, 200));
  return invalidMap(`"map" refers to a path that is not a null variable: ${shown}`);
}

function invalidMap(message: string): EngineError {
  return new EngineError("parse-failed", pathTo("$", "map"), message);
}
