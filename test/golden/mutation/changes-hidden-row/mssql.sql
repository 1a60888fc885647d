-- @p1: "Ada"
-- @p2: "3"
-- @p3: "1900-01-01"
set nocount on;
select [id], [name], [born], case when 1 = 0 then 0 end as [visible before], case when 1 = 0 then [id] end as [column 1 before], case when 1 = 0 then [name] end as [column 2 before], case when 1 = 0 then [born] end as [column 3 before] into #engine_written
from [dbo].[author]
where 1 = 0 union all
select [id], [name], [born], case when 1 = 0 then 0 end as [visible before], case when 1 = 0 then [id] end as [column 1 before], case when 1 = 0 then [name] end as [column 2 before], case when 1 = 0 then [born] end as [column 3 before]
from [dbo].[author]
where 1 = 0;
select t1.[id] as [key 1], case when t1.[name] = @p1 then 1 else 0 end as [visible before] into #engine_before
from [dbo].[author] t1 with (updlock, holdlock)
where t1.[id] < cast(@p2 as int);
update t1 set [born] = cast(@p3 as date)
output inserted.[id], inserted.[name], inserted.[born], b.[visible before], deleted.[id], deleted.[name], deleted.[born] into #engine_written ([id], [name], [born], [visible before], [column 1 before], [column 2 before], [column 3 before])
from [dbo].[author] t1 join #engine_before b on t1.[id] = b.[key 1];
drop table #engine_before;
select (
  select count(*)
  from #engine_written
), isnull((
  select cast(0 as bit) as [inserted], json_query(case when w.[visible before] = 1 then (
    select cast(w.[column 1 before] as nvarchar(max)) as c1, cast(w.[column 2 before] as nvarchar(max)) as c2, cast(w.[column 3 before] as nvarchar(max)) as c3
    for json path, include_null_values, without_array_wrapper
  ) end) as [old], json_query((
    select cast(w.[id] as nvarchar(max)) as c1, cast(w.[name] as nvarchar(max)) as c2, cast(w.[born] as nvarchar(max)) as c3
    for json path, include_null_values, without_array_wrapper
  )) as [new]
  from #engine_written w
  for json path, include_null_values
), N'[]');
drop table #engine_written;

-- @p1: from the rows written before
select json_query(isnull((
  select json_query((
    select top (1) t3.[name] as [name]
    from (
      select cast(j.[id] as int) as [id], j.[name] as [name], cast(j.[born] as date) as [born]
      from openjson(t2.old) with ([id] nvarchar(max) '$.c1', [name] nvarchar(max) '$.c2', [born] nvarchar(max) '$.c3') j
    ) t3
    for json path, include_null_values, without_array_wrapper
  )) as [old], json_query((
    select top (1) t4.[name] as [name]
    from (
      select cast(j.[id] as int) as [id], j.[name] as [name], cast(j.[born] as date) as [born]
      from openjson(t2.new) with ([id] nvarchar(max) '$.c1', [name] nvarchar(max) '$.c2', [born] nvarchar(max) '$.c3') j
    ) t4
    for json path, include_null_values, without_array_wrapper
  )) as [new]
  from (
    select j.*
    from openjson(@p1) with ([inserted] bit '$.inserted', [old] nvarchar(max) '$.old' as json, [new] nvarchar(max) '$.new' as json) j
  ) t2
  for json path, include_null_values
), N'[]'));
