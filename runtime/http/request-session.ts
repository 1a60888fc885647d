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
  if (span.isRecording) span.set({ "enduser.role": role });
  // All have the same members, so that they are read alike.
  return { requestId, role, variables, backendOnly, clientHeaders, expiresAt, setCookies, span };
}

const none = {};
