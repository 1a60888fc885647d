-- @p1: "mia"
-- @p2: "[\"3\"]"
-- @p3: "[\"5\"]"
set nocount on;
select [book_id], [reader], [stars], [hidden] into #engine_written
from [dbo].[review]
where 1 = 0 union all
select [book_id], [reader], [stars], [hidden]
from [dbo].[review]
where 1 = 0;
insert into [dbo].[review] ([book_id], [stars], [reader])
output inserted.[book_id], inserted.[reader], inserted.[stars], inserted.[hidden] into #engine_written
select cast(r.c1 as int), cast(r.c2 as int), @p1
from (
  select cast(l1.[key] as int) as n, l1.[value] as c1, l2.[value] as c2
  from openjson(@p2) l1 join openjson(@p3) l2 on l2.[key] = l1.[key]
) r
order by r.n;
if exists (
  select 1
  from #engine_written t1
  where case when (t1.[stars] < cast(N'3' as int))
  or (exists (
    select 1
    from [dbo].[book] book_1
    where book_1.[id] = t1.[book_id]
  )) then 1 else 0 end = 0
) begin throw 50403, N'check constraint of an insert/update permission has failed', 1;
end;
select (
  select count(*)
  from #engine_written
);
drop table #engine_written;
