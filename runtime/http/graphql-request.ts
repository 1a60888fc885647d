/** A request of a GraphQL endpoint → its operations and who asks for them; the same for every form of the answer. */

import type { AskedOperations, AuthenticatedSession } from "../ports/authentication.ts";
import type { GraphqlRequest, GraphqlService } from "../ports/graphql.ts";
import type { PlainRequest } from "../ports/request.ts";
import type { RequestServices } from "../ports/services.ts";
import type { AdmittedSession } from "../values/admitted-session.ts";
import { type ErrorVisibility, renderGraphqlError, showsInternal } from "../values/error-body.ts";
import { EngineError } from "../values/errors.ts";
import { lazy } from "../values/lazy.ts";
import type { Session } from "../values/session.ts";
import { errorLocations } from "./error-locations.ts";
import type { BodyItem, GraphqlBody } from "./graphql-body.ts";
import type { UrlParameters } from "./graphql-url.ts";
import { prefersGraphqlResponse } from "./media-type.ts";
import { isMultipart, type MultipartParts } from "./multipart.ts";
import { requestSession } from "./request-session.ts";

export interface GraphqlEndpoint {
  readonly services: RequestServices;
  readonly visibility: ErrorVisibility;
  /** @param session `null`: not known yet */
  readonly bodyOf: (request: PlainRequest, session: Session | null) => Posted | Promise<Posted>;
  readonly parse: (posted: Posted) => GraphqlBody | Promise<GraphqlBody>;
  readonly statusOf: (error: EngineError) => number;
  /** @throws EngineError also where the endpoint does not take what the operation is */
  readonly execute: GraphqlService["execute"];
  /** Any page can cause such requests, without a content type. */
  readonly isSimple?: boolean;
  /** Results can be had as an event stream. */
  readonly hasEvents?: boolean;
}

/** The text of a body, or its parts, or what stands in the URL. */
export type Posted = string | MultipartParts | UrlOperation;

export interface UrlOperation {
  readonly url: UrlParameters;
}

export type AskedBody =
  | {
      readonly kind: "admitted";
      readonly body: GraphqlBody;
      readonly admitted: AdmittedSession<AuthenticatedSession>;
    }
  | { readonly kind: "refused"; readonly failed: FailedOperation; readonly session: AuthenticatedSession | null };

/** Authenticates, reads, counts: in this order, whatever is wrong with the rest. */
export async function admitBody(endpoint: GraphqlEndpoint, request: PlainRequest): Promise<AskedBody> {
  let session: AuthenticatedSession | null = null;
  let posted: Posted = "";
  const read = lazy(() => endpoint.parse(posted));
  const asked = async (): Promise<AskedOperations> => {
    // Files of clients that nobody knows yet are not read.
    if (isMultipart(request.headers["content-type"])) return null;
    posted = await endpoint.bodyOf(request, null);
    return readable(read);
  };
  try {
    const context = endpoint.isSimple ? { graphql: asked } : { method: request.method, graphql: asked };
    const found = endpoint.services.authenticator.authenticate(request.headers, context);
    session = requestSession(found instanceof Promise ? await found : found, request);
    // What is wrong with the body comes after authentication: who may not ask is told that, whatever it is like.
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

export interface FailedRequest {
  readonly session: Session | null;
  readonly request: PlainRequest;
  /** What of it failed; absent: all of it. */
  readonly item?: BodyItem;
}

/** An error and the JSON text of the answer that says so. */
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
  return { body: renderGraphqlError(error, withInternal, { hint, locations }), error };
}
