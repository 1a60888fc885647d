/** `GET /healthz`: whether this instance works, as one line of text (`operations.md` 5). */
import { anonymous, textResponse } from "./responses.ts";
import type { Handler, RequestServices } from "./services.ts";

/** Inconsistent metadata is a warning; with `?strict=true` it is an error, for probes that decide about traffic. */
export function healthHandler(services: RequestServices): Handler {
  return async (request) => {
    try {
      switch (await services.health.check()) {
        case "ok":
          return textResponse(200, "OK", anonymous);
        case "unreachable":
          return textResponse(500, "ERROR", anonymous);
        case "inconsistent":
          return request.query.strict === "true"
            ? textResponse(500, "ERROR: inconsistent objects in schema", anonymous)
            : textResponse(200, "WARN: inconsistent objects in schema", anonymous);
      }
    } catch (thrown) {
      const error = services.reportBug(thrown, request.requestId);
      return textResponse(500, "ERROR", { ...anonymous, error });
    }
  };
}
