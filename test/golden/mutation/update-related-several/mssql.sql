set nocount on;
select [floor], [place], [label] into #w
from [dbo].[shelf]
where 1 = 0 union all
select [floor], [place], [label]
from [dbo].[shelf]
where 1 = 0;
insert into #w ([floor], [place], [label])
select t2.[floor], t2.[place], t2.[label]
from [dbo].[shelf] t2 with (updlock, holdlock);
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
-- @p2: "10"
set nocount on;
select [id], [title], [published], [price], [genres], [author_id], [translator_id], [shelf_floor], [shelf_place], [year] into #w
from [dbo].[book]
where 1 = 0 union all
select [id], [title], [published], [price], [genres], [author_id], [translator_id], [shelf_floor], [shelf_place], [year]
from [dbo].[book]
where 1 = 0;
update t3 set [shelf_floor] = cast(null as int), [shelf_place] = cast(null as int)
output inserted.[id], inserted.[title], inserted.[published], inserted.[price], inserted.[genres], inserted.[author_id], inserted.[translator_id], inserted.[shelf_floor], inserted.[shelf_place], inserted.[year] into #w
from [dbo].[book] t3
where (exists (
  select 1
  from (
    select cast(j.[floor] as int) as [floor], cast(j.[place] as int) as [place], j.[label] as [label]
    from openjson(@p1) with ([floor] nvarchar(max) '$."floor"', [place] nvarchar(max) '$."place"', [label] nvarchar(max) '$."label"') j
  ) t4
  where t3.[shelf_floor] = t4.[floor]
  and t3.[shelf_place] = t4.[place]
))
and (t3.[price] > cast(@p2 as decimal(38, 12)));
select (
  select count(*)
  from #w
);
drop table #w;

-- @p1: "on a shelf"
-- @p2: from the rows written before
set nocount on;
select [id], [title], [published], [price], [genres], [author_id], [translator_id], [shelf_floor], [shelf_place], [year] into #w
from [dbo].[book]
where 1 = 0 union all
select [id], [title], [published], [price], [genres], [author_id], [translator_id], [shelf_floor], [shelf_place], [year]
from [dbo].[book]
where 1 = 0;
update t5 set [title] = @p1
output inserted.[id], inserted.[title], inserted.[published], inserted.[price], inserted.[genres], inserted.[author_id], inserted.[translator_id], inserted.[shelf_floor], inserted.[shelf_place], inserted.[year] into #w
from [dbo].[book] t5
where exists (
  select 1
  from (
    select cast(j.[floor] as int) as [floor], cast(j.[place] as int) as [place], j.[label] as [label]
    from openjson(@p2) with ([floor] nvarchar(max) '$."floor"', [place] nvarchar(max) '$."place"', [label] nvarchar(max) '$."label"') j
  ) t6
  where t5.[shelf_floor] = t6.[floor]
  and t5.[shelf_place] = t6.[place]
);
select (
  select count(*)
  from #w
), isnull((
  select cast([id] as nvarchar(max)) as [id], cast([title] as nvarchar(max)) as [title], cast([published] as nvarchar(max)) as [published], cast([price] as nvarchar(max)) as [price], cast([genres] as nvarchar(max)) as [genres], cast([author_id] as nvarchar(max)) as [author_id], cast([translator_id] as nvarchar(max)) as [translator_id], cast([shelf_floor] as nvarchar(max)) as [shelf_floor], cast([shelf_place] as nvarchar(max)) as [shelf_place], cast([year] as nvarchar(max)) as [year]
  from #w
  for json path, include_null_values
), N'[]');
drop table #w;

-- @p1: "1"
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
where (t2.[floor] = cast(@p1 as int))
and (t2.[place] = cast(@p1 as int));
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
-- @p2: "1"
set nocount on;
select [id], [title], [published], [price], [genres], [author_id], [translator_id], [shelf_floor], [shelf_place], [year] into #w
from [dbo].[book]
where 1 = 0 union all
select [id], [title], [published], [price], [genres], [author_id], [translator_id], [shelf_floor], [shelf_place], [year]
from [dbo].[book]
where 1 = 0;
update t3 set [shelf_floor] = (
  select t4.[floor]
  from (
    select cast(j.[floor] as int) as [floor], cast(j.[place] as int) as [place], j.[label] as [label]
    from openjson(@p1) with ([floor] nvarchar(max) '$."floor"', [place] nvarchar(max) '$."place"', [label] nvarchar(max) '$."label"') j
  ) t4
), [shelf_place] = (
  select t5.[place]
  from (
    select cast(j.[floor] as int) as [floor], cast(j.[place] as int) as [place], j.[label] as [label]
    from openjson(@p1) with ([floor] nvarchar(max) '$."floor"', [place] nvarchar(max) '$."place"', [label] nvarchar(max) '$."label"') j
  ) t5
)
output inserted.[id], inserted.[title], inserted.[published], inserted.[price], inserted.[genres], inserted.[author_id], inserted.[translator_id], inserted.[shelf_floor], inserted.[shelf_place], inserted.[year] into #w
from [dbo].[book] t3
where ((
  select t6.[floor]
  from (
    select cast(j.[floor] as int) as [floor], cast(j.[place] as int) as [place], j.[label] as [label]
    from openjson(@p1) with ([floor] nvarchar(max) '$."floor"', [place] nvarchar(max) '$."place"', [label] nvarchar(max) '$."label"') j
  ) t6
) is not null)
and ((
  select t7.[place]
  from (
    select cast(j.[floor] as int) as [floor], cast(j.[place] as int) as [place], j.[label] as [label]
    from openjson(@p1) with ([floor] nvarchar(max) '$."floor"', [place] nvarchar(max) '$."place"', [label] nvarchar(max) '$."label"') j
  ) t7
) is not null)
and (t3.[id] = cast(@p2 as int));
select (
  select count(*)
  from #w
);
drop table #w;

-- @p1: from the rows written before
select json_query((
  select top (1) json_query(isnull((
    select t9.[id] as [id]
    from [dbo].[book] t9
    where t9.[shelf_floor] = t8.[floor]
    and t9.[shelf_place] = t8.[place]
    for json path, include_null_values
  ), N'[]')) as [books]
  from (
    select cast(j.[floor] as int) as [floor], cast(j.[place] as int) as [place], j.[label] as [label]
    from openjson(@p1) with ([floor] nvarchar(max) '$."floor"', [place] nvarchar(max) '$."place"', [label] nvarchar(max) '$."label"') j
  ) t8
  for json path, include_null_values, without_array_wrapper
));
