/** Collects the parameters of statements whose values come from other sources or from the session. */
import type { CrossSourceSlot, ParameterSlot } from "../model/definitions/parameters.ts";
import type { Plan } from "../model/planner/plan.ts";
import type { Session } from "../values/session.ts";

/** Returns the slots of all statements of a plan. */
export function slotsOf({ statements, writes, joins = [], actions = [] }: Plan): readonly ParameterSlot[] {
  return [
    ...statements.flatMap(({ slots }) => slots),
    ...writes.flatMap(({ steps }) => steps.flatMap(({ slots }) => slots)),
    ...joins.flatMap((step) => (step.kind === "source" ? step.slots : [])),
    ...actions.flatMap(({ reads }) => reads.flatMap(({ slots }) => slots)),
  ];
}

export const crossSourceSlotsOf = (plan: Plan): readonly CrossSourceSlot[] => crossSourceSlotsIn(slotsOf(plan));

/** Returns the session variables that slots read and a session lacks, sorted. */
export function missingVariables(slots: readonly ParameterSlot[], variables: Session["variables"]): readonly string[] {
  const names = new Set<string>();
  const visit = (all: readonly ParameterSlot[]): void => {
    for (const slot of all) {
      if (slot.kind === "session" && !variables.has(slot.variable)) names.add(slot.variable);
      if (slot.kind === "crossSource") visit(slot.statement.slots);
    }
  };
  visit(slots);
  return [...names].sort();
}

/** Returns the cross-source slots without duplicates. */
export function crossSourceSlotsIn(slots: readonly ParameterSlot[]): readonly CrossSourceSlot[] {
  const found = new Map<string, CrossSourceSlot>();
  for (const slot of slots) if (slot.kind === "crossSource") found.set(slot.key, slot);
  return [...found.values()];
}
