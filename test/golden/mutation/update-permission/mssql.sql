-- @p1: "-1"
-- @p2: "mia"
-- @p3: "3"
set nocount on;
select [book_id], [reader], [stars], [hidden] into #engine_written
from [dbo].[review]
where 1 = 0 union all
select [book_id], [reader], [stars], [hidden]
from [dbo].[review]
where 1 = 0;
update t1 set [stars] = t1.[stars] + cast(@p1 as int)
output inserted.[book_id], inserted.[reader], inserted.[stars], inserted.[hidden] into #engine_written
from [dbo].[review] t1
where (t1.[reader] = @p2)
and (t1.[stars] > cast(@p3 as int));
if exists (
  select 1
  from #engine_written t1
  where case when t1.[stars] > cast(N'0' as int) then 1 else 0 end = 0
) begin throw 50403, N'check constraint of an insert/update permission has failed', 1;
end;
select json_query(isnull((
  select t2.[book_id] as [book_id], t2.[reader] as [reader], t2.[stars] as [stars]
  from #engine_written t2
  for json path, include_null_values
), N'[]')), (
  select count(*)
  from #engine_written
);
drop table #engine_written;
