/** What a kind of credential has to provide to take part in authentication. */
import type { AuthenticatedSession, AuthenticationContext } from "../../ports/authentication.ts";
import type { RequestHeaders } from "../../ports/headers.ts";

export interface CheckContext extends Pick<AuthenticationContext, "graphql" | "besideHeaders" | "method"> {
  /** A cookie was left out, because a page of another site may have sent it. */
  readonly lacksForeignCookie: boolean;
  /** The headers under the names with which they were sent, for whoever else is to judge them. */
  readonly sent: RequestHeaders;
}

/**
 * Looks at one kind of credential. `null`: the request has none of this kind, the next check decides.
 * @throws EngineError when it has one that is not good: no other check is asked then
 */
export type CredentialCheck = (
  headers: RequestHeaders,
  context: CheckContext,
) => AuthenticatedSession | null | Promise<AuthenticatedSession | null>;
