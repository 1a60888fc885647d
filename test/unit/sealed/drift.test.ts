import { describe, expect, it } from "vitest";
import { shapeFacts } from "../../../compiler/1-introspect/shape-facts.ts";
import { driftOf } from "../../../runtime/sealed/drift.ts";
import { enumValuesStatement, factOf, factsStatement } from "../../../runtime/sources/mssql/facts.ts";
import { sqlServerLibrary } from "../../support/mssql-golden.ts";
import { problemsOfTsql } from "../../support/tsql.ts";

const object = ["dbo", "book"] as const;

describe("facts of SQL Server", () => {
  it("are asked for in T-SQL", () => {
    expect(problemsOfTsql(factsStatement)).toEqual([]);
    expect(enumValuesStatement({ table: ["dbo", "a]b"], column: "value" })).toBe(
      "select [value] as [value] from [dbo].[a]]b]",
    );
  });

  it("are said in the words of a Shape", () => {
    const facts = shapeFacts([...sqlServerLibrary.analysis.sources.values()][0]?.shape ?? expect.unreachable());
    expect(facts).toContainEqual(factOf(["dbo", "author", "table", null, "table", "0"]));
    expect(facts).toContainEqual(factOf(["dbo", "author", "column", "id", "sys.int not null", "0"]));
  });
});

describe("differences", () => {
  const expected = {
    tracked: [["dbo", "book"]] as const,
    enums: [],
    facts: [factOf(["dbo", "book", "column", "id", "sys.int not null", "0"])],
  };

  it("are none between equal databases", () => {
    expect(driftOf(expected, expected.facts)).toEqual({ harmless: [], harmful: [] });
  });

  it("are told in lines, by whether they can matter", () => {
    const found = [
      factOf(["dbo", "book", "column", "id", "sys.bigint not null", "0"]),
      factOf(["dbo", "book", "column", "note", "sys.nvarchar null", "1"]),
      factOf(["dbo", "book", "column", "rank", "sys.int not null", "0"]),
      factOf(["dbo", "other", "column", "id", "sys.int not null", "0"]),
      { object, part: ["function", "sys.int"], value: "()" },
      { object: ["dbo", "other"] as const, part: ["function", ""], value: "()" },
    ];
    expect(driftOf(expected, found)).toEqual({
      harmless: [
        "column dbo.book.note was added (sys.nvarchar null)",
        "column dbo.other.id was added (sys.int not null)",
      ],
      harmful: [
        "column dbo.book.id is sys.bigint not null, was sys.int not null",
        "column dbo.book.rank was added (sys.int not null)",
        "function dbo.book(sys.int) was added (())",
      ],
    });
  });
});
