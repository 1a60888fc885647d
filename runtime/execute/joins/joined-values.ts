/** Finds the values of a plan that contain join keys. */
import type { JoinPlaces } from "../../model/planner/joins/join-plan.ts";
import type { PlanPart } from "../../model/planner/plan.ts";
import type { FieldPath } from "../../values/errors.ts";

/** A value that contains join keys. */
export interface JoinedValue {
  readonly index: number;
  /** Path to the value in the response. */
  readonly path: FieldPath;
  readonly places: JoinPlaces;
  /** Set if the value consists of rows with list positions (`dialects/placed-texts.ts`). */
  readonly isPlaced?: true;
}

/** Returns the columns that contain keys, by statement. */
export function joinedColumns(parts: readonly PlanPart[]): ReadonlyMap<number, readonly JoinedValue[]> {
  const found = new Map<number, JoinedValue[]>();
  for (const { part, path } of leaves(parts)) {
    const columns = part.kind === "column" ? [part] : part.kind === "merged" ? part.columns : [];
    for (const { statement, column, joins } of columns) {
      if (joins === undefined) continue;
      const values = found.get(statement) ?? [];
      values.push({ index: column, path, places: joins, ...(part.kind === "merged" && { isPlaced: true }) });
      found.set(statement, values);
    }
  }
  return found;
}

/** Returns the fields of a mutation whose results contain keys. */
export function joinedWrites(parts: readonly PlanPart[]): readonly JoinedValue[] {
  return [...leaves(parts)].flatMap(({ part, path }) => {
    return part.kind === "write" && part.joins ? [{ index: part.write, path, places: part.joins }] : [];
  });
}

/** A field that is not a namespace. */
interface Leaf {
  readonly part: PlanPart;
  readonly path: FieldPath;
}

/** Yields the fields of a plan, including fields in namespaces. */
export function* leaves(parts: readonly PlanPart[], within: FieldPath = []): Iterable<Leaf> {
  for (const part of parts) {
    const path = [...within, part.key];
    if (part.kind === "object") yield* leaves(part.parts, path);
    else yield { part, path };
  }
}
