-- @p1: "[\"7\",\"8\"]"
-- @p2: "[\"[1,{\\\"x\\\":\\\"it's\\\"}]\",\"{\\\"a\\\":[true,{\\\"b\\\":\\\"c\\\"}]}\"]"
set nocount on;
select [id], [facts] into #engine_written
from [dbo].[edition]
where 1 = 0 union all
select [id], [facts]
from [dbo].[edition]
where 1 = 0;
insert into [dbo].[edition] ([id], [facts])
output inserted.[id], inserted.[facts] into #engine_written
select cast(r.c1 as int), r.c2
from (
  select cast(l1.[key] as int) as n, l1.[value] as c1, l2.[value] as c2
  from openjson(@p1) l1 join openjson(@p2) l2 on l2.[key] = l1.[key]
) r
order by r.n;
select (
  select count(*)
  from #engine_written
), isnull((
  select cast([id] as nvarchar(max)) as c1, cast([facts] as nvarchar(max)) as c2
  from #engine_written
  for json path, include_null_values
), N'[]');
drop table #engine_written;

-- @p1: "[\"9\"]"
set nocount on;
select [id], [facts] into #engine_written
from [dbo].[edition]
where 1 = 0 union all
select [id], [facts]
from [dbo].[edition]
where 1 = 0;
insert into [dbo].[edition] ([id])
output inserted.[id], inserted.[facts] into #engine_written
select cast(r.c1 as int)
from (
  select cast(l1.[key] as int) as n, l1.[value] as c1
  from openjson(@p1) l1
) r
order by r.n;
select (
  select count(*)
  from #engine_written
), isnull((
  select cast([id] as nvarchar(max)) as c1, cast([facts] as nvarchar(max)) as c2
  from #engine_written
  for json path, include_null_values
), N'[]');
drop table #engine_written;

-- @p1: from the rows written before
-- @p2: from the rows written before
select json_query(isnull((
  select t3.[id] as [id], json_query(t3.[facts]) as [facts]
  from (
    select cast(j.[id] as int) as [id], j.[facts] as [facts]
    from openjson(@p1) with ([id] nvarchar(max) '$.c1', [facts] nvarchar(max) '$.c2') j union all
    select cast(j.[id] as int) as [id], j.[facts] as [facts]
    from openjson(@p2) with ([id] nvarchar(max) '$.c1', [facts] nvarchar(max) '$.c2') j
  ) t3
  for json path, include_null_values
), N'[]'));
