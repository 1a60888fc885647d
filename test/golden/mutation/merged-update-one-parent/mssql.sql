-- @p1: "1"
-- @p2: "1"
-- @p3: "mia"
set nocount on;
select [book_id], [reader], [stars], [hidden] into #engine_written
from [dbo].[review]
where 1 = 0 union all
select [book_id], [reader], [stars], [hidden]
from [dbo].[review]
where 1 = 0;
update t1 set [hidden] = cast(@p1 as bit)
output inserted.[book_id], inserted.[reader], inserted.[stars], inserted.[hidden] into #engine_written
from [dbo].[review] t1
where (t1.[hidden] = cast(N'0' as bit))
and ((t1.[book_id] = cast(@p2 as int)) and (t1.[reader] = @p3));
if exists (
  select 1
  from #engine_written t1
  where case when t1.[stars] < cast(N'3' as int) then 1 else 0 end = 0
) begin throw 50403, N'check constraint of an insert/update permission has failed', 1;
end;
select json_query((
  select top (1) t2.[stars] as [stars]
  from #engine_written t2
  for json path, include_null_values, without_array_wrapper
));
drop table #engine_written;
