// Generated: change the metadata, not this file.
// From   query listed of collection app: role reader
// Slice  sha256:2a89e440

import {
  columnOf,
  fromVariable,
  mssql,
  queryPlan,
  savedPlans,
  statement,
  value,
} from "engine/support";

/** Plans of query listed of collection app for role reader. */
export const plans = savedPlans({
  always: queryPlan({
    statements: [
      statement(
        "default",
        `set nocount on;
create table #engine_t1 ([id] bigint null, [title] nvarchar(200) collate database_default null);
declare @t1a1 int = cast(@p1 as int);
insert into #engine_t1 ([id], [title]) exec [dbo].[books_by] @author = @t1a1;
select json_query(
  isnull(
    (select t2.[title] as [title] from #engine_t1 t2 for json path, include_null_values), N'[]'
  )
)`,
        [value(fromVariable("author"), mssql("int"), "$.selectionSet.books_by.args.args.author")],
      ),
    ],
    parts: [columnOf("books_by", { statement: 0, column: 0 })],
  }),
});
