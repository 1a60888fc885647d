/** The request headers that say who asks, and how header values are read. */
import type { RequestHeaders } from "../../ports/headers.ts";
import { EngineError } from "../../values/errors.ts";
import { mixedText, underOwnNames } from "../../values/session-alias.ts";

export const adminSecretHeader = "x-engine-admin-secret";
/** The older name; when both are sent it is not looked at. */
export const accessKeyHeader = "x-engine-access-key";
export const roleHeader = "x-engine-role";
export const backendOnlyHeader = "x-engine-use-backend-only-permissions";

/** The UTF-8 text of a header value, which arrives as one character per byte. */
export function decodeHeader(value: string): string {
  return /[\x80-\xff]/.test(value) ? Buffer.from(value, "latin1").toString("utf8") : value;
}

/**
 * Headers under our names.
 * @param alias another prefix that is taken for ours
 * @throws EngineError `bad-request`: names of both kinds that do not say the same
 */
export function underOwnHeaders(headers: RequestHeaders, alias: string): RequestHeaders {
  const own = underOwnNames(Object.entries(headers), alias);
  if ("mixed" in own) throw new EngineError("bad-request", "$", mixedText(own));
  return Object.fromEntries(own);
}
