-- @p1: "Ida"
-- @p2: "1"
set nocount on;
select [id], [name], [born] into #engine_written
from [dbo].[author]
where 1 = 0 union all
select [id], [name], [born]
from [dbo].[author]
where 1 = 0;
update t1 set [name] = @p1
output inserted.[id], inserted.[name], inserted.[born] into #engine_written
from [dbo].[author] t1
where t1.[id] = cast(@p2 as int);
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
-- @p2: "none"
set nocount on;
select [id], [title], [published], [price], [genres], [author_id], [translator_id], [shelf_floor], [shelf_place], [year] into #engine_written
from [dbo].[book]
where 1 = 0 union all
select [id], [title], [published], [price], [genres], [author_id], [translator_id], [shelf_floor], [shelf_place], [year]
from [dbo].[book]
where 1 = 0;
delete t2
output deleted.[id], deleted.[title], deleted.[published], deleted.[price], deleted.[genres], deleted.[author_id], deleted.[translator_id], deleted.[shelf_floor], deleted.[shelf_place], deleted.[year] into #engine_written
from [dbo].[book] t2
where (exists (
  select 1
  from (
    select cast(j.[id] as int) as [id], j.[name] as [name], cast(j.[born] as date) as [born]
    from openjson(@p1) with ([id] nvarchar(max) '$.c1', [name] nvarchar(max) '$.c2', [born] nvarchar(max) '$.c3') j
  ) t3
  where t2.[author_id] = t3.[id]
))
and (t2.[title] = @p2);
select (
  select count(*)
  from #engine_written
);
drop table #engine_written;

-- @p1: "1"
-- @p2: from the rows written before
-- @p3: "3"
set nocount on;
select [id], [title], [published], [price], [genres], [author_id], [translator_id], [shelf_floor], [shelf_place], [year] into #engine_written
from [dbo].[book]
where 1 = 0 union all
select [id], [title], [published], [price], [genres], [author_id], [translator_id], [shelf_floor], [shelf_place], [year]
from [dbo].[book]
where 1 = 0;
update t4 set [price] = t4.[price] + cast(@p1 as decimal(38, 12))
output inserted.[id], inserted.[title], inserted.[published], inserted.[price], inserted.[genres], inserted.[author_id], inserted.[translator_id], inserted.[shelf_floor], inserted.[shelf_place], inserted.[year] into #engine_written
from [dbo].[book] t4
where (exists (
  select 1
  from (
    select cast(j.[id] as int) as [id], j.[name] as [name], cast(j.[born] as date) as [born]
    from openjson(@p2) with ([id] nvarchar(max) '$.c1', [name] nvarchar(max) '$.c2', [born] nvarchar(max) '$.c3') j
  ) t5
  where t4.[author_id] = t5.[id]
))
and (t4.[id] < cast(@p3 as int));
select (
  select count(*)
  from #engine_written
), isnull((
  select cast([id] as nvarchar(max)) as c1, cast([title] as nvarchar(max)) as c2, cast([published] as nvarchar(max)) as c3, cast([price] as nvarchar(max)) as c4, cast([genres] as nvarchar(max)) as c5, cast([author_id] as nvarchar(max)) as c6, cast([translator_id] as nvarchar(max)) as c7, cast([shelf_floor] as nvarchar(max)) as c8, cast([shelf_place] as nvarchar(max)) as c9, cast([year] as nvarchar(max)) as c10
  from #engine_written
  for json path, include_null_values
), N'[]');
drop table #engine_written;

-- @p1: "[\"zoe\"]"
-- @p2: "[\"4\"]"
-- @p3: from the rows written before
set nocount on;
select [book_id], [reader], [stars], [hidden] into #engine_written
from [dbo].[review]
where 1 = 0 union all
select [book_id], [reader], [stars], [hidden]
from [dbo].[review]
where 1 = 0;
insert into [dbo].[review] ([reader], [stars], [book_id])
output inserted.[book_id], inserted.[reader], inserted.[stars], inserted.[hidden] into #engine_written
select r.c1, cast(r.c2 as int), t6.[id]
from (
  select cast(l1.[key] as int) as n, l1.[value] as c1, l2.[value] as c2
  from openjson(@p1) l1 join openjson(@p2) l2 on l2.[key] = l1.[key]
) r cross join (
  select cast(j.[id] as int) as [id], j.[title] as [title], cast(j.[published] as date) as [published], cast(j.[price] as decimal(38, 12)) as [price], j.[genres] as [genres], cast(j.[author_id] as int) as [author_id], cast(j.[translator_id] as int) as [translator_id], cast(j.[shelf_floor] as int) as [shelf_floor], cast(j.[shelf_place] as int) as [shelf_place], cast(j.[year] as int) as [year]
  from openjson(@p3) with ([id] nvarchar(max) '$.c1', [title] nvarchar(max) '$.c2', [published] nvarchar(max) '$.c3', [price] nvarchar(max) '$.c4', [genres] nvarchar(max) '$.c5', [author_id] nvarchar(max) '$.c6', [translator_id] nvarchar(max) '$.c7', [shelf_floor] nvarchar(max) '$.c8', [shelf_place] nvarchar(max) '$.c9', [year] nvarchar(max) '$.c10') j
) t6
order by r.n;
select (
  select count(*)
  from #engine_written
);
drop table #engine_written;

-- @p1: "moved"
-- @p2: from the rows written before
set nocount on;
select [floor], [place], [label] into #engine_written
from [dbo].[shelf]
where 1 = 0 union all
select [floor], [place], [label]
from [dbo].[shelf]
where 1 = 0;
update t8 set [label] = @p1
output inserted.[floor], inserted.[place], inserted.[label] into #engine_written
from [dbo].[shelf] t8
where exists (
  select 1
  from (
    select cast(j.[id] as int) as [id], j.[title] as [title], cast(j.[published] as date) as [published], cast(j.[price] as decimal(38, 12)) as [price], j.[genres] as [genres], cast(j.[author_id] as int) as [author_id], cast(j.[translator_id] as int) as [translator_id], cast(j.[shelf_floor] as int) as [shelf_floor], cast(j.[shelf_place] as int) as [shelf_place], cast(j.[year] as int) as [year]
    from openjson(@p2) with ([id] nvarchar(max) '$.c1', [title] nvarchar(max) '$.c2', [published] nvarchar(max) '$.c3', [price] nvarchar(max) '$.c4', [genres] nvarchar(max) '$.c5', [author_id] nvarchar(max) '$.c6', [translator_id] nvarchar(max) '$.c7', [shelf_floor] nvarchar(max) '$.c8', [shelf_place] nvarchar(max) '$.c9', [year] nvarchar(max) '$.c10') j
  ) t9
  where t8.[floor] = t9.[shelf_floor]
  and t8.[place] = t9.[shelf_place]
);
select (
  select count(*)
  from #engine_written
), isnull((
  select cast([floor] as nvarchar(max)) as c1, cast([place] as nvarchar(max)) as c2, cast([label] as nvarchar(max)) as c3
  from #engine_written
  for json path, include_null_values
), N'[]');
drop table #engine_written;

-- @p1: "[\"8\"]"
-- @p2: "[\"Eight\"]"
-- @p3: "[\"8\"]"
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
select cast(r.c1 as int), r.c2, cast(r.c3 as decimal(38, 12)), t10.[id]
from (
  select cast(l1.[key] as int) as n, l1.[value] as c1, l2.[value] as c2, l3.[value] as c3
  from openjson(@p1) l1 join openjson(@p2) l2 on l2.[key] = l1.[key] join openjson(@p3) l3 on l3.[key] = l1.[key]
) r cross join (
  select cast(j.[id] as int) as [id], j.[name] as [name], cast(j.[born] as date) as [born]
  from openjson(@p4) with ([id] nvarchar(max) '$.c1', [name] nvarchar(max) '$.c2', [born] nvarchar(max) '$.c3') j
) t10
order by r.n;
select (
  select count(*)
  from #engine_written
);
drop table #engine_written;

-- @p1: "zoe"
-- @p2: from the rows written before
select json_query((
  select top (1) t12.[name] as [name], json_query(isnull((
    select t13.[id] as [id], t13.[price] as [price], json_query(isnull((
      select t14.[stars] as [stars]
      from [dbo].[review] t14
      where (t14.[book_id] = t13.[id])
      and (t14.[reader] = @p1)
      for json path, include_null_values
    ), N'[]')) as [reviews], json_query(case when t15.[floor] is not null then json_query((
      select t15.[label] as [label]
      for json path, include_null_values, without_array_wrapper
    )) end) as [shelf]
    from [dbo].[book] t13
    left join [dbo].[shelf] t15 on t15.[floor] = t13.[shelf_floor]
    and t15.[place] = t13.[shelf_place]
    where t13.[author_id] = t12.[id]
    order by t13.[id] asc
    for json path, include_null_values
  ), N'[]')) as [books]
  from (
    select cast(j.[id] as int) as [id], j.[name] as [name], cast(j.[born] as date) as [born]
    from openjson(@p2) with ([id] nvarchar(max) '$.c1', [name] nvarchar(max) '$.c2', [born] nvarchar(max) '$.c3') j
  ) t12
  for json path, include_null_values, without_array_wrapper
));
