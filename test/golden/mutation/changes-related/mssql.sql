-- @p1: "1"
set nocount on;
select [id], [name], [born], case when 1 = 0 then 0 end as [visible before] into #engine_written
from [dbo].[author]
where 1 = 0 union all
select [id], [name], [born], case when 1 = 0 then 0 end as [visible before]
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
), N'[]'), isnull((
  select cast(0 as bit) as [inserted], json_query((
    select cast(w.[id] as nvarchar(max)) as c1, cast(w.[name] as nvarchar(max)) as c2, cast(w.[born] as nvarchar(max)) as c3
    for json path, include_null_values, without_array_wrapper
  )) as [old], json_query((
    select cast(w.[id] as nvarchar(max)) as c1, cast(w.[name] as nvarchar(max)) as c2, cast(w.[born] as nvarchar(max)) as c3
    for json path, include_null_values, without_array_wrapper
  )) as [new]
  from #engine_written w
  for json path, include_null_values
), N'[]');
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
update t3 set [price] = t3.[price] + cast(@p1 as decimal(38, 12))
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
and (t3.[id] < cast(@p3 as int));
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
  select json_query((
    select top (1) t6.[name] as [name]
    from (
      select cast(j.[id] as int) as [id], j.[name] as [name], cast(j.[born] as date) as [born]
      from openjson(t5.old) with ([id] nvarchar(max) '$.c1', [name] nvarchar(max) '$.c2', [born] nvarchar(max) '$.c3') j
    ) t6
    for json path, include_null_values, without_array_wrapper
  )) as [old], json_query((
    select top (1) json_query(isnull((
      select t8.[price] as [price]
      from [dbo].[book] t8
      where t8.[author_id] = t7.[id]
      order by t8.[id] asc
      for json path, include_null_values
    ), N'[]')) as [books]
    from (
      select cast(j.[id] as int) as [id], j.[name] as [name], cast(j.[born] as date) as [born]
      from openjson(t5.new) with ([id] nvarchar(max) '$.c1', [name] nvarchar(max) '$.c2', [born] nvarchar(max) '$.c3') j
    ) t7
    for json path, include_null_values, without_array_wrapper
  )) as [new]
  from (
    select j.*
    from openjson(@p1) with ([inserted] bit '$.inserted', [old] nvarchar(max) '$.old' as json, [new] nvarchar(max) '$.new' as json) j
  ) t5
  for json path, include_null_values
), N'[]'));
