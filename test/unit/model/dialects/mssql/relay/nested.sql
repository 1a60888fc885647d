select json_query((
  select json_query(a.v1) as [edges]
  from (
    select concat(N'[', string_agg(isnull(t2.c1, N'null'), N',') within group (order by t2.n), N']') as v1
    from (
      select top (cast(@p1 as bigint)) json_query((
        select json_query((
          select json_query((
            select json_query(a.v1) as [edges], json_query((
              select a.v2 as [hasNextPage]
              for json path, include_null_values, without_array_wrapper
            )) as [pageInfo]
            from (
              select concat(N'[', string_agg(case when t4.n <= cast(@p2 as bigint) then isnull(t4.c1, N'null') end, N',') within group (order by t4.n), N']') as v1, cast(iif(not iif(count(*) < cast(@p2 as bigint), count(*), cast(@p2 as bigint)) = 0 and (count(*) > cast(@p2 as bigint)), 1, 0) as bit) as v2
              from (
                select top (cast(@p2 as bigint) + 1) json_query((
                  select json_query((
                    select (
                      select convert(varbinary(max), convert(varchar(max), concat(N'[1,"sales","order"', N',', cast(t3.[id] as nvarchar(max)), N']') collate Latin1_General_100_CI_AS_SC_UTF8)) as [*]
                      for xml path(''), binary base64
                    ) as [id]
                    for json path, include_null_values, without_array_wrapper
                  )) as [node]
                  for json path, include_null_values, without_array_wrapper
                )) as c1, row_number() over (order by t3.[id] asc) as n
                from [sales].[order] t3
                where t3.[customer_id] = t1.[id]
                order by t3.[id] asc
              ) t4
            ) a
            for json path, include_null_values, without_array_wrapper
          )) as [orders_connection]
          for json path, include_null_values, without_array_wrapper
        )) as [node]
        for json path, include_null_values, without_array_wrapper
      )) as c1, row_number() over (order by t1.[id] asc) as n
      from [dbo].[customer] t1
      order by t1.[id] asc
    ) t2
  ) a
  for json path, include_null_values, without_array_wrapper
));
