/** The routes of the live server: the routes of every server, and the administration endpoints. */
import { isConsoleEnabled } from "../config/console-default.ts";
import type { AdminEndpoint, DumpRequest } from "../ports/administration.ts";
import type { AuthenticatedSession } from "../ports/authentication.ts";
import type { Handler, PlainResponse, RequestRecord } from "../ports/request.ts";
import type { Services } from "../ports/services.ts";
import { unexpectedKind } from "../values/describe-json.ts";
import { type ErrorVisibility, renderError, showsInternal } from "../values/error-body.ts";
import { EngineError } from "../values/errors.ts";
import { isObject } from "../values/is-object.ts";
import { parseJson, parseWithNumberTexts } from "../values/json/parse.ts";
import { stringifyJson } from "../values/json-number.ts";
import { adminOnly } from "./admin-only.ts";
import { type ConfigSettings, configHandler } from "./config.ts";
import { consoleRoutes } from "./console.ts";
import { explainHandler } from "./explain.ts";
import { builtManual } from "./mcp/manual.ts";
import { prefersGraphqlResponse } from "./media-type.ts";
import { type RequestRouteSettings, type Route, requestRoutes } from "./request-routes.ts";
import { requestSession } from "./request-session.ts";
import { CombinedValidity } from "./response-validity.ts";
import { jsonResponse } from "./responses.ts";

export type RouteSettings = RequestRouteSettings & ConfigSettings;

const adminEndpoints: readonly AdminEndpoint[] = ["/v1/metadata", "/v1/query", "/v2/query"];

export function createRoutes(services: Services, settings: RouteSettings): readonly Route[] {
  const routes = [...requestRoutes(services, { ...settings, manual: settings.manual ?? builtManual() })];
  if (settings.enabledApis.has("metadata")) {
    for (const path of adminEndpoints) {
      routes.push({ method: "POST", path, handler: adminHandler(services, settings, path) });
    }
  }
  if (settings.enabledApis.has("metadata")) {
    const handler = explainHandler(services, settings);
    routes.push({ method: "POST", path: "/v1/graphql/explain", handler });
    routes.push({ method: "POST", path: "/v1alpha1/graphql/explain", handler });
  }
  if (settings.enabledApis.has("config")) {
    routes.push({ method: "GET", path: "/v1alpha1/config", handler: configHandler(services, settings) });
  }
  if (settings.enabledApis.has("pgdump")) {
    routes.push({ method: "POST", path: "/v1alpha1/pg_dump", handler: dumpHandler(services, settings) });
  }
  if (settings.enabledApis.has("developer")) {
    for (const path of developerPaths) {
      routes.push({ method: "GET", path, handler: developerHandler(services, settings, path) });
    }
  }
  if (isConsoleEnabled(settings)) routes.push(...consoleRoutes(services, settings));
  return routes;
}

// `POST /v1alpha1/pg_dump`: the schema or data of a source as SQL.

const sqlHeaders = { "content-type": "application/sql; charset=utf-8" };

function dumpHandler(services: Services, visibility: ErrorVisibility): Handler {
  return adminOnly(services, visibility, async (request, session) => {
    const body = await services.dump.dump(readRequest(parseJson(await request.readBody(session))));
    return { status: 200, headers: sqlHeaders, body, record: { mode: "non-graphql", session, error: null } };
  });
}

/** @throws EngineError `parse-failed` */
function readRequest(body: unknown): DumpRequest {
  if (!isObject(body)) throw unexpectedKind("Object", "Object", body, "$");
  const { opts, clean_output: clean = false, source = "default" } = body;
  if (opts === undefined) throw new EngineError("parse-failed", "$", 'key "opts" not found');
  if (!Array.isArray(opts)) throw unexpectedKind("[]", "Array", opts, "$.opts");
  const options = opts.map((option: unknown, i) => {
    if (typeof option !== "string") throw unexpectedKind("Text", "String", option, `$.opts[${i}]`);
    return option;
  });
  if (typeof clean !== "boolean") throw unexpectedKind("Bool", "Bool", clean, "$.clean_output");
  if (typeof source !== "string") throw unexpectedKind("Text", "String", source, "$.source");
  return { source, options, clean };
}

// `/dev/ekg`, `/dev/plan_cache`, `/dev/rts_stats`, `/dev/subscriptions`: statistics of the process, for administrators.

const developerPaths = [
  "/dev/ekg",
  "/dev/plan_cache",
  "/dev/rts_stats",
  "/dev/subscriptions",
  "/dev/subscriptions/extended",
] as const;

const statistics = (): unknown => ({
  uptime_seconds: process.uptime(),
  memory: process.memoryUsage(),
  resources: process.resourceUsage(),
});

const subscriptions = ({ graphql }: Services): unknown => graphql.subscriptions();

const reports: Readonly<Record<(typeof developerPaths)[number], (services: Services) => unknown>> = {
  "/dev/ekg": statistics,
  "/dev/plan_cache": () => null,
  "/dev/rts_stats": statistics,
  "/dev/subscriptions": subscriptions,
  "/dev/subscriptions/extended": subscriptions,
};

function developerHandler(
  services: Services,
  visibility: ErrorVisibility,
  path: (typeof developerPaths)[number],
): Handler {
  return adminOnly(services, visibility, (_request, session) =>
    jsonResponse(200, JSON.stringify(reports[path](services)), { mode: "non-graphql", session, error: null }),
  );
}

// `POST /v1/metadata`, `/v1/query`, `/v2/query`; the metadata service authorises each operation.

export function adminHandler(services: Services, visibility: ErrorVisibility, endpoint: AdminEndpoint): Handler {
  return async (request) => {
    let session: AuthenticatedSession | null = null;
    let operation: Pick<RequestRecord, "operationType" | "metadata"> = {};
    try {
      session = requestSession(
        await services.authenticator.authenticate(request.headers, { method: request.method }),
        request,
      );
      const body = parseWithNumberTexts(await request.readBody(session));
      if (!isObject(body)) throw unexpectedKind("Object", "Object", body, "$");
      operation = { ...(typeof body.type === "string" && { operationType: body.type }), metadata: body };
      const validity = new CombinedValidity();
      const text = stringifyJson(await services.metadata.handle(endpoint, body, session, request, validity));
      const record = { mode: "non-graphql", session, error: null, ...operation } as const;
      const response = jsonResponse(200, text, record, validity);
      return endpoint === "/v1/metadata" ? withWarnings(response, services.metadata.notices(body)) : response;
    } catch (thrown) {
      const error = thrown instanceof EngineError ? thrown : services.reportBug(thrown, request.requestId);
      const text = renderError(error, showsInternal(visibility, session), {
        hint: session?.role === "admin" && (visibility.devMode || prefersGraphqlResponse(request.headers)),
      });
      return jsonResponse(error.status, text, { mode: "non-graphql", session, error, ...operation });
    }
  };
}

// The header `Warning` (RFC 7234, section 5.5) of successful metadata operations.

/** Limit in lines, within the header limits of usual clients and proxies. */
const maxLines = 20;
const maxLineLength = 300;

/** Adds warnings with code 299, "miscellaneous persistent warning". */
function withWarnings(response: PlainResponse, lines: readonly string[]): PlainResponse {
  if (lines.length === 0) return response;
  const shown = lines.slice(0, maxLines).map(shortened);
  const more = lines.length - shown.length;
  const all = more > 0 ? [...shown, `and ${more} more in the start-up log of the server`] : shown;
  return { ...response, headers: { ...response.headers, warning: all.map((line) => `299 engine "${quoted(line)}"`) } };
}

function shortened(line: string): string {
  return line.length > maxLineLength ? `${line.slice(0, maxLineLength)}…` : line;
}

/** Escapes quotes, backslashes and all characters other than printable ASCII, which headers cannot contain. */
function quoted(line: string): string {
  return line
    .replace(/["\\]/g, "\\$&")
    .replace(/[^\x20-\x7e]/g, (letter) => `\\\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
