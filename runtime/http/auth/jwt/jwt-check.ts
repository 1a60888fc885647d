/** Authentication by JSON Web Token. */

import type { JwtSettings, TokenLocation } from "../../../config/jwt/jwt-config.ts";
import type { AuthenticatedSession } from "../../../ports/authentication.ts";
import type { RequestHeaders } from "../../../ports/headers.ts";
import { EngineError } from "../../../values/errors.ts";
import type { CredentialCheck } from "../credential-check.ts";
import { decodeHeader, roleHeader } from "../headers.ts";
import { invalidHeaders, unverified, unverifiedIssuer } from "./compact-token.ts";
import { checkAudience, type Grant, isFromIssuer, type TokenVerifier } from "./token-verifier.ts";

/**
 * Returns the check of tokens.
 * @param verifiers one per JWT secret
 * @param reserved audience of tokens for a single endpoint, which others refuse; `null` without such tokens
 */
export function jwtCheck(verifiers: readonly TokenVerifier[], reserved: string | null = null): CredentialCheck {
  return (headers, { audience }) => {
    const found = findToken(headers, verifiers);
    if (found === null) return null;
    const grant = found.reader.verify(found.text);
    const use = (verified: Grant) => {
      checkAudience(verified, { configured: found.reader.settings.audience, reserved, required: audience });
      return grantedSession(verified, headers);
    };
    return grant instanceof Promise ? grant.then(use) : use(grant);
  };
}

function grantedSession(grant: Grant, headers: RequestHeaders): AuthenticatedSession {
  // An empty header is treated as absent.
  const role = decodeHeader(headers[roleHeader] || "") || grant.defaultRole;
  if (!grant.allowedRoles.has(role)) {
    throw new EngineError("access-denied", "$", "Your requested role is not in allowed roles");
  }
  const variables = new Map(grant.variables).set(roleHeader, role);
  const { end, scopes } = grant;
  const more = { ...(end !== null && { expiresAt: end }), ...(scopes.length > 0 && { scopes }) };
  return { role, variables, backendOnly: false, ...more };
}

// Finds the token of a request and the JWT secret that verifies it. The request may contain several tokens, and several
// secrets may be configured.

interface TokenReader {
  readonly settings: Pick<JwtSettings, "token" | "issuer">;
}

interface FoundToken<Reader extends TokenReader> {
  readonly text: string;
  readonly reader: Reader;
}

/**
 * Returns `null` if the request has no token in any location that the readers use.
 * @throws EngineError if tokens match no reader or several readers
 */
export function findToken<Reader extends TokenReader>(
  headers: RequestHeaders,
  readers: readonly Reader[],
): FoundToken<Reader> | null {
  const found = readers.flatMap((reader) => tokensAt(headers, reader.settings.token).map((text) => ({ text, reader })));
  if (found.length === 0) return null;
  const [match, ...others] = found.filter(({ text, reader }) => isMeantFor(text, reader.settings.issuer));
  if (match === undefined) throw unverified("JWTNotInIssuer");
  if (others.length > 0) throw invalidHeaders("Could not verify JWT: Multiple JWTs found");
  return match;
}

/** Returns true if the token's issuer is the expected one. Decodes the token only if an issuer is expected. */
function isMeantFor(text: string, issuer: string | null): boolean {
  return issuer === null || isFromIssuer(unverifiedIssuer(text), issuer);
}

function tokensAt(headers: RequestHeaders, location: TokenLocation): readonly string[] {
  switch (location.kind) {
    case "authorization":
      return bearerToken(headers.authorization);
    case "cookie":
      return cookies(headers.cookie ?? "", location.name);
    case "header": {
      const token = headers[location.name];
      return token === undefined ? [] : [token];
    }
  }
}

function bearerToken(authorization: string | undefined): readonly string[] {
  if (authorization === undefined) return [];
  const [scheme, token, ...more] = authorization.split(/\s+/).filter((word) => word !== "");
  if (scheme !== "Bearer" || token === undefined || more.length > 0) {
    throw invalidHeaders("Malformed Authorization header");
  }
  return [token];
}

/**
 * Returns all values of a cookie: browsers may send several cookies of one name, set for different domains and paths.
 */
function cookies(header: string, name: string): readonly string[] {
  return header.split(";").flatMap((pair) => {
    const equals = pair.indexOf("=");
    return equals >= 0 && pair.slice(0, equals).trim() === name ? [pair.slice(equals + 1).trim()] : [];
  });
}
