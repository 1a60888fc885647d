/** What is wrong with a token, in the words of `permissions-and-auth.md` 6.2. Messages never hold the token. */
import { EngineError } from "../../../values/errors.ts";

export function invalidHeaders(message: string): EngineError {
  return new EngineError("invalid-headers", "$", message);
}

/** @param reason for example `JWTExpired` */
export function unverified(reason: string): EngineError {
  return new EngineError("invalid-jwt", "$", `Could not verify JWT: ${reason}`);
}

/** The text is no token at all, or holds what no token may hold. */
export function undecodable(reason: string): EngineError {
  return unverified(`JWSError (CompactDecodeError ${reason})`);
}

export function invalidClaims(message: string): EngineError {
  return new EngineError("jwt-invalid-claims", "$", message);
}

export function missingRoleClaim(claim: string): EngineError {
  return new EngineError("jwt-missing-role-claims", "$", `JWT claim does not contain ${claim}`);
}
