/** `OPTIONS` of any path: what browsers ask before they send a request for a page of another origin. */

import type { Handler } from "../ports/request.ts";
import { type CorsSettings, preflightHeaders } from "./cors.ts";
import { anonymous } from "./responses.ts";

/** Answers preflight requests; `handler` gets all others. */
export function orPreflight(cors: CorsSettings, handler: Handler): Handler {
  return (request) => {
    const { origin, "access-control-request-headers": requested = "" } = request.headers;
    const isPreflight = request.method === "OPTIONS" && origin !== undefined;
    const headers = isPreflight ? preflightHeaders(cors, origin, requested) : null;
    if (headers === null) return handler(request);
    return Promise.resolve({ status: 204, headers, body: "", record: anonymous });
  };
}
