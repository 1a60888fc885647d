/** Handles CORS preflight requests: `OPTIONS` on any path. */

import type { Handler } from "../ports/request.ts";
import { type CorsSettings, preflightHeaders } from "./cors.ts";
import { anonymous } from "./responses.ts";

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
