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
);
drop table #engine_written;

-- @p1: "Ada"
set nocount on;
select [id], [name], [born] into #engine_written
from [dbo].[author]
where 1 = 0 union all
select [id], [name], [born]
from [dbo].[author]
where 1 = 0;
insert into #engine_written ([id], [name], [born])
select top (2) t2.[id], t2.[name], t2.[born]
from [dbo].[author] t2
where (t2.[id] is not null)
and (t2.[name] = @p1);
select (
  select count(*)
  from #engine_written
), isnull((
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
update t3 set [translator_id] = (
  select t4.[id]
  from (
    select cast(j.[id] as int) as [id], j.[name] as [name], cast(j.[born] as date) as [born]
    from openjson(@p1) with ([id] nvarchar(max) '$.c1', [name] nvarchar(max) '$.c2', [born] nvarchar(max) '$.c3') j
  ) t4
)
output inserted.[id], inserted.[title], inserted.[published], inserted.[price], inserted.[genres], inserted.[author_id], inserted.[translator_id], inserted.[shelf_floor], inserted.[shelf_place], inserted.[year] into #engine_written
from [dbo].[book] t3
where t3.[id] < cast(@p2 as int);
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
-- @p2: "[\"1\",\"3\"]"
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
and (case when t3.[id] in (
  select cast([value] as int)
  from openjson(@p2)
) then 0 else 1 end = 1);
select (
  select count(*)
  from #engine_written
);
drop table #engine_written;

-- @p1: from the rows written before
-- @p2: "[\"1\",\"3\"]"
set nocount on;
select [id], [title], [published], [price], [genres], [author_id], [translator_id], [shelf_floor], [shelf_place], [year] into #engine_written
from [dbo].[book]
where 1 = 0 union all
select [id], [title], [published], [price], [genres], [author_id], [translator_id], [shelf_floor], [shelf_place], [year]
from [dbo].[book]
where 1 = 0;
update t5 set [shelf_floor] = (
  select t6.[floor]
  from (
    select cast(j.[floor] as int) as [floor], cast(j.[place] as int) as [place], j.[label] as [label]
    from openjson(@p1) with ([floor] nvarchar(max) '$.c1', [place] nvarchar(max) '$.c2', [label] nvarchar(max) '$.c3') j
  ) t6
), [shelf_place] = (
  select t7.[place]
  from (
    select cast(j.[floor] as int) as [floor], cast(j.[place] as int) as [place], j.[label] as [label]
    from openjson(@p1) with ([floor] nvarchar(max) '$.c1', [place] nvarchar(max) '$.c2', [label] nvarchar(max) '$.c3') j
  ) t7
)
output inserted.[id], inserted.[title], inserted.[published], inserted.[price], inserted.[genres], inserted.[author_id], inserted.[translator_id], inserted.[shelf_floor], inserted.[shelf_place], inserted.[year] into #engine_written
from [dbo].[book] t5
where ((
  select t8.[floor]
  from (
    select cast(j.[floor] as int) as [floor], cast(j.[place] as int) as [place], j.[label] as [label]
    from openjson(@p1) with ([floor] nvarchar(max) '$.c1', [place] nvarchar(max) '$.c2', [label] nvarchar(max) '$.c3') j
  ) t8
) is not null)
and ((
  select t9.[place]
  from (
    select cast(j.[floor] as int) as [floor], cast(j.[place] as int) as [place], j.[label] as [label]
    from openjson(@p1) with ([floor] nvarchar(max) '$.c1', [place] nvarchar(max) '$.c2', [label] nvarchar(max) '$.c3') j
  ) t9
) is not null)
and ((t5.[id] in (
  select cast([value] as int)
  from openjson(@p2)
)) and (not (exists (
  select 1
  from (
    select cast(j.[floor] as int) as [floor], cast(j.[place] as int) as [place], j.[label] as [label]
    from openjson(@p1) with ([floor] nvarchar(max) '$.c1', [place] nvarchar(max) '$.c2', [label] nvarchar(max) '$.c3') j
  ) t10
  where t5.[shelf_floor] = t10.[floor]
  and t5.[shelf_place] = t10.[place]
))));
select (
  select count(*)
  from #engine_written
);
drop table #engine_written;

-- @p1: from the rows written before
select json_query((
  select top (1) json_query(isnull((
    select t12.[id] as [id]
    from [dbo].[book] t12
    where t12.[shelf_floor] = t11.[floor]
    and t12.[shelf_place] = t11.[place]
    order by t12.[id] asc
    for json path, include_null_values
  ), N'[]')) as [books]
  from (
    select cast(j.[floor] as int) as [floor], cast(j.[place] as int) as [place], j.[label] as [label]
    from openjson(@p1) with ([floor] nvarchar(max) '$.c1', [place] nvarchar(max) '$.c2', [label] nvarchar(max) '$.c3') j
  ) t11
  for json path, include_null_values, without_array_wrapper
));
