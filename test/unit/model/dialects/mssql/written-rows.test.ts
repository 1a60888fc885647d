/** What a statement that writes keeps of its rows, where OUTPUT cannot have a column. */
import { expect, it } from "vitest";
import { planMutation } from "../../../../../runtime/model/planner/plan-mutation.ts";
import { readOperation } from "../../../../../runtime/model/planner/request/document.ts";
import { roleSchema } from "../../../../../runtime/model/schema/role-schema.ts";
import { compileShape } from "../../../../support/compiled.ts";
import { shapeOfDdl } from "../../../../support/mssql-ddl.ts";
import { problemsOfTsql } from "../../../../support/tsql.ts";

const shape = await shapeOfDdl(`create table dbo.bill (
  id int not null,
  note nvarchar(40),
  total as dbo.total_of(id),
  constraint pk_bill primary key (id)
);
create table dbo.slip (
  note nvarchar(40),
  total as dbo.total_of(note)
);
`);
const { role } = compileShape(shape, [{ table: "bill" }, { table: "slip" }]);

/** The statements between the copy of the table and what is answered. */
function between(mutation: string): readonly string[] {
  const options = { stringifyNumbers: false, nullCollapse: false };
  const { plan } = planMutation(readOperation(mutation, null), roleSchema(role("admin")), {}, options);
  const [text = ""] = plan.writes.flatMap(({ steps }) => steps.map((step) => step.text));
  expect(problemsOfTsql(text)).toEqual([]);
  return text.split(";\n").slice(1, -2);
}

const copy =
  "select [id], [note], case when 1 = 0 then [total] end as [total] into #w from [dbo].[bill] where 1 = 0 " +
  "union all select [id], [note], case when 1 = 0 then [total] end as [total] from [dbo].[bill] where 1 = 0";
const filled = "update w set [total] = c.[total] from #w w join [dbo].[bill] c on c.[id] = w.[id]";

it("reads it from the table after an update", () => {
  expect(
    between("mutation { update_bill(where: {id: {_eq: 1}}, _set: {note: null}) { returning { total } } }"),
  ).toEqual([
    copy,
    "update t1 set [note] = null output inserted.[id], inserted.[note] into #w ([id], [note]) from [dbo].[bill] t1 where t1.[id] = cast(@p1 as int)",
    filled,
  ]);
});

it("reads it after an insert, which numbers its rows", () => {
  const [, , ...rest] = between(
    `mutation { insert_bill(objects: [{id: 1}], if_matched: {match_columns: [id], update_columns: [note]}) { returning { total } } }`,
  );
  expect(rest.at(-1)).toBe(filled);
});

it("reads nothing that is not asked for", () => {
  const statements = between("mutation { insert_bill_one(object: {id: 1}) { id } }");
  expect(statements).toHaveLength(2);
  expect(statements[1]).toContain("output inserted.[id], inserted.[note] into #w ([id], [note])");
});

it("reads it before a delete, under locks", () => {
  expect(between("mutation { delete_bill(where: {note: {_is_null: true}}) { returning { total } } }")).toEqual([
    copy,
    "select t1.[id], t1.[total] into #c from [dbo].[bill] t1 with (updlock, holdlock) where t1.[note] is null",
    "delete t1 output deleted.[id], deleted.[note] into #w ([id], [note]) from [dbo].[bill] t1 where t1.[note] is null",
    "update w set [total] = c.[total] from #w w join #c c on c.[id] = w.[id]",
    "drop table #c",
  ]);
});

it("says that it cannot be read without a key", () => {
  expect(between(`mutation { insert_slip_one(object: {note: "n"}) { note } }`)).toHaveLength(2);
  expect(() => between(`mutation { insert_slip_one(object: {note: "n"}) { total } }`)).toThrow(
    'SQL Server cannot return column "total" of rows that it writes',
  );
});
