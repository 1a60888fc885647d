-- @p1: "1"
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
where t1.[book_id] = cast(@p1 as int);
select (
  select count(*)
  from #engine_written
);
drop table #engine_written;

-- @p1: "1"
set nocount on;
select [id], [title], [published], [price], [genres], [author_id], [translator_id], [shelf_floor], [shelf_place], [year] into #engine_written
from [dbo].[book]
where 1 = 0 union all
select [id], [title], [published], [price], [genres], [author_id], [translator_id], [shelf_floor], [shelf_place], [year]
from [dbo].[book]
where 1 = 0;
delete t1
output deleted.[id], deleted.[title], deleted.[published], deleted.[price], deleted.[genres], deleted.[author_id], deleted.[translator_id], deleted.[shelf_floor], deleted.[shelf_place], deleted.[year] into #engine_written
from [dbo].[book] t1
where t1.[id] = cast(@p1 as int);
select json_query((
  select top (1) t2.[title] as [title]
  from #engine_written t2
  for json path, include_null_values, without_array_wrapper
));
drop table #engine_written;

-- @p1: "[\"noa\"]"
-- @p2: "[\"mia\"]"
set nocount on;
select [reader], [friend] into #engine_written
from [dbo].[friend]
where 1 = 0 union all
select [reader], [friend]
from [dbo].[friend]
where 1 = 0;
insert into [dbo].[friend] ([reader], [friend])
output inserted.[reader], inserted.[friend] into #engine_written
select r.c1, r.c2
from (
  select cast(l1.[key] as int) as n, l1.[value] as c1, l2.[value] as c2
  from openjson(@p1) l1 join openjson(@p2) l2 on l2.[key] = l1.[key]
) r
order by r.n;
select json_query((
  select top (1) t2.[friend] as [friend]
  from #engine_written t2
  for json path, include_null_values, without_array_wrapper
));
drop table #engine_written;
