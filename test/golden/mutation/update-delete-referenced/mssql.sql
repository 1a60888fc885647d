-- @p1: "3"
set nocount on;
select [id], [title], [published], [price], [genres], [author_id], [translator_id], [shelf_floor], [shelf_place], [year] into #w
from [dbo].[book]
where 1 = 0 union all
select [id], [title], [published], [price], [genres], [author_id], [translator_id], [shelf_floor], [shelf_place], [year]
from [dbo].[book]
where 1 = 0;
insert into #w ([id], [title], [published], [price], [genres], [author_id], [translator_id], [shelf_floor], [shelf_place], [year])
select t1.[id], t1.[title], t1.[published], t1.[price], t1.[genres], t1.[author_id], t1.[translator_id], t1.[shelf_floor], t1.[shelf_place], t1.[year]
from [dbo].[book] t1 with (updlock, holdlock)
where t1.[id] < cast(@p1 as int);
select (
  select count(*)
  from #w
), isnull((
  select cast([id] as nvarchar(max)) as [id], cast([title] as nvarchar(max)) as [title], cast([published] as nvarchar(max)) as [published], cast([price] as nvarchar(max)) as [price], cast([genres] as nvarchar(max)) as [genres], cast([author_id] as nvarchar(max)) as [author_id], cast([translator_id] as nvarchar(max)) as [translator_id], cast([shelf_floor] as nvarchar(max)) as [shelf_floor], cast([shelf_place] as nvarchar(max)) as [shelf_place], cast([year] as nvarchar(max)) as [year]
  from #w
  for json path, include_null_values
), N'[]');
drop table #w;

-- @p1: from the rows written before
-- @p2: "A"
set nocount on;
select [floor], [place], [label] into #w
from [dbo].[shelf]
where 1 = 0 union all
select [floor], [place], [label]
from [dbo].[shelf]
where 1 = 0;
insert into #w ([floor], [place], [label])
select t2.[floor], t2.[place], t2.[label]
from [dbo].[shelf] t2 with (updlock, holdlock)
where (exists (
  select 1
  from (
    select cast(j.[id] as int) as [id], j.[title] as [title], cast(j.[published] as date) as [published], cast(j.[price] as decimal(38, 12)) as [price], j.[genres] as [genres], cast(j.[author_id] as int) as [author_id], cast(j.[translator_id] as int) as [translator_id], cast(j.[shelf_floor] as int) as [shelf_floor], cast(j.[shelf_place] as int) as [shelf_place], cast(j.[year] as int) as [year]
    from openjson(@p1) with ([id] nvarchar(max) '$."id"', [title] nvarchar(max) '$."title"', [published] nvarchar(max) '$."published"', [price] nvarchar(max) '$."price"', [genres] nvarchar(max) '$."genres"', [author_id] nvarchar(max) '$."author_id"', [translator_id] nvarchar(max) '$."translator_id"', [shelf_floor] nvarchar(max) '$."shelf_floor"', [shelf_place] nvarchar(max) '$."shelf_place"', [year] nvarchar(max) '$."year"') j
  ) t3
  where t2.[floor] = t3.[shelf_floor]
  and t2.[place] = t3.[shelf_place]
))
and (t2.[label] <> @p2);
select (
  select count(*)
  from #w
), isnull((
  select cast([floor] as nvarchar(max)) as [floor], cast([place] as nvarchar(max)) as [place], cast([label] as nvarchar(max)) as [label]
  from #w
  for json path, include_null_values
), N'[]');
drop table #w;

-- @p1: from the rows written before
-- @p2: "3"
set nocount on;
select [id], [title], [published], [price], [genres], [author_id], [translator_id], [shelf_floor], [shelf_place], [year] into #w
from [dbo].[book]
where 1 = 0 union all
select [id], [title], [published], [price], [genres], [author_id], [translator_id], [shelf_floor], [shelf_place], [year]
from [dbo].[book]
where 1 = 0;
update t4 set [shelf_floor] = case when exists (
  select 1
  from (
    select cast(j.[floor] as int) as [floor], cast(j.[place] as int) as [place], j.[label] as [label]
    from openjson(@p1) with ([floor] nvarchar(max) '$."floor"', [place] nvarchar(max) '$."place"', [label] nvarchar(max) '$."label"') j
  ) t5
  where t5.[floor] = t4.[shelf_floor]
  and t5.[place] = t4.[shelf_place]
) then null else t4.[shelf_floor] end, [shelf_place] = case when exists (
  select 1
  from (
    select cast(j.[floor] as int) as [floor], cast(j.[place] as int) as [place], j.[label] as [label]
    from openjson(@p1) with ([floor] nvarchar(max) '$."floor"', [place] nvarchar(max) '$."place"', [label] nvarchar(max) '$."label"') j
  ) t6
  where t6.[floor] = t4.[shelf_floor]
  and t6.[place] = t4.[shelf_place]
) then null else t4.[shelf_place] end
output inserted.[id], inserted.[title], inserted.[published], inserted.[price], inserted.[genres], inserted.[author_id], inserted.[translator_id], inserted.[shelf_floor], inserted.[shelf_place], inserted.[year] into #w
from [dbo].[book] t4
where t4.[id] < cast(@p2 as int);
select (
  select count(*)
  from #w
), isnull((
  select cast([id] as nvarchar(max)) as [id], cast([title] as nvarchar(max)) as [title], cast([published] as nvarchar(max)) as [published], cast([price] as nvarchar(max)) as [price], cast([genres] as nvarchar(max)) as [genres], cast([author_id] as nvarchar(max)) as [author_id], cast([translator_id] as nvarchar(max)) as [translator_id], cast([shelf_floor] as nvarchar(max)) as [shelf_floor], cast([shelf_place] as nvarchar(max)) as [shelf_place], cast([year] as nvarchar(max)) as [year]
  from #w
  for json path, include_null_values
), N'[]');
drop table #w;

-- @p1: from the rows written before
set nocount on;
select [floor], [place], [label] into #w
from [dbo].[shelf]
where 1 = 0 union all
select [floor], [place], [label]
from [dbo].[shelf]
where 1 = 0;
delete t8
output deleted.[floor], deleted.[place], deleted.[label] into #w
from [dbo].[shelf] t8
where exists (
  select 1
  from (
    select cast(j.[floor] as int) as [floor], cast(j.[place] as int) as [place], j.[label] as [label]
    from openjson(@p1) with ([floor] nvarchar(max) '$."floor"', [place] nvarchar(max) '$."place"', [label] nvarchar(max) '$."label"') j
  ) t7
  where (t8.[floor] = t7.[floor])
  and (t8.[place] = t7.[place])
);
select (
  select count(*)
  from #w
);
drop table #w;

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
    from openjson(@p1) with ([id] nvarchar(max) '$."id"', [title] nvarchar(max) '$."title"', [published] nvarchar(max) '$."published"', [price] nvarchar(max) '$."price"', [genres] nvarchar(max) '$."genres"', [author_id] nvarchar(max) '$."author_id"', [translator_id] nvarchar(max) '$."translator_id"', [shelf_floor] nvarchar(max) '$."shelf_floor"', [shelf_place] nvarchar(max) '$."shelf_place"', [year] nvarchar(max) '$."year"') j
  ) t9
  for json path, include_null_values
), N'[]'));
