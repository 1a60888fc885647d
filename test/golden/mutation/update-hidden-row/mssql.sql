-- @p1: "1900-01-01"
-- @p2: "2"
-- @p3: "Ada"
set nocount on;
select [id], [name], [born] into #engine_written
from [dbo].[author]
where 1 = 0 union all
select [id], [name], [born]
from [dbo].[author]
where 1 = 0;
update t1 set [born] = cast(@p1 as date)
output inserted.[id], inserted.[name], inserted.[born] into #engine_written
from [dbo].[author] t1
where t1.[id] = cast(@p2 as int);
select json_query((
  select top (1) t2.[name] as [name], json_query(isnull((
    select t3.[title] as [title]
    from [dbo].[book] t3
    where (t3.[author_id] = t2.[id])
    and (exists (
      select 1
      from [dbo].[author] author_1
      where author_1.[id] = t3.[author_id]
      and author_1.[name] = @p3
    ))
    for json path, include_null_values
  ), N'[]')) as [books]
  from #engine_written t2
  for json path, include_null_values, without_array_wrapper
));
drop table #engine_written;
