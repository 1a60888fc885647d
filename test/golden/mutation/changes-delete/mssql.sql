-- @p1: "mia"
set nocount on;
select [book_id], [reader], [stars], [hidden], case when 1 = 0 then 0 end as [visible before] into #engine_written
from [dbo].[review]
where 1 = 0 union all
select [book_id], [reader], [stars], [hidden], case when 1 = 0 then 0 end as [visible before]
from [dbo].[review]
where 1 = 0;
select t1.[book_id] as [key 1], t1.[reader] as [key 2], case when t1.[hidden] = cast(N'0' as bit)
or t1.[reader] = @p1
or exists (
  select 1
  from [dbo].[friend] friend_1
  where friend_1.[reader] = @p1
  and friend_1.[friend] = t1.[reader]
) then 1 else 0 end as [visible before] into #engine_before
from [dbo].[review] t1 with (updlock, holdlock)
where t1.[reader] = @p1;
delete t1
output deleted.[book_id], deleted.[reader], deleted.[stars], deleted.[hidden], b.[visible before] into #engine_written ([book_id], [reader], [stars], [hidden], [visible before])
from [dbo].[review] t1 join #engine_before b on t1.[book_id] = b.[key 1]
and t1.[reader] = b.[key 2];
drop table #engine_before;
select (
  select count(*)
  from #engine_written
), isnull((
  select cast(0 as bit) as [inserted], json_query(case when w.[visible before] = 1 then (
    select cast(w.[book_id] as nvarchar(max)) as c1, cast(w.[reader] as nvarchar(max)) as c2, cast(w.[stars] as nvarchar(max)) as c3, cast(w.[hidden] as nvarchar(max)) as c4
    for json path, include_null_values, without_array_wrapper
  ) end) as [old], cast(null as nvarchar(max)) as [new]
  from #engine_written w
  for json path, include_null_values
), N'[]');
drop table #engine_written;

-- @p1: from the rows written before
select json_query(isnull((
  select t2.inserted as [inserted], json_query((
    select top (1) t3.[book_id] as [book_id], t3.[reader] as [reader], json_query((
      select top (1) t4.[title] as [title]
      from [dbo].[book] t4
      where (t4.[id] = t3.[book_id])
      and (t4.[price] < cast(N'12' as decimal(38, 12)))
      for json path, include_null_values, without_array_wrapper
    )) as [book]
    from (
      select cast(j.[book_id] as int) as [book_id], j.[reader] as [reader], cast(j.[stars] as int) as [stars], cast(j.[hidden] as bit) as [hidden]
      from openjson(t2.old) with ([book_id] nvarchar(max) '$.c1', [reader] nvarchar(max) '$.c2', [stars] nvarchar(max) '$.c3', [hidden] nvarchar(max) '$.c4') j
    ) t3
    for json path, include_null_values, without_array_wrapper
  )) as [old], json_query((
    select top (1) t5.[stars] as [stars]
    from (
      select cast(j.[book_id] as int) as [book_id], j.[reader] as [reader], cast(j.[stars] as int) as [stars], cast(j.[hidden] as bit) as [hidden]
      from openjson(t2.new) with ([book_id] nvarchar(max) '$.c1', [reader] nvarchar(max) '$.c2', [stars] nvarchar(max) '$.c3', [hidden] nvarchar(max) '$.c4') j
    ) t5
    for json path, include_null_values, without_array_wrapper
  )) as [new]
  from (
    select j.*
    from openjson(@p1) with ([inserted] bit '$.inserted', [old] nvarchar(max) '$.old' as json, [new] nvarchar(max) '$.new' as json) j
  ) t2
  for json path, include_null_values
), N'[]'));
