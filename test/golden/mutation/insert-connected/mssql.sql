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

-- @p1: from the rows written before
-- @p2: "3"
set nocount on;
select [id], [title], [published], [price], [genres], [author_id], [translator_id], [shelf_floor], [shelf_place], [year] into #engine_written
from [dbo].[book]
where 1 = 0 union all
select [id], [title], [published], [price], [genres], [author_id], [translator_id], [shelf_floor], [shelf_place], [year]
from [dbo].[book]
where 1 = 0;
update t2 set [author_id] = (
  select t3.[id]
  from (
    select cast(j.[id] as int) as [id], j.[name] as [name], cast(j.[born] as date) as [born]
    from openjson(@p1) with ([id] nvarchar(max) '$.c1', [name] nvarchar(max) '$.c2', [born] nvarchar(max) '$.c3') j
  ) t3
)
output inserted.[id], inserted.[title], inserted.[published], inserted.[price], inserted.[genres], inserted.[author_id], inserted.[translator_id], inserted.[shelf_floor], inserted.[shelf_place], inserted.[year] into #engine_written
from [dbo].[book] t2
where ((
  select t4.[id]
  from (
    select cast(j.[id] as int) as [id], j.[name] as [name], cast(j.[born] as date) as [born]
    from openjson(@p1) with ([id] nvarchar(max) '$.c1', [name] nvarchar(max) '$.c2', [born] nvarchar(max) '$.c3') j
  ) t4
) is not null)
and (t2.[id] = cast(@p2 as int));
select (
  select count(*)
  from #engine_written
);
drop table #engine_written;

-- @p1: from the rows written before
select json_query((
  select top (1) json_query(isnull((
    select t6.[title] as [title]
    from [dbo].[book] t6
    where t6.[author_id] = t5.[id]
    for json path, include_null_values
  ), N'[]')) as [books]
  from (
    select cast(j.[id] as int) as [id], j.[name] as [name], cast(j.[born] as date) as [born]
    from openjson(@p1) with ([id] nvarchar(max) '$.c1', [name] nvarchar(max) '$.c2', [born] nvarchar(max) '$.c3') j
  ) t5
  for json path, include_null_values, without_array_wrapper
));

-- @p1: "4"
set nocount on;
select 0 as [number of the row], [id], [name], [born] into #engine_written
from [dbo].[author]
where 1 = 0 union all
select 0 as [number of the row], [id], [name], [born]
from [dbo].[author]
where 1 = 0;
insert into #engine_written ([number of the row], [id], [name], [born])
select top (2) row_number() over (order by (
  select null
)), t1.[id], t1.[name], t1.[born]
from [dbo].[author] t1
where (t1.[id] is not null)
and (t1.[id] = cast(@p1 as int));
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

-- @p1: "top"
set nocount on;
select [floor], [place], [label] into #engine_written
from [dbo].[shelf]
where 1 = 0 union all
select [floor], [place], [label]
from [dbo].[shelf]
where 1 = 0;
insert into #engine_written ([floor], [place], [label])
select top (2) t2.[floor], t2.[place], t2.[label]
from [dbo].[shelf] t2
where (t2.[floor] is not null)
and (t2.[place] is not null)
and (t2.[label] = @p1);
select (
  select count(*)
  from #engine_written
), isnull((
  select cast([floor] as nvarchar(max)) as c1, cast([place] as nvarchar(max)) as c2, cast([label] as nvarchar(max)) as c3
  from #engine_written
  for json path, include_null_values
), N'[]');
drop table #engine_written;

-- @p1: "[\"3\"]"
-- @p2: "[\"1\"]"
-- @p3: "[\"top\"]"
set nocount on;
select [floor], [place], [label] into #engine_written
from [dbo].[shelf]
where 1 = 0 union all
select [floor], [place], [label]
from [dbo].[shelf]
where 1 = 0;
insert into [dbo].[shelf] ([floor], [place], [label])
output inserted.[floor], inserted.[place], inserted.[label] into #engine_written
select cast(r.c1 as int), cast(r.c2 as int), r.c3
from (
  select cast(l1.[key] as int) as n, l1.[value] as c1, l2.[value] as c2, l3.[value] as c3
  from openjson(@p1) l1 join openjson(@p2) l2 on l2.[key] = l1.[key] join openjson(@p3) l3 on l3.[key] = l1.[key]
) r
order by r.n;
select (
  select count(*)
  from #engine_written
), isnull((
  select cast([floor] as nvarchar(max)) as c1, cast([place] as nvarchar(max)) as c2, cast([label] as nvarchar(max)) as c3
  from #engine_written
  for json path, include_null_values
), N'[]');
drop table #engine_written;

-- @p1: from the rows written before
-- @p2: from the rows written before
set nocount on;
select 0 as [number of the row], [floor], [place], [label] into #engine_written
from [dbo].[shelf]
where 1 = 0 union all
select 0 as [number of the row], [floor], [place], [label]
from [dbo].[shelf]
where 1 = 0;
insert into #engine_written ([number of the row], [floor], [place], [label])
select top (2) row_number() over (order by (
  select null
)), t4.[floor], t4.[place], t4.[label]
from (
  select cast(j.[floor] as int) as [floor], cast(j.[place] as int) as [place], j.[label] as [label]
  from openjson(@p1) with ([floor] nvarchar(max) '$.c1', [place] nvarchar(max) '$.c2', [label] nvarchar(max) '$.c3') j union all
  select cast(j.[floor] as int) as [floor], cast(j.[place] as int) as [place], j.[label] as [label]
  from openjson(@p2) with ([floor] nvarchar(max) '$.c1', [place] nvarchar(max) '$.c2', [label] nvarchar(max) '$.c3') j
) t4;
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
), isnull((
  select cast([id] as nvarchar(max)) as c1, cast([title] as nvarchar(max)) as c2, cast([published] as nvarchar(max)) as c3, cast([price] as nvarchar(max)) as c4, cast([genres] as nvarchar(max)) as c5, cast([author_id] as nvarchar(max)) as c6, cast([translator_id] as nvarchar(max)) as c7, cast([shelf_floor] as nvarchar(max)) as c8, cast([shelf_place] as nvarchar(max)) as c9, cast([year] as nvarchar(max)) as c10
  from #engine_written
  for json path, include_null_values
), N'[]');
drop table #engine_written;

-- @p1: from the rows written before
select json_query((
  select top (1) json_query((
    select top (1) t7.[name] as [name]
    from [dbo].[author] t7
    where t7.[id] = t6.[author_id]
    for json path, include_null_values, without_array_wrapper
  )) as [author], json_query((
    select top (1) t8.[label] as [label]
    from [dbo].[shelf] t8
    where t8.[floor] = t6.[shelf_floor]
    and t8.[place] = t6.[shelf_place]
    for json path, include_null_values, without_array_wrapper
  )) as [shelf]
  from (
    select cast(j.[id] as int) as [id], j.[title] as [title], cast(j.[published] as date) as [published], cast(j.[price] as decimal(38, 12)) as [price], j.[genres] as [genres], cast(j.[author_id] as int) as [author_id], cast(j.[translator_id] as int) as [translator_id], cast(j.[shelf_floor] as int) as [shelf_floor], cast(j.[shelf_place] as int) as [shelf_place], cast(j.[year] as int) as [year]
    from openjson(@p1) with ([id] nvarchar(max) '$.c1', [title] nvarchar(max) '$.c2', [published] nvarchar(max) '$.c3', [price] nvarchar(max) '$.c4', [genres] nvarchar(max) '$.c5', [author_id] nvarchar(max) '$.c6', [translator_id] nvarchar(max) '$.c7', [shelf_floor] nvarchar(max) '$.c8', [shelf_place] nvarchar(max) '$.c9', [year] nvarchar(max) '$.c10') j
  ) t6
  for json path, include_null_values, without_array_wrapper
));
