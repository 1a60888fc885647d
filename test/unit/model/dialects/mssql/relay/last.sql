select json_query((
  select json_query(a.v1) as [edges], json_query((
    select a.v2 as [hasNextPage], a.v3 as [hasPreviousPage], a.v4 as [endCursor]
    for json path, include_null_values, without_array_wrapper
  )) as [pageInfo]
  from (
    select concat(N'[', string_agg(case when t2.n <= cast(@p1 as bigint) then isnull(t2.c1, N'null') end, N',') within group (order by t2.n desc), N']') as v1, cast(iif(not iif(count(*) < cast(@p1 as bigint), count(*), cast(@p1 as bigint)) = 0 and (exists (
      select 1
      from [sales].[order_line] t3
      where (t3.[order_id] >= cast(@p2 as bigint))
      and (((t3.[order_id] > cast(@p2 as bigint)) or ((t3.[order_id] = cast(@p2 as bigint)) and (t3.[line] >= cast(@p3 as int)))))
    )), 1, 0) as bit) as v2, cast(iif(not iif(count(*) < cast(@p1 as bigint), count(*), cast(@p1 as bigint)) = 0 and (count(*) > cast(@p1 as bigint)), 1, 0) as bit) as v3, coalesce(stuff(min(case when t2.n <= cast(@p1 as bigint) then concat(right(concat(N'0000000000', t2.n), 10), t2.c2) end), 1, 10, N''), N'') as v4
    from (
      select top (cast(@p1 as bigint) + 1) json_query((
        select (
          select convert(varbinary(max), convert(varchar(max), json_query((
            select t1.[order_id] as [order_id], t1.[line] as [line]
            for json path, include_null_values, without_array_wrapper
          )) collate Latin1_General_100_CI_AS_SC_UTF8)) as [*]
          for xml path(''), binary base64
        ) as [cursor]
        for json path, include_null_values, without_array_wrapper
      )) as c1, (
        select convert(varbinary(max), convert(varchar(max), json_query((
          select t1.[order_id] as [order_id], t1.[line] as [line]
          for json path, include_null_values, without_array_wrapper
        )) collate Latin1_General_100_CI_AS_SC_UTF8)) as [*]
        for xml path(''), binary base64
      ) as c2, row_number() over (order by t1.[order_id] desc, t1.[line] desc) as n
      from [sales].[order_line] t1
      where (t1.[order_id] <= cast(@p2 as bigint))
      and (((t1.[order_id] < cast(@p2 as bigint)) or ((t1.[order_id] = cast(@p2 as bigint)) and (t1.[line] < cast(@p3 as int)))))
      order by t1.[order_id] desc, t1.[line] desc
    ) t2
  ) a
  for json path, include_null_values, without_array_wrapper
));
