/**
 * SQL triggers for SQL Server, checked against its grammar: one file per event trigger, and rejected triggers. The SQL
 * triggers for PostgreSQL are in `compile/event-triggers`.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compileShape } from "../support/compiled.ts";
import { expectGolden } from "../support/golden.ts";
import { shapeOfDdl } from "../support/mssql-ddl.ts";
import { trigger } from "../support/recorded-events.ts";
import { problemsOfTsql } from "../support/tsql.ts";

const folder = join(import.meta.dirname, "event-recorders");
const shape = await shapeOfDdl(await readFile(join(folder, "schema.sql"), "utf8"));

const all = { columns: "*" };

function recorded(table: string, ...event_triggers: readonly unknown[]) {
  const { analysis, eventTriggers } = compileShape(shape, [{ table: { schema: "dbo", name: table }, event_triggers }]);
  return { triggers: eventTriggers(), reasons: analysis.inconsistencies.map(({ reason }) => reason) };
}

describe("SQL Server event recorders", () => {
  const { triggers, reasons } = recorded(
    "invoice",
    trigger("everything", { insert: all, update: all, delete: all }),
    trigger("key_not_watched", { update: { columns: ["total", "details"], payload: ["id", "total"] } }),
    trigger("not_replicated", { delete: { columns: "*", payload: ["id"] } }, { trigger_on_replication: false }),
    trigger(
      "conditional",
      { insert: all, update: { columns: ["note"], payload: ["id", "note"] } },
      {
        condition: {
          _or: [{ old: { note: { _is_null: true } } }, { new: { total: { _gt: 10 }, note: { _eq: "o'x" } } }],
        },
      },
    ),
    trigger(
      "ordered",
      { insert: all, update: { columns: ["total"], payload: ["id"] }, delete: { columns: "*", payload: ["id"] } },
      { ordering: { key: ["note", "id"] } },
    ),
    trigger("it's ]; drop table [invoice]; --", { insert: { columns: "*", payload: ["note"] } }),
  );

  it("The recorders of SQL Server event triggers match the golden files", async () => {
    expect(reasons).toEqual([]);
    const files = triggers.flatMap(({ name, recorders }) =>
      recorders.map(({ operation, statements }): [string, string] => [
        `${name.replace(/\W+/g, "_")}.${operation.toLowerCase()}.sql`,
        `${statements.join(";\n\n")}\n`,
      ]),
    );
    await expectGolden(join(folder, "expected"), new Map(files));
  });

  it.each(triggers.flatMap(({ recorders }) => recorders.map(({ name, statements }) => [name, statements] as const)))(
    "A recorder is valid T-SQL: %s",
    (_, statements) => {
      // The grammar lacks these clauses of CREATE TRIGGER.
      const clauses = /^with execute as self\n| not for replication(?= as$)/gm;
      const known = statements.map((statement) => statement.replace(clauses, ""));
      for (const statement of known) expect(problemsOfTsql(statement)).toEqual([]);
    },
  );

  it.each([
    [
      "keyless",
      { update: all },
      {},
      "Update event triggers for MS-SQL sources are only supported on tables with primary keys",
    ],
    [
      "spot",
      { insert: all },
      {},
      "Event triggers for MS-SQL sources are not supported on tables having Geometry or Geography column types",
    ],
    [
      "old",
      { delete: all },
      {},
      "Event triggers for MS-SQL sources are not supported on columns of the types text, ntext and image",
    ],
    [
      "old",
      { delete: { columns: "*", payload: ["id"] } },
      { ordering: { key: ["id", "body"] } },
      "Event triggers for MS-SQL sources are not supported on columns of the types text, ntext and image",
    ],
  ])("Event triggers of table %s are refused with %j", (table, definition, more, reason) => {
    expect(recorded(table, trigger("t", definition, more))).toEqual({
      triggers: [],
      reasons: [`Inconsistent object: ${reason}`],
    });
  });

  it("Insert and delete triggers need no key, and a payload may omit unsupported columns", () => {
    expect(recorded("keyless", trigger("t", { insert: all, delete: all })).reasons).toEqual([]);
    expect(recorded("spot", trigger("t", { update: { columns: ["id"], payload: ["id"] } })).reasons).toEqual([]);
  });
});
