-- @p1: "mia"
-- @p2: "noa"
set nocount on;
select [reader], [friend] into #engine_written
from [dbo].[friend]
where 1 = 0 union all
select [reader], [friend]
from [dbo].[friend]
where 1 = 0;
delete t1
output deleted.[reader], deleted.[friend] into #engine_written
from [dbo].[friend] t1
where (t1.[reader] = @p1)
and (t1.[friend] = @p2);
select json_query((
  select top (1) t2.[friend] as [friend]
  from #engine_written t2
  for json path, include_null_values, without_array_wrapper
));
drop table #engine_written;
