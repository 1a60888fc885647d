/** Saved operations of one role with plans from its modules, so that requests need no parsing or planning. */

import type { SavedOperation } from "../model/definitions/saved/operation.ts";
import { type DeclaredVariable, type Operation, readOperation } from "../model/planner/request/document.ts";
import { planName, type SavedPlans } from "../model/planner/saved-plans.ts";
import { lazy } from "../values/lazy.ts";
import { type CachedPlan, cachedPlan } from "./plan-cache.ts";

export interface PlannedSavedOperation {
  readonly kind: SavedOperation["kind"];
  readonly operationName: string | undefined;
  readonly declared: ReadonlyMap<string, DeclaredVariable>;
  /** Returns the plan for the shape of these variables, if any. */
  plan(variables: Readonly<Record<string, unknown>>): CachedPlan | undefined;
  /** True once the guard has admitted the operation for the role. */
  isAdmitted: boolean;
  /** Returns the document, parsed on first use. */
  readonly document: () => Operation;
}

export function plannedSavedOperation(operation: SavedOperation, saved: SavedPlans): PlannedSavedOperation {
  const plans = new Map(Object.entries(saved.plans).map(([name, plan]) => [name, cachedPlan(plan)]));
  const declared = new Map(
    Object.entries(operation.variables).map(([name, variable]): [string, DeclaredVariable] => {
      const { type, required, unused = false } = variable;
      return [name, { type, required, hasDefault: "default" in variable, isUsed: !unused }];
    }),
  );
  return {
    kind: operation.kind,
    operationName: operation.operationName,
    declared,
    isAdmitted: false,
    plan: (variables) => plans.get(planName(saved, variables)),
    document: lazy(() => readOperation(operation.text, null)),
  };
}
