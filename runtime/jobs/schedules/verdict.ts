/** Whether an event that is due is delivered at all (`docs/schedules.md`). */
import type { CronTriggerDefinition } from "../../model/definitions/schedules/cron-trigger.ts";
import type { ScheduledCall } from "./queue.ts";

/** `dead`: it is not; with the reason that its log tells, where one is told. */
export type Verdict = { readonly kind: "deliver" } | { readonly kind: "dead"; readonly reason?: string };

/** An event that nobody has taken so long after its time was missed: nobody was there. */
const missedAfterSeconds = 60;

const deliver: Verdict = { kind: "deliver" };

type Rules = Pick<CronTriggerDefinition, "missed" | "overlap" | "toleranceSeconds">;

export function verdictOn(call: ScheduledCall, { missed, overlap, toleranceSeconds }: Rules): Verdict {
  if (call.tries === 0 && overlap === "skip" && call.isBusy) {
    return { kind: "dead", reason: "skipped: the delivery for the time before has not ended" };
  }
  if (missed === "run_all") return deliver;
  if (missed === "tolerance") return call.lateSeconds > toleranceSeconds ? { kind: "dead" } : deliver;
  // A retry is late because of the attempts before.
  if (call.tries > 0 || call.lateSeconds <= missedAfterSeconds) return deliver;
  const late = `missed: nobody was there to deliver it in time, ${Math.round(call.lateSeconds)} s ago`;
  if (missed === "skip") return { kind: "dead", reason: late };
  return call.isLatest ? deliver : { kind: "dead", reason: `${late}, and a later time is due` };
}
