-- @p1: "[\"7\"]"
-- @p2: "[\"Seven\"]"
-- @p3: "[\"7.5\"]"
-- @p4: "[\"3\"]"
set nocount on;
select [id], [title], [published], [price], [genres], [author_id], [translator_id], [shelf_floor], [shelf_place], [year] into #engine_written
from [dbo].[book]
where 1 = 0 union all
select [id], [title], [published], [price], [genres], [author_id], [translator_id], [shelf_floor], [shelf_place], [year]
from [dbo].[book]
where 1 = 0;
insert into [dbo].[book] ([id], [title], [price], [author_id])
output inserted.[id], inserted.[title], inserted.[published], inserted.[price], inserted.[genres], inserted.[author_id], inserted.[translator_id], inserted.[shelf_floor], inserted.[shelf_place], inserted.[year] into #engine_written
select cast(r.c1 as int), r.c2, cast(r.c3 as decimal(38, 12)), cast(r.c4 as int)
from (
  select cast(l1.[key] as int) as n, l1.[value] as c1, l2.[value] as c2, l3.[value] as c3, l4.[value] as c4
  from openjson(@p1) l1 join openjson(@p2) l2 on l2.[key] = l1.[key] join openjson(@p3) l3 on l3.[key] = l1.[key] join openjson(@p4) l4 on l4.[key] = l1.[key]
) r
order by r.n;
select json_query(isnull((
  select t2.[id] as [id], t2.[title] as [title], json_query((
    select top (1) t3.[name] as [name]
    from [dbo].[author] t3
    where t3.[id] = t2.[author_id]
    for json path, include_null_values, without_array_wrapper
  )) as [author]
  from #engine_written t2
  for json path, include_null_values
), N'[]')), (
  select count(*)
  from #engine_written
);
drop table #engine_written;
