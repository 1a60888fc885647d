/** Authenticates, reads and admits a request of a GraphQL endpoint, independently of the form of the response. */
import type { AuthenticatedSession, RequestedOperations } from "../ports/authentication.ts";
import type { FindSavedText, GraphqlRequest, GraphqlService } from "../ports/graphql.ts";
import type { PlainRequest } from "../ports/request.ts";
import type { RequestServices } from "../ports/services.ts";
import type { AdmittedSession } from "../values/admitted-session.ts";
import { type ErrorVisibility, renderGraphqlError, showsInternal } from "../values/error-body.ts";
import { EngineError, pathTo } from "../values/errors.ts";
import { parseJson } from "../values/json/parse.ts";
import { lazy } from "../values/lazy.ts";
import type { Session } from "../values/session.ts";
import { errorLocations } from "./error-locations.ts";
import { type BodyItem, type GraphqlBody, readGraphqlItem } from "./graphql-body.ts";
import { prefersGraphqlResponse } from "./media-type.ts";
import { isMultipart, type MultipartParts } from "./multipart.ts";
import { requestSession } from "./request-session.ts";

export interface GraphqlEndpoint {
  readonly services: RequestServices;
  readonly visibility: ErrorVisibility;
  /**
   * Reads the body of a request.
   * @param session `null` before authentication
   */
  readonly bodyOf: (request: PlainRequest, session: Session | null) => Posted | Promise<Posted>;
  readonly parse: (posted: Posted) => GraphqlBody | Promise<GraphqlBody>;
  readonly statusOf: (error: EngineError) => number;
  /** The status of a response with data and errors; 200 by default. */
  readonly partialStatus?: number;
  /**
   * Runs an operation.
   * @throws EngineError also if the endpoint does not accept this type of operation
   */
  readonly execute: GraphqlService["execute"];
  /** True if any web page can cause such requests, which have no content type. */
  readonly isSimple?: boolean;
  /** True if clients may request results as an event stream. */
  readonly hasEvents?: boolean;
}

/** The text or the parts of a body, or the parameters of a URL. */
export type Posted = string | MultipartParts | UrlOperation;

export interface UrlOperation {
  readonly url: UrlParameters;
}

export type BodyAdmission =
  | {
      readonly kind: "admitted";
      readonly body: GraphqlBody;
      readonly admitted: AdmittedSession<AuthenticatedSession>;
    }
  | { readonly kind: "refused"; readonly failed: FailedOperation; readonly session: AuthenticatedSession | null };

/** Authenticates the request, reads its body and admits its operations, in this order. */
export async function admitBody(endpoint: GraphqlEndpoint, request: PlainRequest): Promise<BodyAdmission> {
  let session: AuthenticatedSession | null = null;
  let posted: Posted = "";
  const read = lazy(() => endpoint.parse(posted));
  const requested = async (): Promise<RequestedOperations> => {
    // Files of unauthenticated clients are not read.
    if (isMultipart(request.headers["content-type"])) return null;
    posted = await endpoint.bodyOf(request, null);
    return readable(read);
  };
  try {
    const context = endpoint.isSimple ? { graphql: requested } : { method: request.method, graphql: requested };
    const found = endpoint.services.authenticator.authenticate(request.headers, context);
    session = requestSession(found instanceof Promise ? await found : found, request);
    // Errors in the body are reported only to authenticated clients.
    posted = await endpoint.bodyOf(request, session);
    const parsed = read();
    const body = parsed instanceof Promise ? await parsed : parsed;
    const operations = body.mode === "batched" ? body.items.length : 1;
    const admitted = endpoint.services.admission.admit(session, operations, request);
    return { kind: "admitted", body, admitted: admitted instanceof Promise ? await admitted : admitted };
  } catch (thrown) {
    return { kind: "refused", failed: failure(endpoint, thrown, { session, request }), session };
  }
}

/** Returns the operations of a body for an authentication webhook, or `null` if the body cannot be read. */
async function readable(read: () => GraphqlBody | Promise<GraphqlBody>): Promise<RequestedOperations> {
  const requestOf = (item: BodyItem): GraphqlRequest | null => (item instanceof EngineError ? null : item);
  try {
    const body = await read();
    return body.mode === "batched" ? body.items.map(requestOf) : requestOf(body.item);
  } catch (error) {
    if (error instanceof EngineError) return null;
    throw error;
  }
}

export interface FailedRequest {
  readonly session: Session | null;
  readonly request: PlainRequest;
  /** The failed operation; absent if the whole request failed. */
  readonly item?: BodyItem;
}

/** An error and the JSON text of its response. */
export interface FailedOperation {
  readonly body: string;
  readonly error: EngineError;
}

export function failure(
  { services, visibility }: GraphqlEndpoint,
  thrown: unknown,
  { session, request, item }: FailedRequest,
): FailedOperation {
  const error = thrown instanceof EngineError ? thrown : services.reportBug(thrown, request.requestId);
  const withInternal = showsInternal(visibility, session);
  const wantsDetails = prefersGraphqlResponse(request.headers);
  const hint = visibility.devMode || (wantsDetails && withInternal);
  const isLocated = wantsDetails && item !== undefined && !(item instanceof EngineError);
  const locations = isLocated ? errorLocations(error, item) : undefined;
  return { body: renderGraphqlError(error, withInternal, { hint, locations, coordinate: wantsDetails }), error };
}

// Reads the query string of `GET /v1/graphql`: https://graphql.github.io/graphql-over-http/draft/#sec-GET.

type UrlParameters = PlainRequest["query"];

/** @throws EngineError `parse-failed`, `invalid-json` with the path of the wrong parameter */
export function readGraphqlUrl(parameters: UrlParameters, findSaved: FindSavedText): GraphqlBody {
  const query = parameter(parameters, "query");
  const operationName = parameter(parameters, "operationName") || undefined;
  const variables = jsonParameter(parameters, "variables") ?? undefined;
  const saved = query === undefined ? savedQuery(parameters) : {};
  return { mode: "single", item: readGraphqlItem({ query, operationName, variables, ...saved }, "$", findSaved) };
}

/** Returns the members that identify a saved operation. */
function savedQuery(parameters: UrlParameters): Readonly<Record<string, unknown>> {
  return { documentId: parameter(parameters, "documentId"), extensions: jsonParameter(parameters, "extensions") };
}

/** Returns `null` for an empty or missing parameter. */
function jsonParameter(parameters: UrlParameters, name: string): unknown {
  const text = parameter(parameters, name);
  if (!text) return null;
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const message = `the parameter "${name}" is not valid JSON: ${error.message}`;
    throw new EngineError(error.code, pathTo("$", name), message, { cause: error });
  }
}

function parameter(parameters: UrlParameters, name: string): string | undefined {
  const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  if (value === undefined || typeof value === "string") return value;
  throw new EngineError("parse-failed", pathTo("$", name), `the parameter "${name}" occurs more than once`);
}
