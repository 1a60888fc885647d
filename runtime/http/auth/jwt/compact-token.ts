/**
 * Text of a token → header and payload, not verified. Strict: one token has one spelling, so that a changed character
 * is always a changed token.
 */
import { isObject } from "../../../values/is-object.ts";
import { undecodable } from "./errors.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

export interface CompactToken {
  readonly text: string;
  readonly algorithm: string;
  readonly keyId: string | null;
  /** What the token says, true only when its signature is. */
  readonly payload: JsonObject;
}

/** In characters; tokens travel in headers, which are shorter nearly everywhere. */
const longestToken = 65_536;

/** @throws EngineError `invalid-jwt` */
export function readCompactToken(text: string): CompactToken {
  if (text.length > longestToken) throw undecodable(`the token is longer than ${longestToken} characters`);
  const [header = "", payload = "", signature = "", ...more] = text.split(".", 4);
  if (signature === "" || more.length > 0) throw undecodable("expected three parts");
  decodePart(signature, "signature");
  const { alg, kid, crit } = decodeJson(header, "header");
  if (typeof alg !== "string") throw undecodable("header: no algorithm");
  // Extensions that the issuer calls critical would have to be understood; there are none for tokens of this kind.
  if (crit !== undefined) throw undecodable("header: critical extensions are not supported");
  const keyId = typeof kid === "string" ? kid : null;
  return { text, algorithm: alg, keyId, payload: decodeJson(payload, "payload") };
}

/** `iss` of a token that may not even be one; `undefined`: none that can be read. */
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
