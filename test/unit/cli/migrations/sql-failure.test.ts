import { expect, it } from "vitest";
import { locateSqlFailure } from "../../../../runtime/cli/migrations/sql-failure.ts";
import { EngineError } from "../../../../runtime/values/errors.ts";

const failed = (sql: string, statement: string, error: object) =>
  (
    locateSqlFailure(
      new EngineError("postgres-error", "$.args", "query execution failed", { internal: { statement, error } }),
      { path: "up.sql", sql },
    ) as Error
  ).message;

it("A SQL failure names file, line and column in characters", () => {
  const sql = "select '😀';\nselect 1,\n  nothing;";
  const position = [..."select '😀';\nselect 1,\n  "].length + 1;
  const message = 'column "nothing" does not exist';
  expect(failed(sql, sql, { message, status_code: "42703", position })).toBe(`up.sql:3:3: ${message} (42703)`);
});

it("A SQL failure locates a statement that ran alone", () => {
  const sql = "select 1;\n\nvacuum nothing;";
  expect(failed(sql, "vacuum nothing", { message: "no", position: 8 })).toBe("up.sql:3:8: no");
});

it("A SQL failure names only the file if the location is unknown", () => {
  expect(failed("select 1", "select 1", { message: "no", description: "why", hint: "what" })).toBe(
    "up.sql: no – why – what",
  );
  expect(failed("select 1", "something else", {})).toBe("up.sql: query execution failed");
});

it("A SQL failure contains no control characters", () => {
  expect(failed("select 1", "select 1", { message: "a\u001b[2J\nb" })).toBe("up.sql: a\\u001b[2J b");
});
