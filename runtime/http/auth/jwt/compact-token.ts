/**
 * Decodes header and payload of a token without verifying it. Accepts only the canonical encoding, so that changing any
 * character changes the token.
 */

import { EngineError } from "../../../values/errors.ts";
import { isObject } from "../../../values/is-object.ts";
export type JsonObject = Readonly<Record<string, unknown>>;

export interface CompactToken {
  readonly text: string;
  readonly algorithm: string;
  readonly keyId: string | null;
  /** The claims, untrusted until the signature has been verified. */
  readonly payload: JsonObject;
}

/** Limit in characters. Nearly all servers limit headers, and therefore tokens, to less. */
const maxTokenLength = 65_536;

/**
 * Decodes a token.
 * @throws EngineError `invalid-jwt`
 */
export function readCompactToken(text: string): CompactToken {
  if (text.length > maxTokenLength) throw undecodable(`the token is longer than ${maxTokenLength} characters`);
  const [header = "", payload = "", signature = "", ...more] = text.split(".", 4);
  if (signature === "" || more.length > 0) throw undecodable("expected three parts");
  decodePart(signature, "signature");
  const { alg, kid, crit } = decodeJson(header, "header");
  if (typeof alg !== "string") throw undecodable("header: no algorithm");
  // RFC 7515, 4.1.11: a token with an unsupported critical extension is invalid.
  if (crit !== undefined) throw undecodable("header: critical extensions are not supported");
  const keyId = typeof kid === "string" ? kid : null;
  return { text, algorithm: alg, keyId, payload: decodeJson(payload, "payload") };
}

/** Returns the claim `iss`; `undefined` also if the token is malformed. */
export function unverifiedIssuer(text: string): unknown {
  try {
    return readCompactToken(text).payload.iss;
  } catch {
    return undefined;
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decodeJson(part: string, name: string): JsonObject {
  let json: unknown;
  try {
    json = JSON.parse(utf8.decode(decodePart(part, name)));
  } catch {
    throw undecodable(`${name}: not JSON in base64url`);
  }
  if (!isObject(json)) throw undecodable(`${name}: not an object`);
  return json;
}

function decodePart(part: string, name: string): Buffer {
  const bytes = Buffer.from(part, "base64url");
  if (bytes.toString("base64url") !== part) throw undecodable(`${name}: not base64url`);
  return bytes;
}

/** Errors of tokens. Clients match these messages; none may contain the token. */
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
function undecodable(reason: string): EngineError {
  return unverified(`JWSError (CompactDecodeError ${reason})`);
}

export function invalidClaims(message: string): EngineError {
  return new EngineError("jwt-invalid-claims", "$", message);
}

export function missingRoleClaim(claim: string): EngineError {
  return new EngineError("jwt-missing-role-claims", "$", `JWT claim does not contain ${claim}`);
}
