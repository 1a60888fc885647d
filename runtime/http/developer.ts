/** `/dev/ekg`, `/dev/plan_cache`, `/dev/rts_stats`: how the process does, for administrators (`operations.md` 5). */
import { adminOnly } from "./admin-only.ts";
import type { ErrorVisibility } from "./errors.ts";
import { jsonResponse } from "./responses.ts";
import type { Handler, Services } from "./services.ts";

export const developerPaths = ["/dev/ekg", "/dev/plan_cache", "/dev/rts_stats"] as const;

const statistics = (): unknown => ({
  uptime_seconds: process.uptime(),
  memory: process.memoryUsage(),
  resources: process.resourceUsage(),
});

const answers: Readonly<Record<(typeof developerPaths)[number], () => unknown>> = {
  "/dev/ekg": statistics,
  "/dev/plan_cache": () => null,
  "/dev/rts_stats": statistics,
};

export function developerHandler(
  services: Services,
  visibility: ErrorVisibility,
  path: (typeof developerPaths)[number],
): Handler {
  return adminOnly(services, visibility, (_request, session) =>
    jsonResponse(200, JSON.stringify(answers[path]()), { mode: "non-graphql", session, error: null }),
  );
}
