-- @p1: "[\"8\"]"
-- @p2: "[\"Dear\"]"
-- @p3: "[\"20\"]"
set nocount on;
select [id], [title], [published], [price], [genres], [author_id], [translator_id], [shelf_floor], [shelf_place], [year] into #engine_written
from [dbo].[book]
where 1 = 0 union all
select [id], [title], [published], [price], [genres], [author_id], [translator_id], [shelf_floor], [shelf_place], [year]
from [dbo].[book]
where 1 = 0;
insert into [dbo].[book] ([id], [title], [price], [author_id])
output inserted.[id], inserted.[title], inserted.[published], inserted.[price], inserted.[genres], inserted.[author_id], inserted.[translator_id], inserted.[shelf_floor], inserted.[shelf_place], inserted.[year] into #engine_written
select cast(r.c1 as int), r.c2, cast(r.c3 as decimal(38, 12)), cast(N'1' as int)
from (
  select cast(l1.[key] as int) as n, l1.[value] as c1, l2.[value] as c2, l3.[value] as c3
  from openjson(@p1) l1 join openjson(@p2) l2 on l2.[key] = l1.[key] join openjson(@p3) l3 on l3.[key] = l1.[key]
) r
order by r.n;
if exists (
  select 1
  from #engine_written t1
  where case when t1.[price] < cast(N'12' as decimal(38, 12)) then 1 else 0 end = 0
) begin throw 50403, N'check constraint of an insert/update permission has failed', 1;
end;
select json_query((
  select top (1) t2.[id] as [id]
  from #engine_written t2
  for json path, include_null_values, without_array_wrapper
));
drop table #engine_written;
