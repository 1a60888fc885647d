/** Which values of a plan hold keys to join by. */
import type { JoinPlaces } from "../../model/planner/joins/join-plan.ts";
import type { PlanPart } from "../../model/planner/plan.ts";

/** A value with keys in it: of which statement, column or field. */
export interface JoinedValue {
  readonly index: number;
  readonly places: JoinPlaces;
  /** Rows with their places in a list (`dialects/placed-texts.ts`). */
  readonly isPlaced?: true;
}

/** The columns that hold keys, by statement. */
export function joinedColumns(parts: readonly PlanPart[]): ReadonlyMap<number, readonly JoinedValue[]> {
  const found = new Map<number, JoinedValue[]>();
  for (const part of leaves(parts)) {
    const columns = part.kind === "column" ? [part] : part.kind === "merged" ? part.columns : [];
    for (const { statement, column, joins } of columns) {
      if (joins === undefined) continue;
      const own = found.get(statement) ?? [];
      own.push({ index: column, places: joins, ...(part.kind === "merged" && { isPlaced: true }) });
      found.set(statement, own);
    }
  }
  return found;
}

/** The fields of a mutation whose answers hold keys. */
export function joinedWrites(parts: readonly PlanPart[]): readonly JoinedValue[] {
  return [...leaves(parts)].flatMap((part) => {
    return part.kind === "write" && part.joins ? [{ index: part.write, places: part.joins }] : [];
  });
}

/** The fields that have values of their own, in namespaces or not. */
export function* leaves(parts: readonly PlanPart[]): Iterable<PlanPart> {
  for (const part of parts) {
    if (part.kind === "object") yield* leaves(part.parts);
    else yield part;
  }
}
