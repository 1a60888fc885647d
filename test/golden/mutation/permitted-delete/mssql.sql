-- @p1: "Ada"
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
where not (exists (
  select 1
  from [dbo].[book] r1
  where r1.[id] = t1.[book_id]
  and (exists (
    select 1
    from [dbo].[author] r2
    where r2.[id] = r1.[author_id]
    and (r2.[name] = @p1)
  ))
));
select (
  select count(*)
  from #engine_written
);
drop table #engine_written;
