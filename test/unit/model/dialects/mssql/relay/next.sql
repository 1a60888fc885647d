select json_query((
  select json_query(a.v1) as [edges], json_query((
    select a.v2 as [hasNextPage], a.v3 as [hasPreviousPage]
    for json path, include_null_values, without_array_wrapper
  )) as [pageInfo]
  from (
    select concat(N'[', string_agg(case when t2.n <= cast(@p1 as bigint) then isnull(t2.c1, N'null') end, N',') within group (order by t2.n), N']') as v1, cast(iif(not iif(count(*) < cast(@p1 as bigint), count(*), cast(@p1 as bigint)) = 0 and (count(*) > cast(@p1 as bigint)), 1, 0) as bit) as v2, cast(iif(not iif(count(*) < cast(@p1 as bigint), count(*), cast(@p1 as bigint)) = 0 and (exists (
      select 1
      from [dbo].[customer] t3
      where t3.[id] <= cast(@p2 as int)
    )), 1, 0) as bit) as v3
    from (
      select top (cast(@p1 as bigint) + 1) json_query((
        select json_query((
          select t1.[name] as [name]
          for json path, include_null_values, without_array_wrapper
        )) as [node]
        for json path, include_null_values, without_array_wrapper
      )) as c1, row_number() over (order by t1.[id] asc) as n
      from [dbo].[customer] t1
      where t1.[id] > cast(@p2 as int)
      order by t1.[id] asc
    ) t2
  ) a
  for json path, include_null_values, without_array_wrapper
));
