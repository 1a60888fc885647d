-- @p1: "[\"1\"]"
-- @p2: "[\"Zora\"]"
set nocount on;
select [id], [name], [born] into #engine_written
from [dbo].[author]
where 1 = 0 union all
select [id], [name], [born]
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
update t1 set [name] = v.[name], [born] = default
output inserted.[id], inserted.[name], inserted.[born] into #engine_written
from [dbo].[author] t1 join #engine_proposed v on t1.[id] = v.[id];
insert into [dbo].[author] ([id], [name])
output inserted.[id], inserted.[name], inserted.[born] into #engine_written
select v.[id], v.[name]
from #engine_proposed v
where v.[number of the row] not in (
  select m.[number of the row]
  from #engine_matched m
)
order by v.[number of the row];
drop table #engine_proposed, #engine_matched;
select json_query(isnull((
  select t2.[id] as [id], t2.[name] as [name], t2.[born] as [born]
  from #engine_written t2
  for json path, include_null_values
), N'[]')), (
  select count(*)
  from #engine_written
);
drop table #engine_written;
