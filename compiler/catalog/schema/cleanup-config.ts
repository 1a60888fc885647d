/** `cleanup_config`: schedule and retention of a trigger's log (`docs/how-to/event-triggers.md`). */
import { object } from "./combinators.ts";
import { cronSchedule } from "./cron.ts";
import { bool, int } from "./scalars.ts";

export const cleanupConfig = object({
  required: { schedule: cronSchedule, clear_older_than: int },
  optional: { batch_size: int, timeout: int, clean_invocation_logs: bool, paused: bool },
});
