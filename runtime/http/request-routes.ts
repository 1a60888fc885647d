/**
 * The routes that live and sealed servers share, for the enabled groups of endpoints, with the handlers of health,
 * version, metrics and the OpenAPI document.
 */

import type { Options } from "../config/option-table.ts";
import { type OpenApiForm, type OpenApiVersion, openApiVersions } from "../model/openapi/document.ts";
import type { DatabaseState } from "../ports/health.ts";
import type { Handler, PlainRequest, PlainResponse } from "../ports/request.ts";
import type { ClearedResponses } from "../ports/response-cache.ts";
import type { RequestServices } from "../ports/services.ts";
import type { ErrorVisibility } from "../values/error-body.ts";
import { EngineError, pathTo } from "../values/errors.ts";
import { didYouMean, nearestName } from "../values/nearest-name.ts";
import { adminOnly } from "./admin-only.ts";
import { AdminSecrets } from "./auth/admin-secret.ts";
import {
  type GraphqlSettings,
  graphqlAlphaHandler,
  graphqlHandler,
  graphqlUrlHandler,
  type RelaySettings,
  relayHandler,
} from "./graphql.ts";
import { resourceMetadataRoutes } from "./mcp/authorization.ts";
import { type McpHandlerSettings, mcpHandler, mcpPath } from "./mcp/handler.ts";
import { anonymous, errorResponse, jsonResponse, textResponse } from "./responses.ts";
import { type RestSettings, restHandler, restPrefix } from "./rest.ts";

export interface Route {
  readonly method: "GET" | "POST" | "ANY";
  /** Path of the route. A trailing `*` matches any remaining characters. */
  readonly path: string;
  readonly handler: Handler;
}

export interface RequestRouteSettings
  extends GraphqlSettings,
    RelaySettings,
    RestSettings,
    MetricsSettings,
    McpHandlerSettings {
  readonly enabledApis: Options["enabledApis"];
}

export function requestRoutes(services: RequestServices, settings: RequestRouteSettings): readonly Route[] {
  const health = healthHandler(services);
  const routes: Route[] = [
    { method: "GET", path: "/healthz", handler: health },
    { method: "GET", path: "/engine/healthz", handler: health },
    { method: "GET", path: "/healthz/sources", handler: sourceHealthHandler(services, settings) },
    { method: "GET", path: "/livez", handler: livenessHandler },
    { method: "GET", path: "/readyz", handler: readinessHandler(services) },
    { method: "GET", path: "/v1/version", handler: versionHandler(settings.version) },
    { method: "ANY", path: `${restPrefix}*`, handler: restHandler(services, settings) },
    { method: "GET", path: "/api/swagger/json", handler: openApiHandler(services, settings) },
  ];
  if (settings.enabledApis.has("graphql")) {
    const relay = relayHandler(services, settings);
    routes.push(
      { method: "POST", path: "/v1/graphql", handler: graphqlHandler(services, settings) },
      { method: "GET", path: "/v1/graphql", handler: graphqlUrlHandler(services, settings) },
      { method: "POST", path: "/v1alpha1/graphql", handler: graphqlAlphaHandler(services, settings) },
      { method: "POST", path: "/v1/relay", handler: relay },
      { method: "POST", path: "/v1beta1/relay", handler: relay },
      { method: "POST", path: "/pro/cache/clear", handler: clearCacheHandler(services, settings) },
    );
  }
  if (settings.enabledApis.has("metrics")) {
    routes.push({ method: "GET", path: "/v1/metrics", handler: metricsHandler(services, settings) });
  }
  if (settings.enabledApis.has("mcp")) {
    routes.push({ method: "ANY", path: mcpPath, handler: mcpHandler(services, settings) });
    for (const [path, handler] of resourceMetadataRoutes(settings)) routes.push({ method: "GET", path, handler });
  }
  return routes;
}

// `GET /v1/version`.

/** @param version the package version, without a leading `v` */
function versionHandler(version: string): Handler {
  const response = jsonResponse(200, JSON.stringify({ version: `v${version}` }), anonymous);
  return () => Promise.resolve(response);
}

// `GET /v1/metrics` (`docs/reference/metrics.md`): requires the metrics secret, or an admin session if no such secret is set.

type MetricsSettings = ErrorVisibility & Pick<Options, "metricsSecret">;

const bearer = /^bearer +(\S+) *$/i;

function metricsHandler(services: RequestServices, settings: MetricsSettings): Handler {
  const { metricsSecret } = settings;
  const { metricsText } = services.telemetry;
  if (metricsText === undefined) return notFoundHandler;
  const respond = async (): Promise<PlainResponse> => {
    const headers = { "content-type": "text/plain; version=0.0.4; charset=utf-8", "cache-control": "no-store" };
    return { status: 200, headers, body: await metricsText(), record: anonymous };
  };
  if (metricsSecret === null) return adminOnly(services, settings, respond);
  const secrets = new AdminSecrets([metricsSecret]);
  return async ({ headers }) => {
    const [, token] = bearer.exec(headers.authorization ?? "") ?? [];
    if (token !== undefined && secrets.matches(token)) return respond();
    const message = token === undefined ? "the metrics secret is required as a bearer token" : "invalid metrics secret";
    const refused = errorResponse(new EngineError("access-denied", "$", message, { status: 401 }));
    return { ...refused, headers: { ...refused.headers, "www-authenticate": "Bearer" } };
  };
}

/**
 * Handles `GET /api/swagger/json`: the OpenAPI document of the REST endpoints. `?role=` selects the endpoints and types
 * of a role; the default is admin. `?form=full` adds errors, examples and required members. `?version=3.1` selects the
 * version of OpenAPI; the default is 3.0.
 */
function openApiHandler(services: RequestServices, settings: RestSettings): Handler {
  return adminOnly(services, settings, ({ query }, session) => {
    const detail = query.form === "full" ? "full" : "plain";
    const form = { version: openApiVersion(query.version), detail, response: settings.restResponse } as const;
    const body = openApiDocument(services, query, form);
    return jsonResponse(200, body, { mode: "non-graphql", session, error: null });
  });
}

/** @throws EngineError `bad-request` for an unsupported version */
function openApiVersion(version: PlainRequest["query"][string] = "3.0"): OpenApiVersion {
  const known = openApiVersions.find((each) => each === version);
  if (known !== undefined) return known;
  const message = `expected one OpenAPI version of ${openApiVersions.join(", ")}`;
  throw new EngineError("bad-request", pathTo("$", "version"), message);
}

/** @throws EngineError `not-exists` for an unknown role */
function openApiDocument(
  { rest }: RequestServices,
  { role = "admin" }: PlainRequest["query"],
  form: OpenApiForm,
): string {
  const text = typeof role === "string" ? rest.openApi(role, form) : undefined;
  if (text !== undefined) return text;
  const message =
    typeof role === "string" ? unknownRole(role, rest.openApiRoles()) : 'the parameter "role" occurs more than once';
  throw new EngineError("not-exists", pathTo("$", "role"), message);
}

function unknownRole(role: string, known: Iterable<string>): string {
  const shown = role.slice(0, 100);
  const hint = didYouMean(shown, known);
  return `no permission exists for the role ${JSON.stringify(shown)}${hint === undefined ? "" : `: ${hint}`}`;
}

// `POST /pro/cache/clear`: removes all cached responses, or the ones that a parameter selects.

function clearCacheHandler(services: RequestServices, visibility: ErrorVisibility): Handler {
  return adminOnly(services, visibility, async (request, session) => {
    await services.responses.clear(selectedResponses(request.query));
    return jsonResponse(200, '{"message":"success"}', { mode: "non-graphql", session, error: null });
  });
}

const parameters = ["key", "family", "role"] as const;

/**
 * Returns the responses that the parameters select.
 * @throws EngineError `bad-request` for any other parameter, because ignoring it would clear the whole cache
 */
function selectedResponses(query: PlainRequest["query"]): ClearedResponses {
  const entries = Object.entries(query);
  const [first] = entries;
  if (first === undefined) return "all";
  const [name, value] = first;
  const known = parameters.find((parameter) => parameter === name);
  if (known === undefined) {
    const nearest = nearestName(name, parameters);
    const hint = nearest === undefined ? "" : `; did you mean "${nearest}"?`;
    throw bad(`unknown parameter "${name}"; the parameters are ${parameters.join(", ")}${hint}`);
  }
  if (entries.length > 1 || typeof value !== "string") throw bad(`pass only one of ${parameters.join(", ")}`);
  if (value === "") throw bad(`the parameter "${name}" is empty`);
  switch (known) {
    case "key":
      return { key: value };
    case "family":
      return { family: value };
    case "role":
      return { role: value };
  }
}

const bad = (message: string): EngineError => new EngineError("bad-request", "$", message);

// Liveness, readiness and health.

/**
 * Handles `GET /healthz`: checks the metadata database and the metadata. Inconsistent metadata results in a warning, or
 * with `?strict=true` in an error.
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

/** Handles `GET /livez`. Checks no database, because restarting the server would not repair one. */
export const livenessHandler: Handler = () => Promise.resolve(textResponse(200, "OK", anonymous));

/**
 * Handles `GET /readyz`: the server is ready if all sources, or the ones named by `?source=`, are reachable and the
 * metadata is not empty; `?empty=true` allows empty metadata. The metadata database is not checked, because requests
 * are served without it. The response is public and contains only counts; the log and `/healthz/sources` contain the
 * names.
 */
export function readinessHandler(services: RequestServices): Handler {
  return async (request) => {
    const { isStopping, isShort, isEmpty, metadata, sources } = await services.health.readiness();
    const { source = [...sources.keys()] } = request.query;
    const selected = [source].flat();
    const ready = selected.filter((name) => sources.get(name)?.error === null).length;
    const isMissing = isEmpty && request.query.empty !== "true";
    const isReady = !isStopping && !isShort && !isMissing && ready === selected.length;
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
      sources: { ready, not_ready: selected.length - ready },
      ...(metadata && { metadata: metadata.error ? "not ready" : "ready" }),
    };
    return jsonResponse(isReady ? 200 : 503, JSON.stringify(body), anonymous);
  };
}

/** Handles `GET /healthz/sources`: the state of each database by name, for administrators. */
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

/** Handles unknown paths, unsupported methods, and endpoints of disabled groups. */
export const notFoundHandler: Handler = () =>
  Promise.resolve(errorResponse(new EngineError("not-found", "$", "resource does not exist", { status: 404 })));

/** Returns the handler of requests without a route. At `/v1/graphql`, only their method is unsupported. */
export function unroutedHandler({ enabledApis }: Pick<RequestRouteSettings, "enabledApis">): Handler {
  if (!enabledApis.has("graphql")) return notFoundHandler;
  return (request) => {
    if (request.path !== "/v1/graphql") return notFoundHandler(request);
    const allow = "GET, HEAD, POST";
    const message = `the endpoint does not accept ${request.method}; use one of ${allow}`;
    const response = errorResponse(new EngineError("method-not-allowed", "$", message, { status: 405 }));
    return Promise.resolve({ ...response, headers: { ...response.headers, allow } });
  };
}
