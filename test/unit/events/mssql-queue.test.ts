/** The queue of SQL Server, without one: the grammar of its statements, and their texts as golden files. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { mssqlQueue } from "../../../runtime/events/mssql/queue.ts";
import { expectGolden } from "../../support/golden.ts";
import { problemsOfTsql } from "../../support/tsql.ts";

const statements = Object.entries(mssqlQueue).flatMap(([name, text]) =>
  typeof text === "string" ? [[name, text] as const] : [],
);

it.each(statements)("%s is T-SQL", (_, text) => {
  expect(problemsOfTsql(text)).toEqual([]);
});

it("takes and finishes as the golden files say", async () => {
  const files = new Map(statements.map(([name, text]) => [`${name}.sql`, `${text}\n`]));
  await expectGolden(join(import.meta.dirname, "mssql-queue"), files);
});

it("passes lists as JSON", () => {
  expect(mssqlQueue.list(['a"b', "c"])).toBe('["a\\"b","c"]');
});
