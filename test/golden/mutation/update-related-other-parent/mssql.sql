-- @p1: "2"
set nocount on;
select [id], [name], [born] into #engine_written
from [dbo].[author]
where 1 = 0 union all
select [id], [name], [born]
from [dbo].[author]
where 1 = 0;
insert into #engine_written ([id], [name], [born])
select t2.[id], t2.[name], t2.[born]
from [dbo].[author] t2 with (updlock, holdlock)
where t2.[id] = cast(@p1 as int);
select (
  select count(*)
  from #engine_written
), isnull((
  select cast([id] as nvarchar(max)) as c1, cast([name] as nvarchar(max)) as c2, cast([born] as nvarchar(max)) as c3
  from #engine_written
  for json path, include_null_values
), N'[]');
drop table #engine_written;

-- @p1: "stolen"
-- @p2: from the rows written before
-- @p3: "1"
set nocount on;
select [id], [title], [published], [price], [genres], [author_id], [translator_id], [shelf_floor], [shelf_place], [year] into #engine_written
from [dbo].[book]
where 1 = 0 union all
select [id], [title], [published], [price], [genres], [author_id], [translator_id], [shelf_floor], [shelf_place], [year]
from [dbo].[book]
where 1 = 0;
update t3 set [title] = @p1
output inserted.[id], inserted.[title], inserted.[published], inserted.[price], inserted.[genres], inserted.[author_id], inserted.[translator_id], inserted.[shelf_floor], inserted.[shelf_place], inserted.[year] into #engine_written
from [dbo].[book] t3
where (exists (
  select 1
  from (
    select cast(j.[id] as int) as [id], j.[name] as [name], cast(j.[born] as date) as [born]
    from openjson(@p2) with ([id] nvarchar(max) '$.c1', [name] nvarchar(max) '$.c2', [born] nvarchar(max) '$.c3') j
  ) t4
  where t3.[author_id] = t4.[id]
))
and (t3.[id] = cast(@p3 as int));
select (
  select count(*)
  from #engine_written
), isnull((
  select cast([id] as nvarchar(max)) as c1, cast([title] as nvarchar(max)) as c2, cast([published] as nvarchar(max)) as c3, cast([price] as nvarchar(max)) as c4, cast([genres] as nvarchar(max)) as c5, cast([author_id] as nvarchar(max)) as c6, cast([translator_id] as nvarchar(max)) as c7, cast([shelf_floor] as nvarchar(max)) as c8, cast([shelf_place] as nvarchar(max)) as c9, cast([year] as nvarchar(max)) as c10
  from #engine_written
  for json path, include_null_values
), N'[]');
drop table #engine_written;

-- @p1: "1"
set nocount on;
select [id], [title], [published], [price], [genres], [author_id], [translator_id], [shelf_floor], [shelf_place], [year] into #engine_written
from [dbo].[book]
where 1 = 0 union all
select [id], [title], [published], [price], [genres], [author_id], [translator_id], [shelf_floor], [shelf_place], [year]
from [dbo].[book]
where 1 = 0;
insert into #engine_written ([id], [title], [published], [price], [genres], [author_id], [translator_id], [shelf_floor], [shelf_place], [year])
select t1.[id], t1.[title], t1.[published], t1.[price], t1.[genres], t1.[author_id], t1.[translator_id], t1.[shelf_floor], t1.[shelf_place], t1.[year]
from [dbo].[book] t1 with (updlock, holdlock)
where t1.[id] = cast(@p1 as int);
select (
  select count(*)
  from #engine_written
);
drop table #engine_written;

-- @p1: "[\"3\"]"
-- @p2: "[\"1\"]"
-- @p3: "[\"new\"]"
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
-- @p2: "1"
set nocount on;
select [id], [title], [published], [price], [genres], [author_id], [translator_id], [shelf_floor], [shelf_place], [year] into #engine_written
from [dbo].[book]
where 1 = 0 union all
select [id], [title], [published], [price], [genres], [author_id], [translator_id], [shelf_floor], [shelf_place], [year]
from [dbo].[book]
where 1 = 0;
update t3 set [shelf_floor] = (
  select t4.[floor]
  from (
    select cast(j.[floor] as int) as [floor], cast(j.[place] as int) as [place], j.[label] as [label]
    from openjson(@p1) with ([floor] nvarchar(max) '$.c1', [place] nvarchar(max) '$.c2', [label] nvarchar(max) '$.c3') j
  ) t4
), [shelf_place] = (
  select t5.[place]
  from (
    select cast(j.[floor] as int) as [floor], cast(j.[place] as int) as [place], j.[label] as [label]
    from openjson(@p1) with ([floor] nvarchar(max) '$.c1', [place] nvarchar(max) '$.c2', [label] nvarchar(max) '$.c3') j
  ) t5
)
output inserted.[id], inserted.[title], inserted.[published], inserted.[price], inserted.[genres], inserted.[author_id], inserted.[translator_id], inserted.[shelf_floor], inserted.[shelf_place], inserted.[year] into #engine_written
from [dbo].[book] t3
where t3.[id] = cast(@p2 as int);
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
select json_query(isnull((
  select t6.[title] as [title], json_query((
    select top (1) t7.[label] as [label]
    from [dbo].[shelf] t7
    where t7.[floor] = t6.[shelf_floor]
    and t7.[place] = t6.[shelf_place]
    for json path, include_null_values, without_array_wrapper
  )) as [shelf]
  from (
    select cast(j.[id] as int) as [id], j.[title] as [title], cast(j.[published] as date) as [published], cast(j.[price] as decimal(38, 12)) as [price], j.[genres] as [genres], cast(j.[author_id] as int) as [author_id], cast(j.[translator_id] as int) as [translator_id], cast(j.[shelf_floor] as int) as [shelf_floor], cast(j.[shelf_place] as int) as [shelf_place], cast(j.[year] as int) as [year]
    from openjson(@p1) with ([id] nvarchar(max) '$.c1', [title] nvarchar(max) '$.c2', [published] nvarchar(max) '$.c3', [price] nvarchar(max) '$.c4', [genres] nvarchar(max) '$.c5', [author_id] nvarchar(max) '$.c6', [translator_id] nvarchar(max) '$.c7', [shelf_floor] nvarchar(max) '$.c8', [shelf_place] nvarchar(max) '$.c9', [year] nvarchar(max) '$.c10') j
  ) t6
  for json path, include_null_values
), N'[]'));
