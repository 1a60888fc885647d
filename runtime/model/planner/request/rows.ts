/**
 * Groups inserted rows into runs of adjacent rows with the same keys. A run is one statement. A plan does not depend on
 * the number of rows in a run, unless single rows follow it. A row with nested rows forms its own run.
 */

import { isObject } from "../../../values/is-object.ts";
import type { InputObjectTypeDef } from "../../schema/types.ts";
import { isOfOtherRows } from "./input.ts";

/** A range of rows in a list. */
export interface RowRun {
  /** Index of the first row; `end` is the index after the last row. */
  readonly start: number;
  readonly end: number;
  /** Keys of all rows; `undefined` for a single row with nested rows, or an invalid row. */
  readonly keys: readonly string[] | undefined;
  /** Number of rows, if the plan depends on it; 1 for a single row. */
  readonly count: number | undefined;
}

interface CachedRuns {
  readonly type: InputObjectTypeDef | undefined;
  readonly runs: readonly RowRun[];
}

/** Runs of lists with several runs. Each run of a list is bound separately, which must not scan all rows repeatedly. */
const cache = new WeakMap<readonly unknown[], CachedRuns>();

/**
 * Returns the runs of a list of JSON values, which must not be modified.
 * @param type of the rows; absent if rows cannot have nested rows
 */
export function rowRuns(rows: readonly unknown[], type?: InputObjectTypeDef): readonly RowRun[] {
  const cached = cache.get(rows);
  if (cached && cached.type === type) return cached.runs;
  const runs = findRuns(rows, type);
  if (runs.length > 1 && runs.some(({ keys }) => keys)) cache.set(rows, { type, runs });
  return runs;
}

/** Returns true if a row has no nested rows. */
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
  // Single rows are addressed by index, so the sizes of the runs before them must be fixed.
  const lastAlone = runs.findLastIndex(({ keys }) => keys === undefined);
  for (const run of runs.slice(0, lastAlone + 1)) run.count = run.end - run.start;
  return runs;
}

type JsonRow = Readonly<Record<string, unknown>>;

function nestedKeys(keys: readonly string[], type: InputObjectTypeDef | undefined): readonly string[] {
  const fields = type?.fields();
  if (fields === undefined) return [];
  return keys.filter((key) => {
    const field = fields.get(key);
    return field !== undefined && isOfOtherRows(field.meta);
  });
}

/** Returns true if a row has nested rows other than null. */
function hasNested(row: JsonRow, nested: readonly string[]): boolean {
  return nested.some((key) => row[key] !== null);
}

function continues(row: unknown, keys: readonly string[], nested: readonly string[]): boolean {
  if (!isObject(row) || hasNested(row, nested)) return false;
  return keys.every((key) => Object.hasOwn(row, key)) && Object.keys(row).length === keys.length;
}
