/** The queue of SQL Server, without a server: the grammar of its statements, and their texts as golden files. */
import { join } from "node:path";
import { expect, it } from "vitest";
import type { DatabaseSource } from "../../../../runtime/databases/sources/source.ts";
import { mssqlQueue } from "../../../../runtime/jobs/events/mssql/queue.ts";
import { EventQueue } from "../../../../runtime/jobs/events/queue.ts";
import { expectGolden } from "../../../support/golden.ts";
import { problemsOfTsql } from "../../../support/tsql.ts";

const statements = Object.entries(mssqlQueue).flatMap(([name, text]) =>
  typeof text === "string" ? [[name, text] as const] : [],
);

it.each(statements)("A statement of the event queue is valid T-SQL: %s", (_, text) => {
  expect(problemsOfTsql(text)).toEqual([]);
});

it("The statements of the event queue match the golden files", async () => {
  const files = new Map(statements.map(([name, text]) => [`${name}.sql`, `${text}\n`]));
  await expectGolden(join(import.meta.dirname, "mssql-queue"), files);
});

it("The SQL Server queue fetches ordered events and continues after the last key of the previous fetch", async () => {
  const takes: (readonly (string | null)[])[] = [];
  const look = ["t", null, null, "true", `0x${"AB".repeat(32)}`, null, null, null];
  const event = ["t", "e", "dbo", "invoice", '{"op":"INSERT"}', "0", "2026-01-01T00:00:00Z", null];
  const rowsOf = (text: string) => (text === mssqlQueue.takeOrdered ? [look, event] : []);
  const database: Pick<DatabaseSource, "name" | "executeAlone"> = {
    name: "default",
    executeAlone(options, { text }, values) {
      expect(options).toEqual({ isolation: "read-committed" });
      if (text === mssqlQueue.takeOrdered) takes.push(values);
      return Promise.resolve(rowsOf(text));
    },
  };
  const queue = new EventQueue({
    kind: "mssql",
    database: database as DatabaseSource,
    orderOf: () => ({ onError: "hold" }),
    onUnpackFailure: () => undefined,
  });
  const { calls, held, unfinished } = await queue.take("me", [{ lane: "t", count: 1 }], 10);
  expect(calls).toMatchObject([{ id: "e", lane: "t", table: { schema: "dbo", name: "invoice" }, tries: 0 }]);
  expect([...held, ...unfinished]).toEqual(["t", "t"]);
  await queue.take("me", [{ lane: "t", count: 1 }], 10);
  expect(takes).toEqual([
    ["me", '["t"]', '["1"]', '[""]', '["true"]', "500"],
    ["me", '["t"]', '["1"]', `["0x${"AB".repeat(32)}"]`, '["true"]', "500"],
  ]);
});

it("The SQL Server queue passes lists as JSON", () => {
  expect(mssqlQueue.list(['a"b', "c"])).toBe('["a\\"b","c"]');
});
