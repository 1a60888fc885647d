-- @p1: "mia"
-- @p2: "4"
-- @p3: "2"
set nocount on;
select [book_id], [reader], [stars], [hidden], 0 as [held 1 before], 0 as [held 2 before] into #engine_written
from [dbo].[review]
where 1 = 0 union all
select [book_id], [reader], [stars], [hidden], 0 as [held 1 before], 0 as [held 2 before]
from [dbo].[review]
where 1 = 0;
select t1.[book_id] as [key 1], t1.[reader] as [key 2], case when t1.[hidden] = cast(N'0' as bit) then 1 else 0 end as [held 1 before], case when t1.[reader] = @p1 then 1 else 0 end as [held 2 before] into #engine_before
from [dbo].[review] t1 with (updlock, holdlock)
where ((t1.[hidden] = cast(N'0' as bit)) or (t1.[reader] = @p1))
and (t1.[stars] < cast(@p2 as int));
update t1 set [stars] = cast(@p3 as int)
output inserted.[book_id], inserted.[reader], inserted.[stars], inserted.[hidden], b.[held 1 before], b.[held 2 before] into #engine_written
from [dbo].[review] t1 join #engine_before b on t1.[book_id] = b.[key 1]
and t1.[reader] = b.[key 2];
drop table #engine_before;
if exists (
  select 1
  from #engine_written t1
  where case when ((t1.[held 1 before] = 1) and (t1.[stars] < cast(N'3' as int)))
  or ((t1.[held 2 before] = 1) and (t1.[stars] > cast(N'0' as int))) then 1 else 0 end = 0
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
