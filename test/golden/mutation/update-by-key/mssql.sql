-- @p1: "1900-01-01"
-- @p2: "3"
set nocount on;
select [id], [name], [born] into #engine_written
from [dbo].[author]
where 1 = 0 union all
select [id], [name], [born]
from [dbo].[author]
where 1 = 0;
update t1 set [born] = cast(@p1 as date)
output inserted.[id], inserted.[name], inserted.[born] into #engine_written
from [dbo].[author] t1
where t1.[id] = cast(@p2 as int);
select json_query((
  select top (1) t2.[name] as [name], t2.[born] as [born]
  from #engine_written t2
  for json path, include_null_values, without_array_wrapper
));
drop table #engine_written;
