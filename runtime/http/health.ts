/** The endpoints for probes (`operations.md` 5): whether the process lives, and whether requests can be answered. */

import type { DatabaseState } from "../ports/health.ts";
import type { Handler } from "../ports/request.ts";
import type { RequestServices } from "../ports/services.ts";
import type { ErrorVisibility } from "../values/error-body.ts";
import { adminOnly } from "./admin-only.ts";
import { anonymous, jsonResponse, textResponse } from "./responses.ts";

/**
 * `GET /healthz`: the metadata database and the metadata. Inconsistent metadata is a warning; with `?strict=true` it
 * is an error, for probes that decide about traffic.
 */
export function healthHandler(services: RequestServices): Handler {
  return async (request) => {
    try {
      switch (await services.health.check()) {
        case "ok":
          return textResponse(200, "OK", anonymous);
        case "unreachable":
          return textResponse(500, "ERROR", anonymous);
        case "stopping":
          return textResponse(500, "ERROR: the server is shutting down", anonymous);
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

/** `GET /livez`: no database is asked, because a restart would repair none. */
export const livenessHandler: Handler = () => Promise.resolve(textResponse(200, "OK", anonymous));

/**
 * `GET /readyz`: whether every source answers, or those that `?source=` names, and there is metadata at all; a probe of
 * servers that get it later says `?empty=true`. The metadata database decides nothing: requests are answered without it.
 * Anonymous callers are told numbers, the log and `/healthz/sources` say names.
 */
export function readinessHandler(services: RequestServices): Handler {
  return async (request) => {
    const { isStopping, isShort, isEmpty, metadata, sources } = await services.health.readiness();
    const { source = [...sources.keys()] } = request.query;
    const asked = [source].flat();
    const ready = asked.filter((name) => sources.get(name)?.error === null).length;
    const isMissing = isEmpty && request.query.empty !== "true";
    const isReady = !isStopping && !isShort && !isMissing && ready === asked.length;
    const body = {
      status: isReady
        ? "ready"
        : isStopping
          ? "shutting down"
          : isShort
            ? "out of resources"
            : isMissing
              ? "no metadata"
              : "not ready",
      sources: { ready, not_ready: asked.length - ready },
      ...(metadata && { metadata: metadata.error ? "not ready" : "ready" }),
    };
    return jsonResponse(isReady ? 200 : 503, JSON.stringify(body), anonymous);
  };
}

/** `GET /healthz/sources`: each database by its name, for administrators. */
export function sourceHealthHandler(services: RequestServices, visibility: ErrorVisibility): Handler {
  return adminOnly(services, visibility, async (_request, session) => {
    const { metadata, sources } = await services.health.readiness();
    const states = [...sources].map(([name, state]) => [name, stateOf(state)] as const);
    const isHealthy = states.every(([, { status }]) => status === "OK");
    const body = { sources: Object.fromEntries(states), ...(metadata && { metadata: stateOf(metadata) }) };
    return jsonResponse(isHealthy ? 200 : 503, JSON.stringify(body), { mode: "non-graphql", session, error: null });
  });
}

function stateOf({ error }: DatabaseState) {
  return error === null ? { status: "OK" } : { status: "ERROR", error };
}
