/** `/dev/ekg`, `/dev/plan_cache`, `/dev/rts_stats`, `/dev/subscriptions`: how the process does, for administrators (`operations.md` 5). */

import type { Handler } from "../ports/request.ts";
import type { Services } from "../ports/services.ts";
import type { ErrorVisibility } from "../values/error-body.ts";
import { adminOnly } from "./admin-only.ts";
import { jsonResponse } from "./responses.ts";

export const developerPaths = [
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

const answers: Readonly<Record<(typeof developerPaths)[number], (services: Services) => unknown>> = {
  "/dev/ekg": statistics,
  "/dev/plan_cache": () => null,
  "/dev/rts_stats": statistics,
  "/dev/subscriptions": subscriptions,
  "/dev/subscriptions/extended": subscriptions,
};

export function developerHandler(
  services: Services,
  visibility: ErrorVisibility,
  path: (typeof developerPaths)[number],
): Handler {
  return adminOnly(services, visibility, (_request, session) =>
    jsonResponse(200, JSON.stringify(answers[path](services)), { mode: "non-graphql", session, error: null }),
  );
}
