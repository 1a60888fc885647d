select json_query((
  select json_query(a.v1) as [edges]
  from (
    select concat(N'[', string_agg(isnull(t4.c1, N'null'), N',') within group (order by t4.n), N']') as v1
    from (
      select json_query((
        select (
          select convert(varbinary(max), convert(varchar(max), json_query((
            select t1.[total] as [total], json_query((
              select json_query((
                select t3.v as [quantity]
                for json path, include_null_values, without_array_wrapper
              )) as [sum]
              for json path, include_null_values, without_array_wrapper
            )) as [lines_aggregate], t1.[id] as [id]
            for json path, include_null_values, without_array_wrapper
          )) collate Latin1_General_100_CI_AS_SC_UTF8)) as [*]
          for xml path(''), binary base64
        ) as [cursor]
        for json path, include_null_values, without_array_wrapper
      )) as c1, row_number() over (order by t1.[total] asc, t3.v desc, t1.[id] asc) as n
      from [sales].[order] t1 cross apply (
        select (
          select sum(cast(t2.[quantity] as bigint))
          from [sales].[order_line] t2
          where t2.[order_id] = t1.[id]
        ) as v
      ) t3
      where ((t1.[total] is not null) or ((t1.[total] is null) and ((((t3.v < cast(@p1 as bigint) or t3.v is null)) or ((t3.v = cast(@p1 as bigint)) and (t1.[id] > cast(@p2 as bigint)))))))
    ) t4
  ) a
  for json path, include_null_values, without_array_wrapper
));
