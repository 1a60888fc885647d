-- @p1: "[\"9\",\"7\",\"8\"]"
-- @p2: "[\"Nine\",\"Seven\",\"Eight\"]"
set nocount on;
select 0 as [number of the row], [id], [name], [born] into #engine_written
from [dbo].[author]
where 1 = 0 union all
select 0 as [number of the row], [id], [name], [born]
from [dbo].[author]
where 1 = 0;
select r.* into #engine_given
from (
  select cast(l1.[key] as int) as n, l1.[value] as c1, l2.[value] as c2
  from openjson(@p1) l1 join openjson(@p2) l2 on l2.[key] = l1.[key]
) r;
declare @i int = 0, @n int = (
  select count(*)
  from openjson(@p1)
);
while @i < @n begin insert into [dbo].[author] ([id], [name])
output @i, inserted.[id], inserted.[name], inserted.[born] into #engine_written
select cast(r.c1 as int), r.c2
from #engine_given r
where r.n = @i;
set @i = @i + 1;
end;
drop table #engine_given;
select (
  select count(*)
  from #engine_written
), isnull((
  select cast([id] as nvarchar(max)) as [v]
  from #engine_written
  order by [number of the row]
  for json path, include_null_values
), N'[]');
drop table #engine_written;

-- @p1: "[\"30\",\"20\",\"10\",\"25\"]"
-- @p2: "[\"Of Nine\",\"Of Seven\",\"Too\",\"Of Eight\"]"
-- @p3: "[\"1\",\"2\",\"3\",\"4\"]"
-- @p4: from the rows written before
set nocount on;
select [id], [title], [published], [price], [genres], [author_id], [translator_id], [shelf_floor], [shelf_place], [year] into #engine_written
from [dbo].[book]
where 1 = 0 union all
select [id], [title], [published], [price], [genres], [author_id], [translator_id], [shelf_floor], [shelf_place], [year]
from [dbo].[book]
where 1 = 0;
insert into [dbo].[book] ([id], [title], [price], [author_id])
output inserted.[id], inserted.[title], inserted.[published], inserted.[price], inserted.[genres], inserted.[author_id], inserted.[translator_id], inserted.[shelf_floor], inserted.[shelf_place], inserted.[year] into #engine_written
select cast(r.c1 as int), r.c2, cast(r.c3 as decimal(38, 12)), cast(r.p1 as int)
from (
  select cast(l1.[key] as int) as n, l1.[value] as c1, l2.[value] as c2, l3.[value] as c3, l4.[value] as p1
  from openjson(@p1) l1 join openjson(@p2) l2 on l2.[key] = l1.[key] join openjson(@p3) l3 on l3.[key] = l1.[key] join openjson(@p4) l4 on l4.[key] = l1.[key]
) r
order by r.n;
select (
  select count(*)
  from #engine_written
);
drop table #engine_written;

-- @p1: "1900-01-02"
-- @p2: "7"
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
select json_query(isnull((
  select t2.[name] as [name], t2.[born] as [born], json_query(isnull((
    select t3.[title] as [title]
    from [dbo].[book] t3
    where t3.[author_id] = t2.[id]
    order by t3.[id] asc
    for json path, include_null_values
  ), N'[]')) as [books]
  from #engine_written t2
  for json path, include_null_values
), N'[]')), (
  select count(*)
  from #engine_written
);
drop table #engine_written;
