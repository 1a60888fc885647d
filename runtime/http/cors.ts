/** Which CORS headers an answer carries (`operations.md` 6). */
import { allowsOrigin, type CorsDomains } from "../config/cors-domains.ts";
import { readAfterHeader } from "../values/read-after.ts";

export interface CorsSettings {
  readonly disableCors: boolean;
  readonly corsDomains: CorsDomains;
}

const exposed = "X-Engine-Query-Cache-Key,X-Engine-Query-Family-Cache-Key,Warning";

type HeaderMap = Readonly<Record<string, string>>;

/**
 * The headers for a request with this `Origin`; `null`: none, and the browser keeps the answer from the page.
 * @param answer other headers, which scripts may need to read
 */
export function corsHeaders(settings: CorsSettings, origin: string, answer: object = {}): HeaderMap | null {
  if (settings.disableCors || !allowsOrigin(settings.corsDomains, origin)) return null;
  return {
    "access-control-allow-origin": origin,
    "access-control-allow-credentials": "true",
    "access-control-allow-methods": "GET,POST,PUT,PATCH,DELETE,OPTIONS",
    "access-control-expose-headers": readAfterHeader in answer ? `${exposed},X-Engine-Read-After` : exposed,
  };
}

/** What the answer to a preflight request, of status 204 and without body, has besides; `null`: origin not allowed. */
export function preflightHeaders(settings: CorsSettings, origin: string, requestedHeaders: string): HeaderMap | null {
  if (corsHeaders(settings, origin) === null) return null;
  return {
    "access-control-max-age": "1728000",
    "access-control-allow-headers": requestedHeaders,
    "content-type": "text/plain charset=UTF-8",
  };
}
