/** Row values that a writing statement stores where OUTPUT cannot contain a column. */
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
create table dbo.coded (
  note nvarchar(40),
  code as dbo.code_of(note) persisted not null,
  constraint pk_coded primary key (code)
);
`);
const { role } = compileShape(shape, [{ table: "bill" }, { table: "slip" }, { table: "coded" }]);

/** Returns the statements between the creation of the copy and the result. */
function between(mutation: string): readonly string[] {
  const options = { stringifyNumbers: false, nullCollapse: false };
  const { plan } = planMutation(readOperation(mutation, null), roleSchema(role("admin")), {}, options);
  const [text = ""] = plan.writes.flatMap(({ steps }) => steps.map((step) => step.text));
  expect(problemsOfTsql(text)).toEqual([]);
  return text.split(";\n").slice(1, -2);
}

const copy =
  "select [id], [note], case when 1 = 0 then [total] end as [total] into #engine_written from [dbo].[bill] where 1 = 0 " +
  "union all select [id], [note], case when 1 = 0 then [total] end as [total] from [dbo].[bill] where 1 = 0";
const filled = "update w set [total] = c.[total] from #engine_written w join [dbo].[bill] c on c.[id] = w.[id]";

it("An update reads computed columns from the table after the change", () => {
  expect(
    between("mutation { update_bill(where: {id: {_eq: 1}}, _set: {note: null}) { returning { total } } }"),
  ).toEqual([
    copy,
    "update t1 set [note] = null output inserted.[id], inserted.[note] into #engine_written ([id], [note]) from [dbo].[bill] t1 where t1.[id] = cast(@p1 as int)",
    filled,
  ]);
});

it("An upsert reads computed columns after the insert, by row number", () => {
  const [, , ...rest] = between(
    `mutation { insert_bill(objects: [{id: 1}], if_matched: {match_columns: [id], update_columns: [note]}) { returning { total } } }`,
  );
  expect(rest.at(-1)).toBe(filled);
});

it("An insert reads no computed columns that are not selected", () => {
  const statements = between("mutation { insert_bill_one(object: {id: 1}) { id } }");
  expect(statements).toHaveLength(2);
  expect(statements[1]).toContain("output inserted.[id], inserted.[note] into #engine_written ([id], [note])");
});

it("A delete reads computed columns before the change, under locks", () => {
  expect(between("mutation { delete_bill(where: {note: {_is_null: true}}) { returning { total } } }")).toEqual([
    copy,
    "select t1.[id], t1.[total] into #engine_computed from [dbo].[bill] t1 with (updlock, holdlock) where t1.[note] is null",
    "delete t1 output deleted.[id], deleted.[note] into #engine_written ([id], [note]) from [dbo].[bill] t1 where t1.[note] is null",
    "update w set [total] = c.[total] from #engine_written w join #engine_computed c on c.[id] = w.[id]",
    "drop table #engine_computed",
  ]);
});

it.each([
  ["without a key", "slip", "total"],
  ["with a computed key", "coded", "code"],
])("A write that returns a computed column of a table %s is refused", (_, table, column) => {
  const insert = (field: string) => between(`mutation { insert_${table}_one(object: {note: "n"}) { ${field} } }`);
  expect(insert("note")).toHaveLength(2);
  expect(() => insert(column)).toThrow(`SQL Server cannot return the computed column "${column}" of written rows`);
});

it("A write copies xml columns without their collection of schemas, which belongs to another database than tempdb", async () => {
  const tables = await shapeOfDdl(`create table dbo.letter (
  id int not null,
  body xml,
  constraint pk_letter primary key (id)
);
`);
  const admin = roleSchema(compileShape(tables, [{ table: "letter" }]).role("admin"));
  const options = { stringifyNumbers: false, nullCollapse: false };
  const mutation = "mutation { update_letter(where: {}, _set: {id: 1}) { affected_rows } }";
  const { plan } = planMutation(readOperation(mutation, null), admin, {}, options);
  const [text = ""] = plan.writes.flatMap(({ steps }) => steps.map((step) => step.text));
  expect(problemsOfTsql(text)).toEqual([]);
  expect(text).toContain("select [id], cast([body] as xml) as [body] into #engine_written from [dbo].[letter]");
  expect(text).toContain("output inserted.[id], cast(inserted.[body] as xml) into #engine_written from");
});
