/** Collects the statement parameters whose values come from other sources. */
import type { CrossSourceSlot, ParameterSlot } from "../model/definitions/parameters.ts";
import type { Plan } from "../model/planner/plan.ts";

/** Returns the slots of all statements of a plan. */
export function crossSourceSlotsOf({ statements, writes, joins = [], actions = [] }: Plan): readonly CrossSourceSlot[] {
  return crossSourceSlotsIn([
    ...statements.flatMap(({ slots }) => slots),
    ...writes.flatMap(({ steps }) => steps.flatMap(({ slots }) => slots)),
    ...joins.flatMap((step) => (step.kind === "source" ? step.slots : [])),
    ...actions.flatMap(({ reads }) => reads.flatMap(({ slots }) => slots)),
  ]);
}

/** Returns the cross-source slots without duplicates. */
export function crossSourceSlotsIn(slots: readonly ParameterSlot[]): readonly CrossSourceSlot[] {
  const found = new Map<string, CrossSourceSlot>();
  for (const slot of slots) if (slot.kind === "crossSource") found.set(slot.key, slot);
  return [...found.values()];
}
