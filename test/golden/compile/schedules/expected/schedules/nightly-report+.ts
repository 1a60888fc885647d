// Generated: change the metadata, not this file.
// From   cron trigger nightly report
// Slice  sha256:785e643f

import { cronTrigger } from "engine/support";

/**
 * Cron trigger nightly report: calls https://reports.example/{{CHECK_PATH}} at `30 2 * * mon-fri`
 * (Europe/Berlin).
 */
export const trigger = cronTrigger({
  name: "nightly report",
  schedule: "30 2 * * mon-fri",
  timezone: "Europe/Berlin",
  payload: "{\"to\":[\"board\"],\"n\":12345678901234567890}",
  comment: "for */ the board",
  webhook: {
    url: { template: "https://reports.example/{{CHECK_PATH}}" },
    headers: [{ name: "Authorization", valueFromEnv: "CHECK_KEY" }],
    retry: {
      retries: 3,
      intervalSeconds: 10,
      timeoutSeconds: 60,
      backoff: { factor: 3, maxIntervalSeconds: 3600, jitter: 0 },
      retryOn: [500, 503],
    },
    signingSecrets: ["CHECK_KEY"],
  },
  toleranceSeconds: 600,
  missed: "run_latest",
  overlap: "skip",
  cleanup: {
    schedule: "0 0 * * *",
    clearOlderThanHours: 168,
    batchSize: 10000,
    timeoutSeconds: 60,
    cleanInvocationLogs: false,
    paused: false,
  },
});
