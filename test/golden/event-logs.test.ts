/**
 * The statements on events and their clean-up, by kind of database; the statements for SQL Server are checked against
 * its grammar.
 */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { EventSource } from "../../runtime/jobs/events/event-source.ts";
import { mssqlCleanup, mssqlLogs } from "../../runtime/jobs/events/mssql/logs.ts";
import { postgresCleanup, postgresLogs } from "../../runtime/jobs/events/postgres/logs.ts";
import { expectGolden } from "../support/golden.ts";
import { problemsOfTsql } from "../support/tsql.ts";

type Statements = Omit<EventSource, "database">;

const kinds: Readonly<Record<string, Statements>> = {
  mssql: { logs: mssqlLogs, cleanup: mssqlCleanup },
  postgres: { logs: postgresLogs, cleanup: postgresCleanup },
};

/** Returns the name and text of each statement, in order. */
function texts(statements: object, prefix = ""): readonly (readonly [string, string])[] {
  return Object.entries(statements).flatMap(([name, value]) =>
    typeof value === "string" ? [[`${prefix}${name}`, value] as const] : texts(value, `${prefix}${name}.`),
  );
}

describe("Statements on event logs", () => {
  it.each(Object.keys(kinds))("The statements on event logs match the golden files for %s", async (kind) => {
    const files = Object.entries(kinds[kind] ?? {}).map(([name, statements]): [string, string] => [
      `${name}.sql`,
      texts(statements)
        .map(([statement, text]) => `-- ${statement}\n${text};\n`)
        .join("\n"),
    ]);
    await expectGolden(join(import.meta.dirname, "event-logs", kind), new Map(files), { isInput: () => false });
  });

  it.each(Object.values(kinds.mssql ?? {}).flatMap((statements) => texts(statements)))(
    "A statement on SQL Server event logs is valid T-SQL: %s",
    (_, text) => {
      expect(problemsOfTsql(text)).toEqual([]);
    },
  );
});
