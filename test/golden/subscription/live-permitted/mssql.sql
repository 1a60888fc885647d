-- @p1: "[[1,\"Ada\"]]"
-- @p2: "[]"
select v.n, q.*
from openjson(@p1) with (n int '$[0]', p1 varchar(8000) '$[1]') v cross apply (
  select json_query(isnull((
    select t1.[book_id] as [book_id], t1.[reader] as [reader]
    from [dbo].[review] t1
    where exists (
      select 1
      from [dbo].[book] r1
      where r1.[id] = t1.[book_id]
      and (exists (
        select 1
        from [dbo].[author] r2
        where r2.[id] = r1.[author_id]
        and (r2.[name] = convert(varchar(8000), convert(varbinary(8000), v.p1)))
      ))
    )
    or t1.[reader] = convert(varchar(8000), convert(varbinary(8000), v.p1))
    order by t1.[book_id] asc, t1.[reader] asc
    for json path, include_null_values
  ), N'[]')) as c1
) q union all
select v.n, q.*
from openjson(@p2) with (n int '$[0]', p1 nvarchar(max) '$[1]') v cross apply (
  select json_query(isnull((
    select t1.[book_id] as [book_id], t1.[reader] as [reader]
    from [dbo].[review] t1
    where exists (
      select 1
      from [dbo].[book] r1
      where r1.[id] = t1.[book_id]
      and (exists (
        select 1
        from [dbo].[author] r2
        where r2.[id] = r1.[author_id]
        and (r2.[name] = convert(nvarchar(max), convert(varbinary(max), v.p1)))
      ))
    )
    or t1.[reader] = convert(nvarchar(max), convert(varbinary(max), v.p1))
    order by t1.[book_id] asc, t1.[reader] asc
    for json path, include_null_values
  ), N'[]')) as c1
) q;
