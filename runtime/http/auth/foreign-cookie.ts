/**
 * Cookies that a page of another site made the browser send. Browsers add cookies to requests that any page causes, so
 * a cookie says who sits at the browser and not who asks. It counts only when the request shows that the page may ask.
 */
import { allowsOrigin, type CorsDomains } from "../../config/cors-domains.ts";
import type { RequestHeaders } from "../../ports/headers.ts";
import { EngineError } from "../../values/errors.ts";
import { isOriginOf } from "./foreign-page.ts";

/**
 * Whether the cookie of a request may have been sent for a page of another site.
 * @param method `undefined`: any
 */
export function hasForeignCookie(headers: RequestHeaders, method: string | undefined, origins: CorsDomains): boolean {
  const { cookie, origin, "sec-fetch-site": site } = headers;
  if (cookie === undefined) return false;
  // An origin has to be named: `*` allows every page to ask, but not with the cookies of whoever looks at it.
  if (origin !== undefined && allowsOrigin({ ...origins, any: false }, origin)) return false;
  switch (site) {
    case "same-origin":
    case "none":
      return false;
    case "same-site":
      return origin !== undefined && !origins.any;
    case undefined:
      // Programs that are no browsers, older browsers, and browsers that use HTTP without TLS.
      if (origin !== undefined) return !isOriginOf(origin, headers.host);
      return (method === undefined || method === "POST") && isSentByForms(headers["content-type"]);
    default:
      return true;
  }
}

export function foreignCookie(): EngineError {
  const message =
    "the cookie is not accepted, because a page of another site may have caused the request: name the origin of the " +
    "page in --cors-domain (ENGINE_GRAPHQL_CORS_DOMAIN); outside of browsers send Content-Type: application/json";
  return new EngineError("access-denied", "$", message, { status: 403 });
}

/** What a page can send to another origin without asking it first. */
function isSentByForms(contentType: string | undefined): boolean {
  const type = contentType?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"].includes(type);
}
