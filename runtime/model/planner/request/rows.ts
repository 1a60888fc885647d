/**
 * Rows to insert, as runs of neighbours with the same keys: a run is one statement, and a plan does not depend on how
 * many rows it has, unless others come after it. A row with nested rows stands alone, and its plan is for it alone.
 */

import { isObject } from "../../../values/is-object.ts";
import type { InputObjectTypeDef } from "../../schema/types.ts";

/** Rows of a list by their places. */
export interface RowRun {
  /** Index of its first row, and of the one after its last. */
  readonly start: number;
  readonly end: number;
  /** Keys of all its rows; `undefined`: a single row that holds nested rows, or is no row at all. */
  readonly keys: readonly string[] | undefined;
  /** How many rows it has, where a plan depends on it: 1 of a row that stands alone. */
  readonly count: number | undefined;
}

interface KnownRuns {
  readonly type: InputObjectTypeDef | undefined;
  readonly runs: readonly RowRun[];
}

/** Of lists with several: each run of a list asks for all of them, which must not look at all rows again. */
const known = new WeakMap<readonly unknown[], KnownRuns>();

/**
 * The runs of a list of JSON values, which does not change.
 * @param type of the rows; absent: rows have no nested ones
 */
export function rowRuns(rows: readonly unknown[], type?: InputObjectTypeDef): readonly RowRun[] {
  const before = known.get(rows);
  if (before && before.type === type) return before.runs;
  const runs = findRuns(rows, type);
  // Others are not asked for again.
  if (runs.length > 1 && runs.some(({ keys }) => keys)) known.set(rows, { type, runs });
  return runs;
}

/** Whether a row has no nested ones. */
export function isFlat(row: JsonRow, type: InputObjectTypeDef): boolean {
  return !hasNested(row, nestedKeys(Object.keys(row), type));
}

function findRuns(rows: readonly unknown[], type: InputObjectTypeDef | undefined): readonly RowRun[] {
  const runs: (RowRun & { count: number | undefined })[] = [];
  for (let start = 0; start < rows.length; ) {
    const first = rows[start];
    let end = start + 1;
    if (!isObject(first) || hasNested(first, nestedKeys(Object.keys(first), type))) {
      runs.push({ start, end, keys: undefined, count: 1 });
    } else {
      const keys = Object.keys(first);
      const nested = nestedKeys(keys, type);
      while (end < rows.length && continues(rows[end], keys, nested)) end++;
      runs.push({ start, end, keys, count: undefined });
    }
    start = end;
  }
  // Rows that stand alone are found by their places.
  const lastAlone = runs.findLastIndex(({ keys }) => keys === undefined);
  for (const run of runs.slice(0, lastAlone + 1)) run.count = run.end - run.start;
  return runs;
}

type JsonRow = Readonly<Record<string, unknown>>;

function nestedKeys(keys: readonly string[], type: InputObjectTypeDef | undefined): readonly string[] {
  const fields = type?.fields();
  return fields ? keys.filter((key) => fields.get(key)?.meta.kind === "nested") : [];
}

/** A nested row that is null is none. */
function hasNested(row: JsonRow, nested: readonly string[]): boolean {
  return nested.some((key) => row[key] !== null);
}

function continues(row: unknown, keys: readonly string[], nested: readonly string[]): boolean {
  if (!isObject(row) || hasNested(row, nested)) return false;
  return keys.every((key) => Object.hasOwn(row, key)) && Object.keys(row).length === keys.length;
}
