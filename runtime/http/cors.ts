/** Computes the CORS headers of responses. */
import { allowsOrigin, type CorsDomains } from "../config/cors-domains.ts";
import type { Handler } from "../ports/request.ts";
import { readAfterHeader } from "../values/read-after.ts";
import { anonymous } from "./responses.ts";

export interface CorsSettings {
  readonly disableCors: boolean;
  readonly corsDomains: CorsDomains;
}

const exposed = "X-Engine-Query-Cache-Key,X-Engine-Query-Family-Cache-Key,Warning";

type HeaderMap = Readonly<Record<string, string>>;

/**
 * Returns the headers for a request with this `Origin`; `null` if the origin is not allowed.
 * @param response the other headers of the response; scripts may need to read some of them
 */
export function corsHeaders(settings: CorsSettings, origin: string, response: object = {}): HeaderMap | null {
  if (settings.disableCors || !allowsOrigin(settings.corsDomains, origin)) return null;
  return {
    "access-control-allow-origin": origin,
    "access-control-allow-credentials": "true",
    "access-control-allow-methods": "GET,POST,PUT,PATCH,DELETE,OPTIONS",
    "access-control-expose-headers": readAfterHeader in response ? `${exposed},X-Engine-Read-After` : exposed,
  };
}

/** Returns the additional headers of a preflight response; `null` if the origin is not allowed. */
function preflightHeaders(settings: CorsSettings, origin: string, requestedHeaders: string): HeaderMap | null {
  if (corsHeaders(settings, origin) === null) return null;
  return {
    "access-control-max-age": "1728000",
    "access-control-allow-headers": requestedHeaders,
    "content-type": "text/plain charset=UTF-8",
  };
}

/** Returns a handler that responds to preflight requests and passes all other requests to `handler`. */
export function orPreflight(cors: CorsSettings, handler: Handler): Handler {
  return (request) => {
    const { origin, "access-control-request-headers": requested = "" } = request.headers;
    const isPreflight = request.method === "OPTIONS" && origin !== undefined;
    const headers = isPreflight ? preflightHeaders(cors, origin, requested) : null;
    if (headers === null) return handler(request);
    return Promise.resolve({ status: 204, headers, body: "", record: anonymous });
  };
}
