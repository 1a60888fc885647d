select json_query((
  select json_query(a.v1) as [edges], json_query((
    select a.v2 as [hasPreviousPage]
    for json path, include_null_values, without_array_wrapper
  )) as [pageInfo]
  from (
    select concat(N'[', string_agg(isnull(t2.c1, N'null'), N',') within group (order by t2.n), N']') as v1, cast(iif(1 = 0, 1, 0) as bit) as v2
    from (
      select top (cast(@p1 as bigint)) json_query((
        select json_query((
          select (
            select convert(varbinary(max), convert(varchar(max), concat(N'[1,"dbo","customer"', N',', cast(t1.[id] as nvarchar(max)), N']') collate Latin1_General_100_CI_AS_SC_UTF8)) as [*]
            for xml path(''), binary base64
          ) as [id]
          for json path, include_null_values, without_array_wrapper
        )) as [node]
        for json path, include_null_values, without_array_wrapper
      )) as c1, row_number() over (order by t1.[email] asc, t1.[id] desc) as n
      from (
        select g.*
        from (
          select t1.[id], t1.[name], t1.[email], t1.[version], row_number() over (partition by t1.[email] order by t1.[email] asc, t1.[id] desc) as [place in group]
          from [dbo].[customer] t1
        ) g
        where g.[place in group] <= 1
      ) t1
      order by t1.[email] asc, t1.[id] desc
    ) t2
  ) a
  for json path, include_null_values, without_array_wrapper
));
