-- @p1: "[\"3\",\"5\"]"
-- @p2: "[\"Zora\",\"Kim\"]"
set nocount on;
select [id], [name], [born], case when 1 = 0 then 0 end as [visible before], case when 1 = 0 then [id] end as [column 1 before], case when 1 = 0 then [name] end as [column 2 before], case when 1 = 0 then [born] end as [column 3 before] into #engine_written
from [dbo].[author]
where 1 = 0 union all
select [id], [name], [born], case when 1 = 0 then 0 end as [visible before], case when 1 = 0 then [id] end as [column 1 before], case when 1 = 0 then [name] end as [column 2 before], case when 1 = 0 then [born] end as [column 3 before]
from [dbo].[author]
where 1 = 0;
select r.n as [number of the row], cast(r.c1 as int) as [id], r.c2 as [name] into #engine_proposed
from (
  select cast(l1.[key] as int) as n, l1.[value] as c1, l2.[value] as c2
  from openjson(@p1) l1 join openjson(@p2) l2 on l2.[key] = l1.[key]
) r;
select v.[number of the row] into #engine_matched
from #engine_proposed v
where exists (
  select 1
  from [dbo].[author] m with (updlock, holdlock)
  where m.[id] = v.[id]
);
if exists (
  select 1
  from [dbo].[author] t1 join #engine_proposed v on t1.[id] = v.[id] join #engine_proposed d on t1.[id] = d.[id]
  and d.[number of the row] > v.[number of the row]
) begin throw 50672, N'two of the rows to insert match the same row, which can be updated only once', 1;
end;
update t1 set [name] = v.[name]
output inserted.[id], inserted.[name], inserted.[born], deleted.[id], deleted.[name], deleted.[born] into #engine_written ([id], [name], [born], [column 1 before], [column 2 before], [column 3 before])
from [dbo].[author] t1 join #engine_proposed v on t1.[id] = v.[id];
insert into [dbo].[author] ([id], [name])
output inserted.[id], inserted.[name], inserted.[born] into #engine_written ([id], [name], [born])
select v.[id], v.[name]
from #engine_proposed v
where v.[number of the row] not in (
  select m.[number of the row]
  from #engine_matched m
)
order by v.[number of the row];
drop table #engine_proposed, #engine_matched;
select (
  select count(*)
  from #engine_written
), isnull((
  select cast(case when w.[column 1 before] is null then 1 else 0 end as bit) as [inserted], json_query(case when w.[column 1 before] is not null then (
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
  select t2.inserted as [inserted], json_query((
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
