/** Inserted rows as inputs. Adjacent rows with the same columns are grouped into one statement. */

import { pathTo } from "../../../values/errors.ts";
import {
  type InputRows,
  joinInputRows,
  type RowGroup,
  sourceValue,
  type ValueSource,
  writtenRows,
} from "../../definitions/parameters.ts";
import type { InputObjectTypeDef, InputTypeDef } from "../../schema/types.ts";
import { type Input, type InputMember, type InputRun, isOfOtherRows, type ObjectInput } from "./input.ts";
import { rowRuns } from "./rows.ts";

/** A variable, or a part of one. */
export type VariableSource = Extract<ValueSource, { kind: "variable" }>;

export const isRow = (type: InputTypeDef): type is InputObjectTypeDef => type.kind === "input" && type.isRow === true;

export function rowsInput(runs: readonly InputRun[], path: string): Input {
  return { kind: "rows", runs, path };
}

/** Groups rows that were read separately: adjacent rows with the same keys become one run. */
export function joinRows(items: readonly Input[], path: string): Input {
  const groups: [InputRun, ...InputRun[]][] = [];
  for (const run of items.flatMap((item) => (item.kind === "rows" ? item.runs : []))) {
    const last = groups.at(-1);
    if (last && keysOf(last[0].row) === keysOf(run.row)) last.push(run);
    else groups.push([run]);
  }
  const runs = groups.map(([first, ...others]): InputRun => {
    const all = [first, ...others];
    if (others.length === 0) return first;
    return { row: first.row, rows: joinInputRows(all.map(({ rows }) => rows)), count: countOf(all) };
  });
  return rowsInput(runs, path);
}

/** Returns the total number of rows, or `undefined` if it depends on the request. */
export function countOf(runs: readonly Pick<InputRun, "count">[]): number | undefined {
  let count = 0;
  for (const run of runs) {
    if (run.count === undefined) return undefined;
    count += run.count;
  }
  return count;
}

/** Returns a text that is the same for all rows that one statement can insert. */
function keysOf({ members, path }: ObjectInput): string {
  if (members.some(({ meta }) => isOfOtherRows(meta))) return path;
  return members
    .map(({ name }) => name)
    .sort()
    .join();
}

const nullSource: ValueSource = { kind: "constant", value: null };

/** Returns a row that is a literal in the document. */
export function rowOf({ members, path }: ObjectInput): InputRows {
  const sources = members.map(({ name, value }) => [name, value.kind === "value" ? value.source : nullSource] as const);
  return writtenRows(`row ${path}`, [{ members: sources, path, literal: members.some(isLiteral) }]);
}

const isLiteral = ({ value }: InputMember): boolean => value.kind === "value" && value.source.kind !== "variable";

/** Returns a row that is the value of a variable or a part of one. */
export function rowIn(source: VariableSource, path: string): InputRows {
  return {
    key: `row ${JSON.stringify(source)}`,
    of: (variables) => [{ values: [sourceValue(source, variables) as JsonRow], pathOf: () => path, literal: false }],
  };
}

/** Returns all rows of a list that is the value of a variable or a part of one. */
export function rowsIn(source: VariableSource, path: string): InputRows {
  return {
    key: `rows ${JSON.stringify(source)}`,
    of: (variables) => [groupOf(sourceValue(source, variables) as readonly JsonRow[], path, 0)],
  };
}

/** Returns the rows of one run of such a list. */
export function runIn(source: VariableSource, type: InputObjectTypeDef, run: number, path: string): InputRows {
  return {
    key: `run ${run} of ${JSON.stringify(source)}`,
    of: (variables) => {
      const list = sourceValue(source, variables) as readonly JsonRow[];
      const { start, end } = rowRuns(list, type)[run] ?? { start: 0, end: 0 };
      return [groupOf(list.slice(start, end), path, start)];
    },
  };
}

type JsonRow = RowGroup["values"][number];

const groupOf = (values: readonly JsonRow[], path: string, start: number): RowGroup => ({
  values,
  pathOf: (index) => pathTo(path, start + index),
  literal: false,
});
