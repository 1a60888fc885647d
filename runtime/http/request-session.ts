/** The session that authentication found → that of one request. */
import type { AuthenticatedSession } from "../ports/authentication.ts";
import type { PlainRequest } from "../ports/request.ts";

/**
 * The session for a request that logs name, and traces if they are on. Member by member: every request has one, and
 * objects that were spread are slow to make and to read.
 */
export function requestSession(
  session: AuthenticatedSession,
  { requestId, span }: Pick<PlainRequest, "requestId" | "span">,
): AuthenticatedSession {
  const { role, variables, backendOnly, clientHeaders = none, expiresAt, setCookies } = session;
  const own = { requestId, role, variables, backendOnly, clientHeaders, expiresAt, setCookies };
  if (span.context === undefined) return own;
  span.set({ "enduser.role": role });
  return { ...own, span };
}

const none = {};
