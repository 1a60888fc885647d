-- @p1: "4"
-- @p2: "Jo"
set nocount on;
select [book_id], [reader], [stars], [hidden] into #engine_written
from [dbo].[review]
where 1 = 0 union all
select [book_id], [reader], [stars], [hidden]
from [dbo].[review]
where 1 = 0;
delete t1
output deleted.[book_id], deleted.[reader], deleted.[stars], deleted.[hidden] into #engine_written
from [dbo].[review] t1
where (t1.[stars] < cast(@p1 as int))
and (exists (
  select 1
  from [dbo].[book] t2
  where (t2.[id] = t1.[book_id])
  and (exists (
    select 1
    from [dbo].[author] t3
    where (t3.[id] = t2.[author_id])
    and (t3.[name] = @p2)
  ))
));
select json_query(isnull((
  select t4.[reader] as [reader], json_query((
    select top (1) t5.[title] as [title]
    from [dbo].[book] t5
    where t5.[id] = t4.[book_id]
    for json path, include_null_values, without_array_wrapper
  )) as [book]
  from #engine_written t4
  for json path, include_null_values
), N'[]')), (
  select count(*)
  from #engine_written
);
drop table #engine_written;
