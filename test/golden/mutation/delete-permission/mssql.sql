-- @p1: "mia"
set nocount on;
select [book_id], [reader], [stars], [hidden] into #engine_written
from [dbo].[review]
where 1 = 0 union all
select [book_id], [reader], [stars], [hidden]
from [dbo].[review]
where 1 = 0;
delete t1
output deleted.[book_id], deleted.[reader], deleted.[stars], deleted.[hidden] into #engine_written
from [dbo].[review] t1
where t1.[reader] = @p1;
select (
  select count(*)
  from #engine_written
);
drop table #engine_written;
