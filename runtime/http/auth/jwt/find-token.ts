/**
 * Headers → the token of the request and the secret that it is for, where there may be several of both
 * (`permissions-and-auth.md` 4.3).
 */
import type { JwtSettings, TokenLocation } from "../../../config/jwt/jwt-config.ts";
import type { RequestHeaders } from "../../../ports/headers.ts";
import { isFromIssuer } from "./check-claims.ts";
import { unverifiedIssuer } from "./compact-token.ts";
import { invalidHeaders, unverified } from "./errors.ts";

export interface TokenReader {
  readonly settings: Pick<JwtSettings, "token" | "issuer">;
}

export interface FoundToken<Reader extends TokenReader> {
  readonly text: string;
  readonly reader: Reader;
}

/**
 * `null`: the request has no token where one of the readers would look for it.
 * @throws EngineError when it has, but it is not clear that exactly one reader is meant
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

/** The token is read for this only where the answer depends on it. */
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

/** All values of one name: a browser may send cookies of the same name from several domains and paths. */
function cookies(header: string, name: string): readonly string[] {
  return header.split(";").flatMap((pair) => {
    const equals = pair.indexOf("=");
    return equals >= 0 && pair.slice(0, equals).trim() === name ? [pair.slice(equals + 1).trim()] : [];
  });
}
