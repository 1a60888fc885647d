/** Which values of other sources statements compare with, for permissions that look there. */
import type { ElsewhereSlot, ParameterSlot } from "../model/definitions/parameters.ts";
import type { Plan } from "../model/planner/plan.ts";

/** What the statements of a plan compare with that other sources have. */
export function elsewhereOf({ statements, writes, joins = [], actions = [] }: Plan): readonly ElsewhereSlot[] {
  return elsewhereIn([
    ...statements.flatMap(({ slots }) => slots),
    ...writes.flatMap(({ steps }) => steps.flatMap(({ slots }) => slots)),
    ...joins.flatMap((step) => (step.kind === "source" ? step.slots : [])),
    ...actions.flatMap(({ reads }) => reads.flatMap(({ slots }) => slots)),
  ]);
}

/** Each once. */
export function elsewhereIn(slots: readonly ParameterSlot[]): readonly ElsewhereSlot[] {
  const found = new Map<string, ElsewhereSlot>();
  for (const slot of slots) if (slot.kind === "elsewhere") found.set(slot.key, slot);
  return [...found.values()];
}
