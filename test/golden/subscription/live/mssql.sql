-- @p1: "[[1,\"Ada\",\"Engines\"]]"
-- @p2: "[]"
select v.n, q.*
from openjson(@p1) with (n int '$[0]', p1 varchar(8000) '$[1]', p2 varchar(8000) '$[2]') v cross apply (
  select json_query(isnull((
    select t1.[id] as [id], t1.[title] as [title]
    from [dbo].[book] t1
    where (exists (
      select 1
      from [dbo].[author] author_1
      where author_1.[id] = t1.[author_id]
      and author_1.[name] = convert(varchar(8000), convert(varbinary(8000), v.p1))
    ))
    and (t1.[title] = convert(varchar(8000), convert(varbinary(8000), v.p2)))
    for json path, include_null_values
  ), N'[]')) as c1
) q union all
select v.n, q.*
from openjson(@p2) with (n int '$[0]', p1 nvarchar(max) '$[1]', p2 nvarchar(max) '$[2]') v cross apply (
  select json_query(isnull((
    select t1.[id] as [id], t1.[title] as [title]
    from [dbo].[book] t1
    where (exists (
      select 1
      from [dbo].[author] author_1
      where author_1.[id] = t1.[author_id]
      and author_1.[name] = convert(nvarchar(max), convert(varbinary(max), v.p1))
    ))
    and (t1.[title] = convert(nvarchar(max), convert(varbinary(max), v.p2)))
    for json path, include_null_values
  ), N'[]')) as c1
) q;
