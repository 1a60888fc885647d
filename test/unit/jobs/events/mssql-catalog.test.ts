/** Statements on SQL Server that find, create and drop recorders, and the tables that they need. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { mssqlCatalog } from "../../../../runtime/jobs/events/mssql/catalog.ts";
import { expectGolden } from "../../../support/golden.ts";
import { problemsOfTsql } from "../../../support/tsql.ts";

const recorder = {
  name: "notify_engine_it's_INSERT",
  table: { schema: "d]bo", name: "note" },
  fault: undefined,
  hash: undefined,
};

const { migrations, reversals: _, bounded, refusal, isBlocked, drop, ...texts } = mssqlCatalog;
const dropped = drop(recorder);
const statements = [
  ...Object.entries(texts).flatMap(([name, text]) => [text].flat().map((each) => [name, each] as const)),
  ...migrations.flat().map((text, i) => [`migration ${i}`, text] as const),
  ...dropped.map((text) => ["drop", text] as const),
  ["bounded", bounded(dropped[0] ?? "")] as const,
];

describe("Event triggers on SQL Server", () => {
  it.each(statements)("A statement of the event catalog is valid T-SQL: %s", (_, text) => {
    expect(problemsOfTsql(text)).toEqual([]);
  });

  it("The statements of the event catalog match the golden file", async () => {
    const file = statements.map(([name, text]) => `-- ${name}\n${text.trim()};\n`).join("\n");
    await expectGolden(join(import.meta.dirname, "mssql-catalog"), new Map([["statements.sql", file]]));
  });

  it("A SQL Server error number maps to the reason of its refusal", () => {
    expect(refusal({ number: 1222 })).toBe("busy");
    expect(refusal({ number: 3906 })).toBe("read-only");
    expect(refusal(undefined)).toBeUndefined();
    expect(isBlocked({ number: 1222 })).toBe(false);
  });
});
