-- @p1: "3"
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
where t1.[id] < cast(@p1 as int);
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
-- @p2: "A"
set nocount on;
select [floor], [place], [label] into #engine_written
from [dbo].[shelf]
where 1 = 0 union all
select [floor], [place], [label]
from [dbo].[shelf]
where 1 = 0;
insert into #engine_written ([floor], [place], [label])
select t2.[floor], t2.[place], t2.[label]
from [dbo].[shelf] t2 with (updlock, holdlock)
where (exists (
  select 1
  from (
    select cast(j.[id] as int) as [id], j.[title] as [title], cast(j.[published] as date) as [published], cast(j.[price] as decimal(38, 12)) as [price], j.[genres] as [genres], cast(j.[author_id] as int) as [author_id], cast(j.[translator_id] as int) as [translator_id], cast(j.[shelf_floor] as int) as [shelf_floor], cast(j.[shelf_place] as int) as [shelf_place], cast(j.[year] as int) as [year]
    from openjson(@p1) with ([id] nvarchar(max) '$.c1', [title] nvarchar(max) '$.c2', [published] nvarchar(max) '$.c3', [price] nvarchar(max) '$.c4', [genres] nvarchar(max) '$.c5', [author_id] nvarchar(max) '$.c6', [translator_id] nvarchar(max) '$.c7', [shelf_floor] nvarchar(max) '$.c8', [shelf_place] nvarchar(max) '$.c9', [year] nvarchar(max) '$.c10') j
  ) t3
  where t2.[floor] = t3.[shelf_floor]
  and t2.[place] = t3.[shelf_place]
))
and (t2.[label] <> @p2);
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
-- @p2: "3"
set nocount on;
select [id], [title], [published], [price], [genres], [author_id], [translator_id], [shelf_floor], [shelf_place], [year] into #engine_written
from [dbo].[book]
where 1 = 0 union all
select [id], [title], [published], [price], [genres], [author_id], [translator_id], [shelf_floor], [shelf_place], [year]
from [dbo].[book]
where 1 = 0;
update t4 set [shelf_floor] = case when exists (
  select 1
  from (
    select cast(j.[floor] as int) as [floor], cast(j.[place] as int) as [place], j.[label] as [label]
    from openjson(@p1) with ([floor] nvarchar(max) '$.c1', [place] nvarchar(max) '$.c2', [label] nvarchar(max) '$.c3') j
  ) t5
  where t5.[floor] = t4.[shelf_floor]
  and t5.[place] = t4.[shelf_place]
) then null else t4.[shelf_floor] end, [shelf_place] = case when exists (
  select 1
  from (
    select cast(j.[floor] as int) as [floor], cast(j.[place] as int) as [place], j.[label] as [label]
    from openjson(@p1) with ([floor] nvarchar(max) '$.c1', [place] nvarchar(max) '$.c2', [label] nvarchar(max) '$.c3') j
  ) t6
  where t6.[floor] = t4.[shelf_floor]
  and t6.[place] = t4.[shelf_place]
) then null else t4.[shelf_place] end
output inserted.[id], inserted.[title], inserted.[published], inserted.[price], inserted.[genres], inserted.[author_id], inserted.[translator_id], inserted.[shelf_floor], inserted.[shelf_place], inserted.[year] into #engine_written
from [dbo].[book] t4
where t4.[id] < cast(@p2 as int);
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
set nocount on;
select [floor], [place], [label] into #engine_written
from [dbo].[shelf]
where 1 = 0 union all
select [floor], [place], [label]
from [dbo].[shelf]
where 1 = 0;
delete t8
output deleted.[floor], deleted.[place], deleted.[label] into #engine_written
from [dbo].[shelf] t8
where exists (
  select 1
  from (
    select cast(j.[floor] as int) as [floor], cast(j.[place] as int) as [place], j.[label] as [label]
    from openjson(@p1) with ([floor] nvarchar(max) '$.c1', [place] nvarchar(max) '$.c2', [label] nvarchar(max) '$.c3') j
  ) t7
  where (t8.[floor] = t7.[floor])
  and (t8.[place] = t7.[place])
);
select (
  select count(*)
  from #engine_written
);
drop table #engine_written;

-- @p1: from the rows written before
select json_query(isnull((
  select t9.[id] as [id], json_query((
    select top (1) t10.[label] as [label]
    from [dbo].[shelf] t10
    where t10.[floor] = t9.[shelf_floor]
    and t10.[place] = t9.[shelf_place]
    for json path, include_null_values, without_array_wrapper
  )) as [shelf]
  from (
    select cast(j.[id] as int) as [id], j.[title] as [title], cast(j.[published] as date) as [published], cast(j.[price] as decimal(38, 12)) as [price], j.[genres] as [genres], cast(j.[author_id] as int) as [author_id], cast(j.[translator_id] as int) as [translator_id], cast(j.[shelf_floor] as int) as [shelf_floor], cast(j.[shelf_place] as int) as [shelf_place], cast(j.[year] as int) as [year]
    from openjson(@p1) with ([id] nvarchar(max) '$.c1', [title] nvarchar(max) '$.c2', [published] nvarchar(max) '$.c3', [price] nvarchar(max) '$.c4', [genres] nvarchar(max) '$.c5', [author_id] nvarchar(max) '$.c6', [translator_id] nvarchar(max) '$.c7', [shelf_floor] nvarchar(max) '$.c8', [shelf_place] nvarchar(max) '$.c9', [year] nvarchar(max) '$.c10') j
  ) t9
  for json path, include_null_values
), N'[]'));
