/** Token and keys → whether one of the keys signed it. */
import { compactVerify, errors } from "jose";
import type { VerificationKey } from "../../../config/jwt/verification-key.ts";
import type { CompactToken } from "./compact-token.ts";

/**
 * A key is only ever asked about algorithms of its own kind, whatever the token says: a public key is never taken for
 * a shared secret, and no key verifies `none`.
 */
export async function isSignedBy(token: CompactToken, keys: readonly VerificationKey[]): Promise<boolean> {
  for (const { key, algorithms } of keys) {
    if (algorithms.has(token.algorithm) && (await verifies(token, key))) return true;
  }
  return false;
}

async function verifies({ text, algorithm }: CompactToken, key: VerificationKey["key"]): Promise<boolean> {
  try {
    await compactVerify(text, key, { algorithms: [algorithm] });
    return true;
  } catch (error) {
    if (error instanceof errors.JOSEError) return false;
    throw error;
  }
}
