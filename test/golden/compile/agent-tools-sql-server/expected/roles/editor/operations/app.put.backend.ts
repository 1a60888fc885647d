// Generated: change the metadata, not this file.
// From   query put of collection app: role editor, from a backend
// Slice  sha256:93f00584

import {
  columnValues,
  fromVariable,
  mssql,
  mutationPlan,
  notNull,
  rows,
  savedPlans,
  sessionValue,
  sqlServer,
  write,
  writeOf,
  writeStep,
} from "engine/support";

/** Rows that the operation writes. */
const rowsToWrite = rows({
  members: [["title", fromVariable("title")], ["weight", fromVariable("weight")]],
  path: "$.selectionSet.insert_book_one.args.object",
  literal: false,
});

/** Plans of query put of collection app for role editor, from a backend. */
export const plans = savedPlans({
  always: mutationPlan({
    writes: [
      write(
        "default",
        [
          writeStep(
            `set nocount on;
select
  [id],
  [title],
  [price],
  [weight],
  [is_lent],
  [published_on],
  [added_at],
  [code],
  [secret],
  [author_id] into #engine_written
from [dbo].[book]
where 1 = 0
union all
select
  [id],
  [title],
  [price],
  [weight],
  [is_lent],
  [published_on],
  [added_at],
  [code],
  [secret],
  [author_id]
from [dbo].[book]
where 1 = 0;
select
  r.n as [number of the row],
  r.c1 as [title],
  cast(r.c2 as int) as [weight] into #engine_proposed
from (
  select cast(l1.[key] as int) as n, l1.[value] as c1, l2.[value] as c2
  from openjson(@p1) l1
  join openjson(@p2) l2 on l2.[key] = l1.[key]
) r;
select v.[number of the row] into #engine_matched
from #engine_proposed v
where exists (
  select 1
  from [dbo].[book] m with (updlock, holdlock)
  where m.[title] = convert(nvarchar(200), convert(varbinary(400), v.[title]))
    and datalength(v.[title]) <= 400
);
if exists (
  select 1
  from [dbo].[book] t1
  join #engine_proposed v on t1.[title] = convert(nvarchar(200), convert(varbinary(400), v.[title]))
    and datalength(v.[title]) <= 400
  join #engine_proposed d on t1.[title] = convert(nvarchar(200), convert(varbinary(400), d.[title]))
    and datalength(d.[title]) <= 400
    and d.[number of the row] > v.[number of the row]
  where t1.[author_id] = cast(@p3 as int)
) begin throw 50672,
N'two of the rows to insert match the same row, which can be updated only once',
1;
end;
update t1
set [weight] = v.[weight]
output
  inserted.[id],
  inserted.[title],
  inserted.[price],
  inserted.[weight],
  inserted.[is_lent],
  inserted.[published_on],
  inserted.[added_at],
  inserted.[code],
  inserted.[secret],
  inserted.[author_id] into #engine_written
from [dbo].[book] t1
join #engine_proposed v on t1.[title] = convert(nvarchar(200), convert(varbinary(400), v.[title]))
  and datalength(v.[title]) <= 400
where t1.[author_id] = cast(@p3 as int);
insert into [dbo].[book] ([title], [weight])
output
  inserted.[id],
  inserted.[title],
  inserted.[price],
  inserted.[weight],
  inserted.[is_lent],
  inserted.[published_on],
  inserted.[added_at],
  inserted.[code],
  inserted.[secret],
  inserted.[author_id] into #engine_written
select v.[title], v.[weight]
from #engine_proposed v
where v.[number of the row] not in (select m.[number of the row] from #engine_matched m)
order by v.[number of the row];
drop table #engine_proposed, #engine_matched;
if exists (
  select 1
  from #engine_written t1
  where case when t1.[weight] > cast(N'0' as int) then 1 else 0 end = 0
) begin throw 50403,
N'check constraint of an insert/update permission has failed',
1;
end;
select json_query(
  (
    select top (1) t2.[id] as [id]
    from #engine_written t2
    for json path, include_null_values, without_array_wrapper
  )
);
drop table #engine_written`,
            [
              columnValues(sqlServer, rowsToWrite, "title", notNull(mssql("nvarchar"))),
              columnValues(sqlServer, rowsToWrite, "weight", notNull(mssql("smallint"))),
              sessionValue("x-engine-author-id"),
            ],
            "$.selectionSet.insert_book_one.args.object",
            { setsUser: true },
          ),
        ],
        [{ step: 0, column: 0 }],
      ),
    ],
    parts: [writeOf("insert_book_one", { write: 0 })],
  }),
});
