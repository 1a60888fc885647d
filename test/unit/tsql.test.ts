import { describe, expect, it } from "vitest";
import { problemsOfTsql, problemsOn, tsqlRules } from "../support/tsql.ts";

const types = new Map([["body", "text"]]);

const rules = tsqlRules.map((rule) => [rule.what, rule] as const);

describe("The T-SQL checker", () => {
  it.each(rules)("The T-SQL checker reports: %s", (what, { fails }) => {
    for (const statement of fails) {
      expect(problemsOn({ types }, statement)).toContainEqual(expect.stringContaining(what));
    }
  });

  it.each(rules)("The T-SQL checker accepts what SQL Server accepts instead: %s", (_, { passes }) => {
    for (const statement of passes) expect(problemsOn({ types }, statement)).toEqual([]);
  });

  it("The T-SQL checker reports a text that is not in the grammar", () => {
    expect(problemsOfTsql("select from where")).toEqual([expect.stringContaining("ParserError")]);
  });

  it("The T-SQL checker accepts functions and types of the database's level only", () => {
    const newer = "select json_arrayagg(cast(a as json)) as x from t";
    expect(problemsOfTsql(newer)).toHaveLength(2);
    expect(problemsOn({ level: 170 }, newer)).toEqual([]);
  });
});
