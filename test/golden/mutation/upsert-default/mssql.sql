-- @p1: "[\"1\"]"
-- @p2: "[\"Zora\"]"
set nocount on;
select [id], [name], [born] into #w
from [dbo].[author]
where 1 = 0 union all
select [id], [name], [born]
from [dbo].[author]
where 1 = 0;
select r.n as [number of the row], cast(r.c1 as int) as [id], r.c2 as [name] into #v
from (
  select cast(l1.[key] as int) as n, l1.[value] as c1, l2.[value] as c2
  from openjson(@p1) l1 join openjson(@p2) l2 on l2.[key] = l1.[key]
) r;
select v.[number of the row] into #m
from #v v
where exists (
  select 1
  from [dbo].[author] m with (updlock, holdlock)
  where m.[id] = v.[id]
);
if exists (
  select 1
  from [dbo].[author] t1 join #v v on t1.[id] = v.[id] join #v d on t1.[id] = d.[id]
  and d.[number of the row] > v.[number of the row]
) begin throw 50672, N'two of the rows to insert match the same row, which can be updated only once', 1;
end;
update t1 set [name] = v.[name], [born] = default
output inserted.[id], inserted.[name], inserted.[born] into #w
from [dbo].[author] t1 join #v v on t1.[id] = v.[id];
insert into [dbo].[author] ([id], [name])
output inserted.[id], inserted.[name], inserted.[born] into #w
select v.[id], v.[name]
from #v v
where v.[number of the row] not in (
  select m.[number of the row]
  from #m m
)
order by v.[number of the row];
drop table #v, #m;
select json_query(isnull((
  select t2.[id] as [id], t2.[name] as [name], t2.[born] as [born]
  from #w t2
  for json path, include_null_values
), N'[]')), (
  select count(*)
  from #w
);
drop table #w;
