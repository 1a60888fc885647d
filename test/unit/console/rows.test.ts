/** Pages, filters and files of rows, by laws over random values. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ColumnInfo, Row, RowOrder, TableInfo } from "../../../runtime/console/http/data-api.ts";
import type { Json, JsonObject } from "../../../runtime/console/http/metadata-types.ts";
import { CsvParser, csvLine, separatorOf } from "../../../runtime/console/pages/data/rows/csv.ts";
import { conditionError, groupsOf, whereOf } from "../../../runtime/console/pages/data/rows/filter-model.ts";
import { withoutProtection } from "../../../runtime/console/pages/data/rows/formula-text.ts";
import { pageQuery, pagingOf } from "../../../runtime/console/pages/data/rows/keyset.ts";

const operators = ["_eq", "_gt", "_gte", "_lt", "_lte"].map((name) => ({ name, operand: "number" as const }));
const column = (name: string, nullable: boolean): ColumnInfo => ({
  name,
  type: "integer",
  value: "number",
  operators: [...operators, { name: "_is_null", operand: "boolean" }, { name: "_in", operand: "number", list: true }],
  nullable,
});

const info: TableInfo = {
  kind: "table",
  comment: null,
  columns: [column("id", false), column("a", true), column("b", true)],
  primary_key: ["id"],
  indexes: [],
  constraints: [],
  view_definition: null,
  estimated_rows: null,
};

/** Evaluates a filter as SQL does, where a comparison with null is not true. */
function matches(where: JsonObject, row: Row): boolean {
  return Object.entries(where).every(([name, value]): boolean => {
    if (name === "_and") return (value as readonly JsonObject[]).every((each) => matches(each, row));
    if (name === "_or") return (value as readonly JsonObject[]).some((each) => matches(each, row));
    return Object.entries(value as JsonObject).every(([operator, operand]) => compares(row[name], operator, operand));
  });
}

function compares(value: unknown, operator: string, operand: Json): boolean {
  if (operator === "_is_null") return (value === null) === operand;
  if (value === null || operand === null) return false;
  const difference = Number(value) - Number(operand);
  if (operator === "_eq") return difference === 0;
  if (operator === "_gt") return difference > 0;
  if (operator === "_gte") return difference >= 0;
  return operator === "_lt" ? difference < 0 : difference <= 0;
}

/** Sorts as the database does. */
function sorted(rows: readonly Row[], order: readonly RowOrder[], isNullFirst: boolean): readonly Row[] {
  const rank = (value: unknown): number => (value === null ? (isNullFirst ? -Infinity : Infinity) : Number(value));
  return rows.toSorted((one, other) => {
    for (const { column: name, type } of order) {
      const [left, right] = [rank(one[name]), rank(other[name])];
      if (left !== right) return (left < right ? -1 : 1) * (type === "asc" ? 1 : -1);
    }
    return 0;
  });
}

const value = fc.option(fc.integer({ min: 0, max: 3 }), { nil: null });
const someRows = fc
  .array(fc.record({ a: value, b: value }), { maxLength: 25 })
  .map((list) => list.map((each, id) => ({ id, ...each })));
const direction = fc.constantFrom("asc" as const, "desc" as const);
const someOrder = fc
  .uniqueArray(fc.constantFrom("a", "b", "id"), { maxLength: 3 })
  .chain((names) => fc.tuple(...names.map((name) => direction.map((type) => ({ column: name, type })))));

describe("Pages of rows", () => {
  it.each(["postgres", "mssql"])("The pages of %s contain each row once, forwards and backwards", (kind) => {
    fc.assert(
      fc.property(someRows, someOrder, fc.integer({ min: 1, max: 7 }), (rows, order, size) => {
        const paging = pagingOf(info, kind, order);
        expect(paging.isKeyset).toBe(true);
        const all = sorted(rows, paging.order, paging.isNullFirst);
        for (const way of ["forwards", "backwards"] as const) {
          const found: Row[] = [];
          for (let last: Row | undefined; ; ) {
            const start = last
              ? ({ kind: way === "forwards" ? "after" : "before", row: last } as const)
              : ({ kind: way === "forwards" ? "first" : "last" } as const);
            const { query } = pageQuery(paging, start, {}, size);
            const rest = rows.filter((row) => matches(query.where ?? {}, row));
            const page = sorted(rest, query.order_by ?? [], paging.isNullFirst).slice(0, size);
            found.push(...page);
            last = page.at(-1);
            if (page.length < size) break;
          }
          expect(found).toEqual(way === "forwards" ? all : all.toReversed());
        }
      }),
    );
  });
});

describe("The row filter", () => {
  const condition = fc.record({
    column: fc.constantFrom("id", "a", "b"),
    operator: fc.constantFrom("_eq", "_gt", "_in"),
    text: fc.integer().map(String),
  });
  const groups = fc.array(fc.array(condition, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 });

  it("A filter that was applied is shown with the same conditions", () => {
    fc.assert(
      fc.property(groups, (given) => {
        const where = whereOf(given, info.columns);
        expect(whereOf(groupsOf(where, info.columns) ?? [], info.columns)).toEqual(where);
      }),
    );
  });

  it("A filter of another form is not edited as conditions", () => {
    expect(groupsOf({ _not: { a: { _eq: 1 } } }, info.columns)).toBeNull();
    expect(groupsOf({ owner: { id: { _eq: 1 } } }, info.columns)).toBeNull();
  });

  it("A value that the column cannot have is an error", () => {
    const errorOf = (text: string) => conditionError({ column: "a", operator: "_eq", text }, info.columns);
    expect(errorOf("")).toBe("Enter a number.");
    expect(errorOf("1e5")).toBeNull();
    expect(errorOf("one")).toBe('"one" is not a number.');
  });
});

/** Splits CSV into cells as spreadsheets do: only quotes at the beginning of a cell enclose it. */
function spreadsheetCells(text: string, separator: string): readonly string[] {
  const cells: string[] = [];
  let rest = text;
  while (rest !== "") {
    const [quoted = ""] = /^"(?:[^"]|"")*(?:"|$)/.exec(rest) ?? [];
    const [bare = ""] = new RegExp(`^[^${separator}\r\n]*`).exec(rest.slice(quoted.length)) ?? [];
    cells.push(quoted.replace(/^"|"$/g, "").replaceAll('""', '"') + bare);
    rest = rest.slice(quoted.length + bare.length + 1);
  }
  return cells;
}

describe("CSV of rows", () => {
  const formula = fc.stringMatching(/^[ \t\r\n;,"'=+@\-|!()1A.e]{0,12}$/);
  const number = fc.double({ noDefaultInfinity: true, noNaN: true }).map(String);
  const field = fc.option(fc.oneof(fc.string(), formula, number), { nil: null });
  const records = fc.array(fc.tuple(fc.string(), field, field), { maxLength: 8 });

  /** Reads a file as the import does, in pieces of this size. */
  function imported(text: string, size: number): readonly (readonly (string | null)[])[] {
    const parser = new CsvParser(separatorOf(text.split(/\r?\n/, 1)[0] ?? ""));
    const signs = [...text];
    const found: (readonly (string | null)[])[] = [];
    for (let at = 0; at < signs.length; at += size) found.push(...parser.push(signs.slice(at, at + size).join("")));
    expect(parser.end()).toBeNull();
    return found.map((record) => record.map((each) => (each === null ? null : withoutProtection(each))));
  }

  it("Imported CSV equals the exported records, in pieces of any size", () => {
    fc.assert(
      fc.property(records, fc.integer({ min: 1, max: 9 }), (given, size) => {
        expect(imported(given.map(csvLine).join(""), size)).toEqual(given);
      }),
    );
  });

  it("No cell of exported CSV begins a formula, whatever separator a spreadsheet reads", () => {
    fc.assert(
      fc.property(records, fc.constantFrom(",", ";", "\t"), (given, separator) => {
        for (const cell of spreadsheetCells(given.map(csvLine).join(""), separator)) {
          const isNumber = /^[+-]?[\d.]+(?:e[+-]?\d+)?(?:$|,)/i.test(cell);
          if (!isNumber) expect(cell).not.toMatch(/^\s*[=+\-@]/);
        }
      }),
    );
  });

  it("Numbers stay numbers, and formulas become texts", () => {
    expect(csvLine(["-1.5", "+1e5", "-2", "2030-01-02", "row 1"])).toBe('-1.5,"+1e5",-2,2030-01-02,row 1\r\n');
    expect(csvLine(["=1+1", "@SUM(A1)", "-Infinity", "'=x", "a;=x", "a-b"])).toBe(
      `"'=1+1","'@SUM(A1)","'-Infinity","''=x","a;'=x",a-b\r\n`,
    );
  });

  it("A text of many separators is protected in linear time", () => {
    // In quadratic time, the test would time out.
    const text = "\n'\"".repeat(100_000);
    expect(imported(csvLine([text]), text.length)).toEqual([[text]]);
  });

  it("A file that ends inside of a quoted field is refused", () => {
    const parser = new CsvParser();
    parser.push('a,"b');
    expect(() => parser.end()).toThrow("The file ends inside of a quoted field.");
  });
});
