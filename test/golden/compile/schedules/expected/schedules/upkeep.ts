// Generated: change the metadata, not this file.
// From   cron trigger upkeep
// Slice  sha256:a8a149c1

import { cronTrigger } from "engine/support";
import { operation } from "../operations/upkeep.forget-sessions+.js";

/**
 * Cron trigger upkeep: runs forget sessions of collection upkeep as janitor at `*\/10 * * * *`
 * (UTC).
 */
export const trigger = cronTrigger({
  name: "upkeep",
  schedule: "*/10 * * * *",
  timezone: "UTC",
  payload: "null",
  webhook: {
    url: { template: "" },
    headers: [],
    retry: { retries: 0, intervalSeconds: 10, timeoutSeconds: 60 },
  },
  operation: {
    operation: operation,
    role: "janitor",
    sessionVariables: { "x-engine-user-id": "7" },
  },
  toleranceSeconds: 21600,
  missed: "tolerance",
  overlap: "allow",
});
