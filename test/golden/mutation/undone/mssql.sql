set nocount on;
select [reader], [friend] into #engine_written
from [dbo].[friend]
where 1 = 0 union all
select [reader], [friend]
from [dbo].[friend]
where 1 = 0;
delete t1
output deleted.[reader], deleted.[friend] into #engine_written
from [dbo].[friend] t1;
select (
  select count(*)
  from #engine_written
);
drop table #engine_written;

-- @p1: "[\"1\"]"
-- @p2: "[\"Twice\"]"
set nocount on;
select [id], [name], [born] into #engine_written
from [dbo].[author]
where 1 = 0 union all
select [id], [name], [born]
from [dbo].[author]
where 1 = 0;
insert into [dbo].[author] ([id], [name])
output inserted.[id], inserted.[name], inserted.[born] into #engine_written
select cast(r.c1 as int), r.c2
from (
  select cast(l1.[key] as int) as n, l1.[value] as c1, l2.[value] as c2
  from openjson(@p1) l1 join openjson(@p2) l2 on l2.[key] = l1.[key]
) r
order by r.n;
select json_query((
  select top (1) t2.[id] as [id]
  from #engine_written t2
  for json path, include_null_values, without_array_wrapper
));
drop table #engine_written;
