import type { AuthenticatedSession, AuthenticationContext } from "../../ports/authentication.ts";
import type { RequestHeaders } from "../../ports/headers.ts";

export interface CheckContext extends Pick<AuthenticationContext, "graphql" | "besideHeaders" | "method" | "audience"> {
  /** True if a cookie was removed because a page of another site may have caused the request. */
  readonly lacksForeignCookie: boolean;
  /** The headers under their original names, for webhooks and host checks. */
  readonly sent: RequestHeaders;
}

/**
 * Checks one kind of credential. Returns `null` if the request has none of this kind, and the next check runs.
 * @throws EngineError for an invalid credential; no further check runs
 */
export type CredentialCheck = (
  headers: RequestHeaders,
  context: CheckContext,
) => AuthenticatedSession | null | Promise<AuthenticatedSession | null>;
