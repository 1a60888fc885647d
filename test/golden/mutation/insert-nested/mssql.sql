-- @p1: "[\"4\"]"
-- @p2: "[\"Max\"]"
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
), N'[]'), isnull((
  select cast([id] as nvarchar(max)) as c1, cast([name] as nvarchar(max)) as c2, cast([born] as nvarchar(max)) as c3
  from #engine_written
  for json path, include_null_values
), N'[]');
drop table #engine_written;

-- @p1: "[\"3\"]"
-- @p2: "[\"1\"]"
-- @p3: "[\"D\"]"
set nocount on;
select 0 as [number of the row], [floor], [place], [label] into #engine_written
from [dbo].[shelf]
where 1 = 0 union all
select 0 as [number of the row], [floor], [place], [label]
from [dbo].[shelf]
where 1 = 0;
select r.* into #engine_given
from (
  select cast(l1.[key] as int) as n, l1.[value] as c1, l2.[value] as c2, l3.[value] as c3
  from openjson(@p1) l1 join openjson(@p2) l2 on l2.[key] = l1.[key] join openjson(@p3) l3 on l3.[key] = l1.[key]
) r;
declare @i int = 0, @n int = (
  select count(*)
  from openjson(@p1)
);
while @i < @n begin insert into [dbo].[shelf] ([floor], [place], [label])
output @i, inserted.[floor], inserted.[place], inserted.[label] into #engine_written
select cast(r.c1 as int), cast(r.c2 as int), r.c3
from #engine_given r
where r.n = @i;
set @i = @i + 1;
end;
drop table #engine_given;
select (
  select count(*)
  from #engine_written
), isnull((
  select cast([floor] as nvarchar(max)) as [v]
  from #engine_written
  order by [number of the row]
  for json path, include_null_values
), N'[]'), isnull((
  select cast([place] as nvarchar(max)) as [v]
  from #engine_written
  order by [number of the row]
  for json path, include_null_values
), N'[]');
drop table #engine_written;

-- @p1: "[\"8\"]"
-- @p2: "[\"Eight\"]"
-- @p3: "[\"8\"]"
-- @p4: from the rows written before
-- @p5: from the rows written before
-- @p6: from the rows written before
set nocount on;
select [id], [title], [published], [price], [genres], [author_id], [translator_id], [shelf_floor], [shelf_place], [year] into #engine_written
from [dbo].[book]
where 1 = 0 union all
select [id], [title], [published], [price], [genres], [author_id], [translator_id], [shelf_floor], [shelf_place], [year]
from [dbo].[book]
where 1 = 0;
insert into [dbo].[book] ([id], [title], [price], [author_id], [shelf_floor], [shelf_place])
output inserted.[id], inserted.[title], inserted.[published], inserted.[price], inserted.[genres], inserted.[author_id], inserted.[translator_id], inserted.[shelf_floor], inserted.[shelf_place], inserted.[year] into #engine_written
select cast(r.c1 as int), r.c2, cast(r.c3 as decimal(38, 12)), cast(r.p1 as int), cast(r.p2 as int), cast(r.p3 as int)
from (
  select cast(l1.[key] as int) as n, l1.[value] as c1, l2.[value] as c2, l3.[value] as c3, l4.[value] as p1, l5.[value] as p2, l6.[value] as p3
  from openjson(@p1) l1 join openjson(@p2) l2 on l2.[key] = l1.[key] join openjson(@p3) l3 on l3.[key] = l1.[key] join openjson(@p4) l4 on l4.[key] = l1.[key] join openjson(@p5) l5 on l5.[key] = l1.[key] join openjson(@p6) l6 on l6.[key] = l1.[key]
) r
order by r.n;
select (
  select count(*)
  from #engine_written
);
drop table #engine_written;

-- @p1: from the rows written before
select json_query((
  select top (1) t4.[name] as [name], json_query(isnull((
    select t5.[title] as [title], json_query(case when t6.[floor] is not null then json_query((
      select t6.[label] as [label]
      for json path, include_null_values, without_array_wrapper
    )) end) as [shelf]
    from [dbo].[book] t5
    left join [dbo].[shelf] t6 on t6.[floor] = t5.[shelf_floor]
    and t6.[place] = t5.[shelf_place]
    where t5.[author_id] = t4.[id]
    for json path, include_null_values
  ), N'[]')) as [books]
  from (
    select cast(j.[id] as int) as [id], j.[name] as [name], cast(j.[born] as date) as [born]
    from openjson(@p1) with ([id] nvarchar(max) '$.c1', [name] nvarchar(max) '$.c2', [born] nvarchar(max) '$.c3') j
  ) t4
  for json path, include_null_values, without_array_wrapper
));
