/** Errors of tokens. Clients match these messages; none may contain the token. */
import { EngineError } from "../../../values/errors.ts";

export function invalidHeaders(message: string): EngineError {
  return new EngineError("invalid-headers", "$", message);
}

/**
 * Returns the error for a token that fails verification.
 * @param reason for example `JWTExpired`
 */
export function unverified(reason: string): EngineError {
  return new EngineError("invalid-jwt", "$", `Could not verify JWT: ${reason}`);
}

/** Returns the error for a malformed token. */
export function undecodable(reason: string): EngineError {
  return unverified(`JWSError (CompactDecodeError ${reason})`);
}

export function invalidClaims(message: string): EngineError {
  return new EngineError("jwt-invalid-claims", "$", message);
}

export function missingRoleClaim(claim: string): EngineError {
  return new EngineError("jwt-missing-role-claims", "$", `JWT claim does not contain ${claim}`);
}
