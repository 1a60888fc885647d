/**
 * Detects cookies of cross-site requests. Browsers add cookies to requests from any page, so that a cookie identifies
 * the user but not the page. A cookie is accepted only if the request proves that the page is allowed.
 */
import { allowsOrigin, type CorsDomains } from "../../config/cors-domains.ts";
import type { RequestHeaders } from "../../ports/headers.ts";
import { EngineError } from "../../values/errors.ts";
import { isOriginOf } from "./foreign-page.ts";

/**
 * Returns true if a page of another site may have caused a request with a cookie.
 * @param method HTTP method; `undefined` if unknown
 */
export function hasForeignCookie(headers: RequestHeaders, method: string | undefined, origins: CorsDomains): boolean {
  const { cookie, origin, "sec-fetch-site": site } = headers;
  if (cookie === undefined) return false;
  // The origin must be listed: `*` allows requests from every page, but only without cookies.
  if (origin !== undefined && allowsOrigin({ ...origins, any: false }, origin)) return false;
  switch (site) {
    case "same-origin":
    case "none":
      return false;
    case "same-site":
      return origin !== undefined && !origins.any;
    case undefined:
      // Older browsers, browsers on plain HTTP, and clients other than browsers do not send `sec-fetch-site`.
      if (origin !== undefined) return !isOriginOf(origin, headers.host);
      return (method === undefined || method === "POST") && isSentByForms(headers["content-type"]);
    default:
      return true;
  }
}

export function foreignCookie(): EngineError {
  const message =
    "the cookie is not accepted, because a page of another site may have caused the request; add the origin of the " +
    "page to --cors-domain (ENGINE_GRAPHQL_CORS_DOMAIN), or, from other clients, send Content-Type: application/json";
  return new EngineError("access-denied", "$", message, { status: 403 });
}

/** Returns true if a page can send the content type to another origin without a preflight request. */
function isSentByForms(contentType: string | undefined): boolean {
  const type = contentType?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"].includes(type);
}
