/** Compares cron triggers. A new trigger widens access; another URL, operation or payload may widen it. */
import { type Changes, isSame, named, pairs } from "./change.ts";
import type { ByName, CronTriggerAccess } from "./model.ts";

export function compareCronTriggers(
  before: ByName<CronTriggerAccess>,
  after: ByName<CronTriggerAccess>,
  all: Changes,
): void {
  for (const [name, from, to] of pairs(before, after)) {
    const changes = all.about({ subject: name });
    const aspect = "cron trigger";
    if (from === undefined && to) changes.added({ aspect, after: triggerText(to), effect: "widens" });
    else if (from && to === undefined) changes.removed({ aspect, after: triggerText(from), effect: "widens" });
    else if (from && to && !isSame(from, to)) compareTrigger(from, to, changes);
  }
}

const triggerText = ({ schedule, action }: CronTriggerAccess): string => `${schedule} → ${action}`;

const hashes = [
  ["headers", "headers"],
  ["request transform", "requestTransform"],
  ["payload", "payload"],
  ["session variables", "sessionVariables"],
] as const;

function compareTrigger(before: CronTriggerAccess, after: CronTriggerAccess, changes: Changes): void {
  if (before.action !== after.action) {
    changes.changed({ aspect: "action", before: before.action, after: after.action, effect: "may widen" });
  }
  if (before.schedule !== after.schedule) {
    changes.changed({ aspect: "schedule", before: before.schedule, after: after.schedule, effect: "none" });
  }
  for (const [aspect, member] of hashes) {
    if (before[member] !== after[member]) changes.changed({ aspect, effect: "may widen" });
  }
  changes.members(named(before.signedWith), named(after.signedWith), { aspect: "signing secret", added: () => "none" });
  if (before.otherSettings !== after.otherSettings) changes.changed({ aspect: "delivery settings", effect: "none" });
}
