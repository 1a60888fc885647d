-- @p1: "[\"5\",\"6\"]"
-- @p2: "[\"Kim\",\"Lou\"]"
set nocount on;
select 0 as [number of the row], [id], [name], [born], case when 1 = 0 then 0 end as [visible before] into #engine_written
from [dbo].[author]
where 1 = 0 union all
select 0 as [number of the row], [id], [name], [born], case when 1 = 0 then 0 end as [visible before]
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
output @i, inserted.[id], inserted.[name], inserted.[born] into #engine_written ([number of the row], [id], [name], [born])
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
), N'[]'), isnull((
  select cast([id] as nvarchar(max)) as c1, cast([name] as nvarchar(max)) as c2, cast([born] as nvarchar(max)) as c3
  from #engine_written
  for json path, include_null_values
), N'[]'), isnull((
  select cast(1 as bit) as [inserted], cast(null as nvarchar(max)) as [old], json_query((
    select cast(w.[id] as nvarchar(max)) as c1, cast(w.[name] as nvarchar(max)) as c2, cast(w.[born] as nvarchar(max)) as c3
    for json path, include_null_values, without_array_wrapper
  )) as [new]
  from #engine_written w
  for json path, include_null_values
), N'[]');
drop table #engine_written;

-- @p1: "[\"9\"]"
-- @p2: "[\"Nine\"]"
-- @p3: "[\"9\"]"
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

-- @p1: from the rows written before
-- @p2: from the rows written before
select json_query(isnull((
  select t3.inserted as [inserted], json_query((
    select top (1) t4.[name] as [name]
    from (
      select cast(j.[id] as int) as [id], j.[name] as [name], cast(j.[born] as date) as [born]
      from openjson(t3.old) with ([id] nvarchar(max) '$.c1', [name] nvarchar(max) '$.c2', [born] nvarchar(max) '$.c3') j
    ) t4
    for json path, include_null_values, without_array_wrapper
  )) as [old], json_query((
    select top (1) t5.[name] as [name], json_query(isnull((
      select t6.[title] as [title]
      from [dbo].[book] t6
      where t6.[author_id] = t5.[id]
      for json path, include_null_values
    ), N'[]')) as [books]
    from (
      select cast(j.[id] as int) as [id], j.[name] as [name], cast(j.[born] as date) as [born]
      from openjson(t3.new) with ([id] nvarchar(max) '$.c1', [name] nvarchar(max) '$.c2', [born] nvarchar(max) '$.c3') j
    ) t5
    for json path, include_null_values, without_array_wrapper
  )) as [new]
  from (
    select j.*
    from openjson(@p1) with ([inserted] bit '$.inserted', [old] nvarchar(max) '$.old' as json, [new] nvarchar(max) '$.new' as json) j
  ) t3
  for json path, include_null_values
), N'[]')), json_query(isnull((
  select t7.[id] as [id]
  from (
    select cast(j.[id] as int) as [id], j.[name] as [name], cast(j.[born] as date) as [born]
    from openjson(@p2) with ([id] nvarchar(max) '$.c1', [name] nvarchar(max) '$.c2', [born] nvarchar(max) '$.c3') j
  ) t7
  for json path, include_null_values
), N'[]'));
