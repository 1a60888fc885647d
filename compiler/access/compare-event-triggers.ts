/** Compares event triggers. More columns or operations widen access; another URL may widen it. */
import { allowedEffect, type Changes, conditionEffect, type Effect, isSame, named, pairs } from "./change.ts";
import { rowsText } from "./describe.ts";
import type { ByName, EventTriggerAccess, RecordingAccess } from "./model.ts";

export function compareEventTriggers(
  before: ByName<EventTriggerAccess>,
  after: ByName<EventTriggerAccess>,
  all: Changes,
): void {
  for (const [name, from, to] of pairs(before, after)) {
    const changes = all.about({ subject: name });
    const aspect = "event trigger";
    if (from === undefined && to) changes.added({ aspect, after: triggerText(to), effect: "widens" });
    else if (from && to === undefined) changes.removed({ aspect, after: triggerText(from), effect: "widens" });
    else if (from && to && !isSame(from, to)) compareTrigger(from, to, changes);
  }
}

function triggerText({ table, url, operations, manual }: EventTriggerAccess): string {
  const found = Object.entries(operations).map(([name, { payload, watched }]) => {
    const watches = watched.length === 0 ? "" : `; watches ${watched.join(", ")}`;
    return `${name} (${payload.join(", ")}${watches})`;
  });
  return `${[...found, ...(manual ? ["manual calls"] : [])].join(", ") || "nothing"} of ${table} → ${url}`;
}

function compareTrigger(before: EventTriggerAccess, after: EventTriggerAccess, changes: Changes): void {
  for (const [aspect, member] of [
    ["table", "table"],
    ["address", "url"],
  ] as const) {
    const [from, to] = [before[member], after[member]];
    if (from !== to) changes.changed({ aspect, before: from, after: to, effect: "may widen" });
  }
  for (const [aspect, member] of [
    ["headers", "headers"],
    ["request transform", "requestTransform"],
  ] as const) {
    if (before[member] !== after[member]) changes.changed({ aspect, effect: "may widen" });
  }
  changes.members(named(before.signedWith), named(after.signedWith), { aspect: "signing secret", added: () => "none" });
  if (before.otherSettings !== after.otherSettings) changes.changed({ aspect: "delivery settings", effect: "none" });
  const manual = { aspect: "manual calls", effect: "widens" } as const;
  if (!before.manual && after.manual) changes.added(manual);
  if (before.manual && !after.manual) changes.removed(manual);
  changes.members(
    before.operations,
    after.operations,
    { aspect: "operation", added: () => "widens", text: ({ payload }) => payload.join(", ") },
    (from, to, name) => compareRecording(name, from, to, changes),
  );
}

function compareRecording(operation: string, before: RecordingAccess, after: RecordingAccess, changes: Changes): void {
  const widening = { added: (): Effect => "widens" };
  const aspect = (text: string) => `${operation} ${text}`;
  changes.members(named(before.payload), named(after.payload), { aspect: aspect("delivers column"), ...widening });
  changes.members(named(before.watched), named(after.watched), { aspect: aspect("watches column"), ...widening });
  if (before.onReplication !== after.onReplication) {
    changes.changed({
      aspect: aspect("by replication"),
      before: recordedText(before),
      after: recordedText(after),
      effect: allowedEffect(before.onReplication, after.onReplication),
    });
  }
  if (isSame(before.condition, after.condition)) return;
  changes.changed({
    aspect: aspect("condition"),
    before: rowsText(before.condition, "row"),
    after: rowsText(after.condition, "row"),
    effect: conditionEffect(before.condition, after.condition),
  });
}

const recordedText = ({ onReplication }: RecordingAccess): string => (onReplication ? "recorded" : "not recorded");
