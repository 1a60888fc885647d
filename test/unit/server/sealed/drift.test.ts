import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { shapeFacts } from "../../../../compiler/shape/shape-facts.ts";
import { enumValuesStatement, factOf, factsStatement } from "../../../../runtime/databases/sources/mssql/facts.ts";
import { definitionsStatement } from "../../../../runtime/model/dialects/mssql/definitions.ts";
import { definitionParts, driftOf } from "../../../../runtime/server/sealed/drift.ts";
import { definitionFact } from "../../../../runtime/values/database-fact.ts";
import { sqlServerLibrary } from "../../../support/mssql-golden.ts";
import { problemsOfTsql } from "../../../support/tsql.ts";

const object = ["dbo", "book"] as const;

describe("Facts of SQL Server databases", () => {
  it("The statements for facts of SQL Server are valid T-SQL", () => {
    expect(problemsOfTsql(factsStatement)).toEqual([]);
    expect(problemsOfTsql(definitionsStatement)).toEqual([]);
    expect(enumValuesStatement({ table: ["dbo", "a]b"], column: "value" })).toBe(
      "select [value] as [value] from [dbo].[a]]b]",
    );
  });

  it("The facts of SQL Server are derived from the source's shape", () => {
    const facts = shapeFacts([...sqlServerLibrary.analysis.sources.values()][0]?.shape ?? expect.unreachable());
    expect(facts).toContainEqual(factOf(["dbo", "author", "table", null, "table", "0"]));
    expect(facts).toContainEqual(factOf(["dbo", "author", "column", "id", "sys.int not null", "0"]));
  });
});

describe("Drift between databases", () => {
  const expected = {
    tracked: [["dbo", "book"]] as const,
    enums: [],
    facts: [factOf(["dbo", "book", "column", "id", "sys.int not null", "0"])],
    definitions: null,
  };
  const notCompared =
    "definitions of views, functions, policies, triggers and defaults were not compared: " +
    "the shape does not contain them; save it again with `engine shape`, and rebuild";

  it("Equal databases have no drift", () => {
    const definitions = { serverVersion: "any", facts: [definitionFact(["dbo", "book", "view", null, "1a"])] };
    expect(driftOf({ ...expected, definitions }, { ...expected, definitions })).toEqual({ harmless: [], harmful: [] });
  });

  it("Drift is described line by line, as harmless or harmful", () => {
    const found = [
      factOf(["dbo", "book", "column", "id", "sys.bigint not null", "0"]),
      factOf(["dbo", "book", "column", "note", "sys.nvarchar null", "1"]),
      factOf(["dbo", "book", "column", "rank", "sys.int not null", "0"]),
      factOf(["dbo", "other", "column", "id", "sys.int not null", "0"]),
      { object, part: ["function", "sys.int"], value: "()" },
      { object: ["dbo", "other"] as const, part: ["function", ""], value: "()" },
    ];
    expect(driftOf(expected, { facts: found, definitions: null })).toEqual({
      harmless: [
        "column dbo.book.note was added (sys.nvarchar null)",
        "column dbo.other.id was added (sys.int not null)",
        notCompared,
      ],
      harmful: [
        "column dbo.book.id is sys.bigint not null, was sys.int not null",
        "column dbo.book.rank was added (sys.int not null)",
        "function dbo.book(sys.int) was added (())",
      ],
    });
  });

  describe("Drift of definitions", () => {
    /** Returns the drift if one fact of `public.t` changed; `undefined` for a missing value. */
    const drift = (kind: string, before: string | undefined, now: string | undefined, object: string) => {
      const isOfFunction = kind === "body" || kind.startsWith("function");
      const name = kind.startsWith("view") || kind === "row security" || kind === "procedure" ? null : "x";
      const factsOf = (value: string | undefined) =>
        value === undefined ? [] : [definitionFact(["public", object, kind, isOfFunction ? "" : name, value])];
      const of = (value: string | undefined) => ({
        facts: [],
        definitions: { serverVersion: "15", facts: factsOf(value) },
      });
      return driftOf({ ...of(before), tracked: [["public", "t"]], enums: [] }, of(now));
    };
    /** The severity of each difference: changed, missing, added. */
    const levels: Record<keyof typeof definitionParts, readonly [string, string, string]> = {
      view: ["refuse", "refuse", "refuse"],
      "view options": ["refuse", "refuse", "refuse"],
      "view owner": ["warn", "warn", "warn"],
      "view owner rights": ["refuse", "warn", "refuse"],
      "row security": ["refuse", "refuse", "refuse"],
      policy: ["refuse", "refuse", "refuse"],
      trigger: ["refuse", "refuse", "refuse"],
      rule: ["refuse", "refuse", "refuse"],
      default: ["warn", "warn", "warn"],
      generated: ["refuse", "refuse", "refuse"],
      body: ["refuse", "refuse", "refuse"],
      "function owner": ["warn", "warn", "warn"],
      "function owner rights": ["refuse", "warn", "refuse"],
      procedure: ["refuse", "refuse", "refuse"],
    };
    const differences = [
      ["1", "2"],
      ["1", undefined],
      [undefined, "1"],
    ] as const;

    it.each(Object.keys(definitionParts) as (keyof typeof definitionParts)[])(
      "A changed definition is harmful or harmless as documented, with its reason: %s",
      (kind) => {
        for (const [i, [before, now]] of differences.entries()) {
          const { harmless, harmful } = drift(kind, before, now, "t");
          const level = levels[kind][i];
          expect(level === "warn" ? harmful : harmless).toEqual([]);
          expect(level === "warn" ? harmless : harmful).toEqual([
            expect.stringMatching(`: ${definitionParts[kind].reason}$`),
          ]);
        }
      },
    );

    it("An added after-trigger and a changed definition of an untracked table are harmless drift", () => {
      expect(drift("trigger", undefined, "after 1a", "t").harmful).toEqual([]);
      expect(drift("trigger", undefined, "after 1a", "t").harmless).toHaveLength(1);
      expect(drift("trigger", undefined, "before 1a", "t").harmful).toHaveLength(1);
      expect(drift("policy", "1", "2", "other")).toMatchObject({ harmful: [], harmless: [expect.anything()] });
    });

    it("A changed body of an unused function is not reported", () => {
      expect(drift("body", "1", "2", "other")).toEqual({ harmful: [], harmless: [] });
    });

    it("Definitions are not compared between different server versions", () => {
      const of = (serverVersion: string) => ({
        facts: [],
        definitions: { serverVersion, facts: [definitionFact(["public", "t", "view", null, serverVersion])] },
      });
      expect(driftOf({ ...of("15"), tracked: [["public", "t"]], enums: [] }, of("16"))).toEqual({
        harmful: [],
        harmless: [
          expect.stringContaining("the shape is from version 15 of the database server, which has version 16 here"),
        ],
      });
    });

    it("Each kind of definition is in the documentation's table", async () => {
      const page = await readFile(new URL("../../../../docs/how-to/sealed.md", import.meta.url), "utf8");
      for (const [kind, [changed, missing, added]] of Object.entries(levels)) {
        const row = page.split("\n").find((line) => line.startsWith(`| ${kind} |`));
        const [, , , ...cells] = (row ?? "").split("|").map((cell) => cell.trim());
        expect(cells.slice(0, 3), kind).toEqual([changed, missing, kind === "trigger" ? "refuse; after: warn" : added]);
      }
    });
  });
});
