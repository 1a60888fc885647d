/** `GET /v1/metrics` (`docs/metrics.md`): for who has the secret of the metrics; without one, for administrators. */

import type { Options } from "../config/option-table.ts";
import type { Handler, PlainResponse } from "../ports/request.ts";
import type { RequestServices } from "../ports/services.ts";
import type { ErrorVisibility } from "../values/error-body.ts";
import { EngineError } from "../values/errors.ts";
import { adminOnly } from "./admin-only.ts";
import { AdminSecrets } from "./auth/admin-secret.ts";
import { notFoundHandler } from "./not-found.ts";
import { anonymous, errorResponse } from "./responses.ts";

export type MetricsSettings = ErrorVisibility & Pick<Options, "metricsSecret">;

const bearer = /^bearer +(\S+) *$/i;

export function metricsHandler(services: RequestServices, settings: MetricsSettings): Handler {
  const { metricsSecret } = settings;
  const { metricsText } = services.telemetry;
  if (metricsText === undefined) return notFoundHandler;
  const answer = async (): Promise<PlainResponse> => {
    const headers = { "content-type": "text/plain; version=0.0.4; charset=utf-8", "cache-control": "no-store" };
    return { status: 200, headers, body: await metricsText(), record: anonymous };
  };
  if (metricsSecret === null) return adminOnly(services, settings, answer);
  const secrets = new AdminSecrets([metricsSecret]);
  return async ({ headers }) => {
    const [, token] = bearer.exec(headers.authorization ?? "") ?? [];
    if (token !== undefined && secrets.matches(token)) return answer();
    const message = token === undefined ? "the metrics secret is required as a bearer token" : "invalid metrics secret";
    const refused = errorResponse(new EngineError("access-denied", "$", message, { status: 401 }));
    return { ...refused, headers: { ...refused.headers, "www-authenticate": "Bearer" } };
  };
}
