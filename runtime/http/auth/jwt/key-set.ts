/** Key sets as their URL gives them (RFC 7517; tolerances of `permissions-and-auth.md` 4.2). */
import { parseJsonWebKey, type VerificationKey } from "../../../config/jwt/verification-key.ts";
import { isObject } from "../../../values/is-object.ts";
import type { CompactToken, JsonObject } from "./compact-token.ts";

export interface IdentifiedKey extends VerificationKey {
  /** `kid`; `null`: the key has no name. */
  readonly id: string | null;
}

/** Keys that cannot be used are left out, as RFC 7517 asks. `null`: the value is no key set. */
export function readKeySet(json: unknown): readonly IdentifiedKey[] | null {
  if (!isObject(json) || !Array.isArray(json.keys)) return null;
  return json.keys.flatMap((jwk: unknown) => readKey(jwk) ?? []);
}

function readKey(jwk: unknown): IdentifiedKey | null {
  if (!isObject(jwk)) return null;
  const { use, kid } = jwk;
  if (use !== undefined && use !== "sig" && use !== "enc") return null;
  const key = parseJsonWebKey(publicMembers(jwk));
  return key === undefined ? null : { ...key, id: typeof kid === "string" ? kid : null };
}

/**
 * A secret key (`oct`) is no public one: whoever can fetch the set could sign with it. Numbers may be written in the
 * standard alphabet, padded or with leading zero bytes, as some servers do: Node reads all of that.
 */
function publicMembers({ kty, crv, x, y, n, e }: JsonObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries({ kty, crv, x, y, n, e }).filter(
      (member): member is [string, string] => typeof member[1] === "string",
    ),
  );
}

/** By the name that the token gives, where the set has it; else all of the kind that the algorithm needs. */
export function chooseKeys(keys: readonly IdentifiedKey[], token: CompactToken): readonly VerificationKey[] {
  const named = token.keyId === null ? [] : keys.filter(({ id }) => id === token.keyId);
  return (named.length > 0 ? named : keys).filter(({ algorithms }) => algorithms.has(token.algorithm));
}
