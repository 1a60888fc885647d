/** Results as tables: columns of nested objects, and values of any shape. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { columnsOf, tablesOf, valueAt } from "../../../runtime/console/pages/api/result-tables.ts";

describe("Results as tables", () => {
  it("Nested objects become columns, and nested lists stay values", () => {
    const rows = [
      { id: 1, author: null, tags: ["a"] },
      { id: 2, author: { name: "Mary", home: { city: "Bath" } }, books: [{ id: 1 }] },
    ];
    expect(columnsOf(rows)).toEqual([["id"], ["author", "name"], ["author", "home", "city"], ["tags"], ["books"]]);
    expect(valueAt(rows[0], ["author", "name"])).toBeNull();
    expect(valueAt(rows[1], ["author", "home", "city"])).toBe("Bath");
    expect(valueAt(rows[0], ["books"])).toBeUndefined();
  });

  it("Each root field with rows is a table, and a single object is a table of one row", () => {
    const data = { book: [{ id: 1 }], by_pk: { id: 2 }, none: null, empty: [], now: "12:00", numbers: [1, 2] };
    expect(tablesOf(data).map(({ name, rows }) => [name, rows.length])).toEqual([
      ["book", 1],
      ["by_pk", 1],
    ]);
    expect(tablesOf(null)).toEqual([]);
  });

  it("The columns of any rows lead to every value that is not an object", () => {
    const leaves = (value: unknown): number =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? Object.values(value).reduce((sum: number, each) => sum + leaves(each), 0)
        : 1;
    fc.assert(
      fc.property(
        fc.array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), { minLength: 1, maxLength: 1 }),
        (rows) => {
          const found = columnsOf(rows).filter((path) => typeof valueAt(rows[0], path) !== "object").length;
          const lists = columnsOf(rows).filter((path) => typeof valueAt(rows[0], path) === "object").length;
          expect(found + lists).toBeGreaterThanOrEqual(leaves(rows[0]));
        },
      ),
      { numRuns: 200 },
    );
  });
});
