import { expect, it } from "vitest";
import { rowRuns } from "../../../../../runtime/model/planner/request/rows.ts";

it("Consecutive rows with the same columns are one run", () => {
  const rows = [{ a: 1 }, { a: 2 }, { b: 1, a: 3 }, { a: 4, b: 2 }, { a: 5 }];
  expect(rowRuns(rows).map(({ start, end, keys }) => [start, end, keys])).toEqual([
    [0, 2, ["a"]],
    [2, 4, ["b", "a"]],
    [4, 5, ["a"]],
  ]);
  expect(rowRuns([])).toEqual([]);
});

it("The runs of a list are found once, although each of them is bound separately", () => {
  const rows = [{ a: 1 }, { b: 1 }];
  expect(rowRuns(rows)).toBe(rowRuns(rows));
});
