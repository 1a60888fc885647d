-- @p1: "[[1,\"1\",\"M\"]]"
-- @p2: "[]"
select v.n, q.*
from openjson(@p1) with (n int '$[0]', p1 nvarchar(max) '$[1]', p2 varchar(8000) '$[2]') v cross apply (
  select concat(N'[', string_agg(isnull(b.r, N'null'), N',') within group (order by b.n), N']') as c1, stuff(max(concat(right(concat(N'0000000000', b.n), 10), b.p)), 1, 10, N'') as c2
  from (
    select top (cast(v.p1 as bigint)) with ties json_query((
      select t1.[name] as [name], json_query(isnull((
        select t2.[id] as [id]
        from [dbo].[book] t2
        where t2.[author_id] = t1.[id]
        order by t2.[id] asc
        for json path, include_null_values
      ), N'[]')) as [books]
      for json path, include_null_values, without_array_wrapper
    )) as r, cast(t1.[name] as nvarchar(max)) as p, row_number() over (order by t1.[name] desc) as n
    from [dbo].[author] t1
    where t1.[name] < convert(varchar(8000), convert(varbinary(8000), v.p2))
    order by t1.[name] desc
  ) b
  having count(*) > 0
) q union all
select v.n, q.*
from openjson(@p2) with (n int '$[0]', p1 nvarchar(max) '$[1]', p2 nvarchar(max) '$[2]') v cross apply (
  select concat(N'[', string_agg(isnull(b.r, N'null'), N',') within group (order by b.n), N']') as c1, stuff(max(concat(right(concat(N'0000000000', b.n), 10), b.p)), 1, 10, N'') as c2
  from (
    select top (cast(v.p1 as bigint)) with ties json_query((
      select t1.[name] as [name], json_query(isnull((
        select t2.[id] as [id]
        from [dbo].[book] t2
        where t2.[author_id] = t1.[id]
        order by t2.[id] asc
        for json path, include_null_values
      ), N'[]')) as [books]
      for json path, include_null_values, without_array_wrapper
    )) as r, cast(t1.[name] as nvarchar(max)) as p, row_number() over (order by t1.[name] desc) as n
    from [dbo].[author] t1
    where t1.[name] < convert(nvarchar(max), convert(varbinary(max), v.p2))
    order by t1.[name] desc
  ) b
  having count(*) > 0
) q;
