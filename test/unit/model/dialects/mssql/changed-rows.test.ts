/** Statements that return the rows before and after a write: select filters, and columns that OUTPUT does not support. */
import { describe, expect, it } from "vitest";
import { planMutation } from "../../../../../runtime/model/planner/plan-mutation.ts";
import { readOperation } from "../../../../../runtime/model/planner/request/document.ts";
import { roleSchema } from "../../../../../runtime/model/schema/role-schema.ts";
import { compileShape } from "../../../../support/compiled.ts";
import { shapeOfDdl } from "../../../../support/mssql-ddl.ts";
import { problemsOfTsql } from "../../../../support/tsql.ts";

const shape = await shapeOfDdl(`create table dbo.loan (
  id int not null,
  owner nvarchar(40),
  stamp timestamp not null,
  score as dbo.score_of(id),
  constraint pk_loan primary key (id)
);
`);
const clerk = "clerk";
const { role } = compileShape(shape, [
  {
    table: "loan",
    select_permissions: [
      { role: clerk, permission: { columns: ["id", "owner", "score"], filter: { owner: { _eq: "X-Engine-User" } } } },
    ],
    insert_permissions: [{ role: clerk, permission: { columns: ["id", "owner"], check: {} } }],
    update_permissions: [{ role: clerk, permission: { columns: ["owner"], filter: {} } }],
    delete_permissions: [{ role: clerk, permission: { filter: {} } }],
  },
]);

/** Returns the statements of the batch that writes. */
function batchOf(mutation: string): readonly string[] {
  const text = `mutation { ${mutation} { changes { inserted old { owner score } new { owner score } } } }`;
  const options = { stringifyNumbers: false, nullCollapse: false };
  const { plan } = planMutation(readOperation(text, null), roleSchema(role(clerk)), {}, options);
  const texts = plan.writes.flatMap(({ steps }) => steps.map((step) => step.text));
  expect(texts.flatMap(problemsOfTsql)).toEqual([]);
  return (texts[0] ?? "").split(";\n");
}

const update = 'update_loan(where: { id: { _lt: 9 } }, _set: { owner: "x" })';
const upsert =
  'insert_loan(objects: [{ id: 1, owner: "x" }], if_matched: { match_columns: [id], update_columns: [owner] })';
const remove = "delete_loan(where: { id: { _lt: 9 } })";

describe("Changes on SQL Server", () => {
  it.each([
    ["an update", update],
    ["an upsert", upsert],
    ["a delete", remove],
  ])("The select filter is evaluated before the write, on locked rows: %s", (_, mutation) => {
    const batch = batchOf(mutation);
    const read = batch.findIndex((statement) => statement.includes("into #engine_before"));
    const write = batch.findIndex((statement) => /^(update|delete) t\d+ /.test(statement));
    expect(batch[read]).toMatch(/case when t1\.\[owner\] = @p\d then 1 else 0 end as \[visible before\]/);
    expect(batch[read]).toContain("[dbo].[loan] t1 with (updlock, holdlock)");
    expect(write).toBeGreaterThan(read);
    expect(batch[write]).toContain("b.[visible before]");
    expect(batch.join()).toContain("w.[visible before] = 1");
  });

  it.each([
    ["an update", update],
    ["an upsert", upsert],
  ])("Columns that OUTPUT does not support are read before and after the write: %s", (_, mutation) => {
    const batch = batchOf(mutation);
    expect(batch.find((statement) => statement.includes("into #engine_before"))).toContain(
      "t1.[score] as [column 4 before]",
    );
    const write = batch.find((statement) => /^update t\d+ /.test(statement));
    expect(write).toContain("b.[column 4 before]");
    expect(write).not.toContain("deleted.[score]");
    expect(batch).toContainEqual(expect.stringContaining("update w set [score] = c.[score]"));
  });

  it("A row version is kept as its value", () => {
    expect(batchOf(update)[1]).toContain("case when 1 = 0 then cast([stamp] as binary(8)) end as [column 3 before]");
  });

  it("An upsert leaves the columns of the row before NULL in inserted rows", () => {
    const insert = batchOf(upsert).find((statement) => statement.startsWith("insert into [dbo].[loan]"));
    expect(insert).toContain(
      "output inserted.[id], inserted.[owner], inserted.[stamp] into #engine_written ([id], [owner], [stamp])",
    );
    expect(batchOf(upsert).join()).toContain("case when w.[column 1 before] is null then 1 else 0 end");
  });
});
