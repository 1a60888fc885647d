/** Adds the faults of saved operations to an Analysis; they are checked last, on the schema that is served. */
import type { Analysis } from "../2-analyze/analysis.ts";
import { withCauses } from "../2-analyze/inconsistency.ts";
import { MissingObjects } from "../2-analyze/missing-objects.ts";
import { schemaFaultEntry } from "../2-analyze/rules/collection-queries.ts";
import type { SavedOperationFault } from "./saved-planner.ts";

/** Returns the Analysis with inconsistencies for the faults appended, or the same object if there are no faults. */
export function reportFaults(analysis: Analysis, faults: readonly SavedOperationFault[]): Analysis {
  if (faults.length === 0) return analysis;
  const objects = new MissingObjects(analysis);
  const entries = faults.map(({ operation, faults: each, missing = [] }) => {
    const lacks = missing.flatMap(({ type, field }) => objects.ownerOf(type, field) ?? []);
    return schemaFaultEntry(analysis.catalog, operation, each, lacks);
  });
  const inconsistencies = Object.freeze(withCauses([...analysis.inconsistencies, ...entries]));
  // Copies property descriptors: a spread would evaluate the dependencies, which are lazy and rarely needed.
  const members = Object.getOwnPropertyDescriptors(analysis);
  const reported = { ...members, inconsistencies: { ...members.inconsistencies, value: inconsistencies } };
  return Object.freeze(Object.create(Object.prototype, reported));
}
