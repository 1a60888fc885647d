/** Finds saved operations that a change breaks for a role. */
import type { Compiled } from "../../control/compile-analysis.ts";

export interface BrokenOperation {
  readonly collection: string;
  readonly name: string;
  readonly role: string;
  readonly reasons: readonly string[];
}

type Planned = Pick<Compiled, "analysis" | "planned" | "program">;

/** Returns the saved operations that a change breaks. Ignores removed operations and removed roles. */
export function brokenOperations(before: Planned, after: Planned): readonly BrokenOperation[] {
  const broken: BrokenOperation[] = [];
  for (const [key, operation] of before.analysis.savedOperations) {
    const successor = after.analysis.savedOperations.get(key);
    if (successor === undefined) continue;
    for (const role of before.program.roles().filter((each) => after.program.hasRole(each))) {
      if (before.planned.savedOutcome(operation, role, "frontend").kind === "fault") continue;
      const outcome = after.planned.savedOutcome(successor, role, "frontend");
      if (outcome.kind !== "fault") continue;
      broken.push({ collection: operation.collection, name: operation.name, role, reasons: outcome.faults });
    }
  }
  return broken;
}
