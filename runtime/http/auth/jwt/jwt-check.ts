/** Authentication by JSON Web Token (`permissions-and-auth.md` 4). */
import type { AuthenticatedSession } from "../../../ports/authentication.ts";
import type { RequestHeaders } from "../../../ports/headers.ts";
import { EngineError } from "../../../values/errors.ts";
import type { CredentialCheck } from "../credential-check.ts";
import { decodeHeader, roleHeader } from "../headers.ts";
import { findToken } from "./find-token.ts";
import type { Grant, TokenVerifier } from "./token-verifier.ts";

/** @param verifiers one per JWT secret */
export function jwtCheck(verifiers: readonly TokenVerifier[]): CredentialCheck {
  return (headers) => {
    const found = findToken(headers, verifiers);
    if (found === null) return null;
    const grant = found.reader.verify(found.text);
    return grant instanceof Promise
      ? grant.then((later) => grantedSession(later, headers))
      : grantedSession(grant, headers);
  };
}

function grantedSession(grant: Grant, headers: RequestHeaders): AuthenticatedSession {
  // An empty header counts as absent.
  const role = decodeHeader(headers[roleHeader] || "") || grant.defaultRole;
  if (!grant.allowedRoles.has(role)) {
    throw new EngineError("access-denied", "$", "Your requested role is not in allowed roles");
  }
  const variables = new Map(grant.variables).set(roleHeader, role);
  return { role, variables, backendOnly: false, ...(grant.end !== null && { expiresAt: grant.end }) };
}
