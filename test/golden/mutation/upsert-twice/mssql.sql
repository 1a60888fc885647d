-- @p1: "[\"1\",\"3\",\"1\"]"
-- @p2: "[\"1\",\"1\",\"1\"]"
-- @p3: "[\"A2\",\"D\",\"A3\"]"
set nocount on;
select [floor], [place], [label] into #engine_written
from [dbo].[shelf]
where 1 = 0 union all
select [floor], [place], [label]
from [dbo].[shelf]
where 1 = 0;
select r.n as [number of the row], cast(r.c1 as int) as [floor], cast(r.c2 as int) as [place], r.c3 as [label] into #engine_proposed
from (
  select cast(l1.[key] as int) as n, l1.[value] as c1, l2.[value] as c2, l3.[value] as c3
  from openjson(@p1) l1 join openjson(@p2) l2 on l2.[key] = l1.[key] join openjson(@p3) l3 on l3.[key] = l1.[key]
) r;
select v.[number of the row] into #engine_matched
from #engine_proposed v
where exists (
  select 1
  from [dbo].[shelf] m with (updlock, holdlock)
  where m.[floor] = v.[floor]
  and m.[place] = v.[place]
);
if exists (
  select 1
  from [dbo].[shelf] t1 join #engine_proposed v on t1.[floor] = v.[floor]
  and t1.[place] = v.[place] join #engine_proposed d on t1.[floor] = d.[floor]
  and t1.[place] = d.[place]
  and d.[number of the row] > v.[number of the row]
) begin throw 50672, N'two of the rows to insert match the same row, which can be updated only once', 1;
end;
update t1 set [label] = v.[label]
output inserted.[floor], inserted.[place], inserted.[label] into #engine_written
from [dbo].[shelf] t1 join #engine_proposed v on t1.[floor] = v.[floor]
and t1.[place] = v.[place];
insert into [dbo].[shelf] ([floor], [place], [label])
output inserted.[floor], inserted.[place], inserted.[label] into #engine_written
select v.[floor], v.[place], v.[label]
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
);
drop table #engine_written;
