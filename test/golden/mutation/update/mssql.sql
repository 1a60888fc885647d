-- @p1: "1"
-- @p2: "Digits"
-- @p3: "Ada"
-- @p4: "1"
set nocount on;
select [id], [title], [published], [price], [genres], [author_id], [translator_id], [shelf_floor], [shelf_place], [year] into #engine_written
from [dbo].[book]
where 1 = 0 union all
select [id], [title], [published], [price], [genres], [author_id], [translator_id], [shelf_floor], [shelf_place], [year]
from [dbo].[book]
where 1 = 0;
update t1 set [price] = t1.[price] + cast(@p1 as decimal(38, 12)), [title] = @p2
output inserted.[id], inserted.[title], inserted.[published], inserted.[price], inserted.[genres], inserted.[author_id], inserted.[translator_id], inserted.[shelf_floor], inserted.[shelf_place], inserted.[year] into #engine_written
from [dbo].[book] t1
where (exists (
  select 1
  from [dbo].[author] t2
  where (t2.[id] = t1.[author_id])
  and (t2.[name] = @p3)
))
and (t1.[id] > cast(@p4 as int));
select json_query(isnull((
  select t3.[title] as [title], t3.[price] as [price], json_query((
    select top (1) t4.[name] as [name]
    from [dbo].[author] t4
    where t4.[id] = t3.[author_id]
    for json path, include_null_values, without_array_wrapper
  )) as [author]
  from #engine_written t3
  for json path, include_null_values
), N'[]')), (
  select count(*)
  from #engine_written
);
drop table #engine_written;
