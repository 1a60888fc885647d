import { expect, it } from "vitest";
import { mergePlaced, placedRows, placedText, putPlaced } from "../../../../runtime/model/dialects/placed-texts.ts";
import { runToCompletion } from "../../../../runtime/values/interruptible.ts";

it("Rows are read from the text that they were written to", () => {
  const rows = [
    { place: "2", json: '{"a":[1,2]}' },
    { place: "0", json: '""' },
  ];
  expect(placedRows(placedText(rows))).toEqual(rows);
});

it("Rows of several statements are merged in the order of their places", () => {
  const one = placedText([
    { place: "2", json: '{"a":2}' },
    { place: "0", json: "null" },
  ]);
  const other = placedText([{ place: "1", json: '"x"' }]);
  expect(mergePlaced([one, null, other])).toBe('[null,"x",{"a":2}]');
  expect(mergePlaced([null])).toBe("[]");
});

it("Rows are put into a list at their places, counted from the index of the first row", () => {
  const list: (string | null)[] = Array.from({ length: 15 }, () => null);
  const rows = [
    { place: "12", json: '{"a":12}' },
    { place: "3", json: "[]" },
  ];
  runToCompletion(putPlaced(placedText(rows), list, 1));
  expect(Object.entries(list).filter(([, json]) => json !== null)).toEqual([
    ["4", "[]"],
    ["13", '{"a":12}'],
  ]);
  runToCompletion(putPlaced("", list, 0));
  expect(list.filter((json) => json !== null)).toHaveLength(2);
});
