/** Decides whether a due event is delivered (`docs/how-to/schedules.md`). */
import type { CronTriggerDefinition } from "../../model/definitions/schedules/cron-trigger.ts";
import type { ScheduledCall } from "./queue.ts";

/** `wait`: the event stays scheduled. `dead`: the event is not delivered, for the logged reason if there is one. */
export type Verdict = { readonly kind: "deliver" | "wait" } | { readonly kind: "dead"; readonly reason?: string };

/** Delay in seconds after which an unclaimed event counts as missed: no instance was running. */
const missedAfterSeconds = 60;

const deliver: Verdict = { kind: "deliver" };

type Rules = Pick<CronTriggerDefinition, "missed" | "overlap" | "toleranceSeconds">;

export function verdictOn(call: ScheduledCall, { missed, overlap, toleranceSeconds }: Rules): Verdict {
  if (call.tries === 0 && overlap === "skip" && call.isBusy) {
    if (call.isRedelivered) return { kind: "wait" };
    return { kind: "dead", reason: "skipped: the delivery of an earlier event has not ended" };
  }
  // An administrator has requested the redelivery, however old the event is.
  if (missed === "run_all" || call.isRedelivered) return deliver;
  if (missed === "tolerance") return call.lateSeconds > toleranceSeconds ? { kind: "dead" } : deliver;
  // Previous attempts explain the delay of a retry.
  if (call.tries > 0 || call.lateSeconds <= missedAfterSeconds) return deliver;
  const late = `missed: no instance was running at the scheduled time, ${Math.round(call.lateSeconds)} s ago`;
  if (missed === "skip") return { kind: "dead", reason: late };
  return call.isLatest ? deliver : { kind: "dead", reason: `${late}, and a later time is due` };
}
