select json_query((
  select json_query(a.v1) as [edges], json_query((
    select a.v2 as [startCursor], a.v3 as [endCursor]
    for json path, include_null_values, without_array_wrapper
  )) as [pageInfo]
  from (
    select concat(N'[', string_agg(isnull(t2.c1, N'null'), N',') within group (order by t2.n), N']') as v1, coalesce(stuff(min(concat(right(concat(N'0000000000', t2.n), 10), t2.c2)), 1, 10, N''), N'') as v2, coalesce(stuff(max(concat(right(concat(N'0000000000', t2.n), 10), t2.c2)), 1, 10, N''), N'') as v3
    from (
      select json_query((
        select (
          select convert(varbinary(max), convert(varchar(max), json_query((
            select t1.[id] as [id]
            for json path, include_null_values, without_array_wrapper
          )) collate Latin1_General_100_CI_AS_SC_UTF8)) as [*]
          for xml path(''), binary base64
        ) as [cursor], json_query((
          select (
            select convert(varbinary(max), convert(varchar(max), concat(N'[1,"dbo","customer"', N',', cast(t1.[id] as nvarchar(max)), N']') collate Latin1_General_100_CI_AS_SC_UTF8)) as [*]
            for xml path(''), binary base64
          ) as [id], t1.[name] as [name]
          for json path, include_null_values, without_array_wrapper
        )) as [node]
        for json path, include_null_values, without_array_wrapper
      )) as c1, (
        select convert(varbinary(max), convert(varchar(max), json_query((
          select t1.[id] as [id]
          for json path, include_null_values, without_array_wrapper
        )) collate Latin1_General_100_CI_AS_SC_UTF8)) as [*]
        for xml path(''), binary base64
      ) as c2, row_number() over (order by t1.[id] asc) as n
      from [dbo].[customer] t1
    ) t2
  ) a
  for json path, include_null_values, without_array_wrapper
));
