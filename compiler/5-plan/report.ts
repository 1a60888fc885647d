/** What is inconsistent in an Analysis and in its saved operations, which are looked at last: on what else is served. */
import type { Analysis } from "../2-analyze/analysis.ts";
import { schemaFaultEntry } from "../2-analyze/rules/collection-queries.ts";
import type { SavedOperationFault } from "./saved-planner.ts";

/** The Analysis with entries for the faults, after its own; itself where there are none. */
export function reportFaults(analysis: Analysis, faults: readonly SavedOperationFault[]): Analysis {
  if (faults.length === 0) return analysis;
  const entries = faults.map(({ operation, faults: each }) => schemaFaultEntry(analysis.catalog, operation, each));
  const inconsistencies = Object.freeze([...analysis.inconsistencies, ...entries]);
  // Member by member: a copy would work the dependencies out, which are rarely asked for.
  const members = Object.getOwnPropertyDescriptors(analysis);
  const reported = { ...members, inconsistencies: { ...members.inconsistencies, value: inconsistencies } };
  return Object.freeze(Object.create(Object.prototype, reported));
}
