/** The request headers for authentication. */
import type { RequestHeaders } from "../../ports/headers.ts";
import { EngineError } from "../../values/errors.ts";
import { mismatchText, toEngineNames } from "../../values/session-alias.ts";

export const adminSecretHeader = "x-engine-admin-secret";
/** The older name of the header, ignored if both are sent. */
export const accessKeyHeader = "x-engine-access-key";
export const roleHeader = "x-engine-role";
export const backendOnlyHeader = "x-engine-use-backend-only-permissions";

/** Decodes UTF-8 in a header value, which arrives as one character per byte. */
export function decodeHeader(value: string): string {
  return /[\x80-\xff]/.test(value) ? Buffer.from(value, "latin1").toString("utf8") : value;
}

/**
 * Renames headers with the alternative prefix to the engine's prefix.
 * @param alias the alternative prefix
 * @throws EngineError `bad-request` if a header occurs under both names with different values
 */
export function toEngineHeaders(headers: RequestHeaders, alias: string): RequestHeaders {
  const own = toEngineNames(Object.entries(headers), alias);
  if ("mixed" in own) throw new EngineError("bad-request", "$", mismatchText(own));
  return Object.fromEntries(own);
}
