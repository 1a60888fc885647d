/** `OPTIONS` of any path: what browsers ask before they send a request for a page of another origin. */
import { type CorsSettings, preflightHeaders } from "./cors.ts";
import { notFoundHandler } from "./not-found.ts";
import { anonymous } from "./responses.ts";
import type { Handler } from "./services.ts";

export function preflightHandler(cors: CorsSettings): Handler {
  return (request) => {
    const { origin, "access-control-request-headers": requested = "" } = request.headers;
    const headers = origin === undefined ? null : preflightHeaders(cors, origin, requested);
    if (headers === null) return notFoundHandler(request);
    return Promise.resolve({ status: 204, headers, body: "", record: anonymous });
  };
}
