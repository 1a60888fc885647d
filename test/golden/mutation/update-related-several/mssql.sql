set nocount on;
select [floor], [place], [label] into #engine_written
from [dbo].[shelf]
where 1 = 0 union all
select [floor], [place], [label]
from [dbo].[shelf]
where 1 = 0;
insert into #engine_written ([floor], [place], [label])
select t2.[floor], t2.[place], t2.[label]
from [dbo].[shelf] t2 with (updlock, holdlock);
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
-- @p2: "10"
set nocount on;
select [id], [title], [published], [price], [genres], [author_id], [translator_id], [shelf_floor], [shelf_place], [year] into #engine_written
from [dbo].[book]
where 1 = 0 union all
select [id], [title], [published], [price], [genres], [author_id], [translator_id], [shelf_floor], [shelf_place], [year]
from [dbo].[book]
where 1 = 0;
update t3 set [shelf_floor] = cast(null as int), [shelf_place] = cast(null as int)
output inserted.[id], inserted.[title], inserted.[published], inserted.[price], inserted.[genres], inserted.[author_id], inserted.[translator_id], inserted.[shelf_floor], inserted.[shelf_place], inserted.[year] into #engine_written
from [dbo].[book] t3
where (exists (
  select 1
  from (
    select cast(j.[floor] as int) as [floor], cast(j.[place] as int) as [place], j.[label] as [label]
    from openjson(@p1) with ([floor] nvarchar(max) '$.c1', [place] nvarchar(max) '$.c2', [label] nvarchar(max) '$.c3') j
  ) t4
  where t3.[shelf_floor] = t4.[floor]
  and t3.[shelf_place] = t4.[place]
))
and (t3.[price] > cast(@p2 as decimal(38, 12)));
select (
  select count(*)
  from #engine_written
);
drop table #engine_written;

-- @p1: "on a shelf"
-- @p2: from the rows written before
set nocount on;
select [id], [title], [published], [price], [genres], [author_id], [translator_id], [shelf_floor], [shelf_place], [year] into #engine_written
from [dbo].[book]
where 1 = 0 union all
select [id], [title], [published], [price], [genres], [author_id], [translator_id], [shelf_floor], [shelf_place], [year]
from [dbo].[book]
where 1 = 0;
update t5 set [title] = @p1
output inserted.[id], inserted.[title], inserted.[published], inserted.[price], inserted.[genres], inserted.[author_id], inserted.[translator_id], inserted.[shelf_floor], inserted.[shelf_place], inserted.[year] into #engine_written
from [dbo].[book] t5
where exists (
  select 1
  from (
    select cast(j.[floor] as int) as [floor], cast(j.[place] as int) as [place], j.[label] as [label]
    from openjson(@p2) with ([floor] nvarchar(max) '$.c1', [place] nvarchar(max) '$.c2', [label] nvarchar(max) '$.c3') j
  ) t6
  where t5.[shelf_floor] = t6.[floor]
  and t5.[shelf_place] = t6.[place]
);
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
select [floor], [place], [label] into #engine_written
from [dbo].[shelf]
where 1 = 0 union all
select [floor], [place], [label]
from [dbo].[shelf]
where 1 = 0;
insert into #engine_written ([floor], [place], [label])
select t2.[floor], t2.[place], t2.[label]
from [dbo].[shelf] t2 with (updlock, holdlock)
where (t2.[floor] = cast(@p1 as int))
and (t2.[place] = cast(@p1 as int));
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
where ((
  select t6.[floor]
  from (
    select cast(j.[floor] as int) as [floor], cast(j.[place] as int) as [place], j.[label] as [label]
    from openjson(@p1) with ([floor] nvarchar(max) '$.c1', [place] nvarchar(max) '$.c2', [label] nvarchar(max) '$.c3') j
  ) t6
) is not null)
and ((
  select t7.[place]
  from (
    select cast(j.[floor] as int) as [floor], cast(j.[place] as int) as [place], j.[label] as [label]
    from openjson(@p1) with ([floor] nvarchar(max) '$.c1', [place] nvarchar(max) '$.c2', [label] nvarchar(max) '$.c3') j
  ) t7
) is not null)
and (t3.[id] = cast(@p2 as int));
select (
  select count(*)
  from #engine_written
);
drop table #engine_written;

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
    from openjson(@p1) with ([floor] nvarchar(max) '$.c1', [place] nvarchar(max) '$.c2', [label] nvarchar(max) '$.c3') j
  ) t8
  for json path, include_null_values, without_array_wrapper
));
