/** Authentication of requests. */
import type { Session } from "../values/session.ts";
import type { GraphqlRequest } from "./graphql.ts";
import type { RequestHeaders } from "./headers.ts";

/** A session with further results of authentication. */
export interface AuthenticatedSession extends Session {
  /**
   * Time at which the session expires and its long-lived connections are closed, in milliseconds since 1970; absent if
   * it never expires.
   */
  readonly expiresAt?: number | undefined;
  /** Values of `Set-Cookie` for a successful response. */
  readonly setCookies?: readonly string[] | undefined;
  /** True if the caller may choose any role: it sent the admin secret, or the server has none. */
  readonly choosesRole?: boolean | undefined;
  /** OAuth scopes of the token, or those that the webhook returned; absent without scopes. */
  readonly scopes?: readonly string[] | undefined;
}

/**
 * The requested operation, or the operations of a batch with `null` for malformed ones. `null` if the body is
 * malformed.
 */
export type RequestedOperations = GraphqlRequest | readonly (GraphqlRequest | null)[] | null;

export interface AuthenticationContext {
  /** HTTP method; absent if unknown. */
  readonly method?: string | undefined;
  /** The audience that a token must have, instead of the configured ones. Absent: the configured ones. */
  readonly audience?: string | undefined;
  /** True if the transport has already removed cookies of requests that may come from another site's page. */
  readonly cookieIsChecked?: boolean;
  /** Ignored members of a `connection_init` payload, other than `headers`. */
  readonly besideHeaders?: readonly string[] | undefined;
  /**
   * Reads the body within the limit for unauthenticated requests. Absent if the request is not a GraphQL request.
   * @throws EngineError if the body is too long
   */
  readonly graphql?: (() => Promise<RequestedOperations>) | undefined;
}

export interface Authenticator {
  /**
   * Determines role and session variables from the headers of a request. Synchronous unless another service must be called.
   * @param context other properties of the request, including those that a webhook may receive
   * @throws EngineError `access-denied` and other authentication errors; a promise rejects with them
   */
  authenticate(
    headers: RequestHeaders,
    context?: AuthenticationContext,
  ): AuthenticatedSession | Promise<AuthenticatedSession>;
}
