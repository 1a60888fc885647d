select json_query(isnull((
  select json_query((
    select json_query((
      select t4.k1 as [name]
      for json path, include_null_values, without_array_wrapper
    )) as [author]
    for json path, include_null_values, without_array_wrapper
  )) as [key], json_query((
    select t4.v1 as [count], json_query((
      select t4.v2 as [price]
      for json path, include_null_values, without_array_wrapper
    )) as [max]
    for json path, include_null_values, without_array_wrapper
  )) as [aggregate], json_query(t4.v3) as [nodes]
  from (
    select t3.k1, count(*) as v1, max(t3.c1) as v2, concat(N'[', string_agg(case when t3.c2 <= 2 then isnull(t3.c3, N'null') end, N',') within group (order by t3.c2), N']') as v3
    from (
      select t2.[name] as k1, t1.[price] as c1, row_number() over (partition by t2.[name] order by t1.[id]) as c2, json_query(case when row_number() over (partition by t2.[name] order by t1.[id]) <= 2 then json_query((
        select t1.[title] as [title]
        for json path, include_null_values, without_array_wrapper
      )) end) as c3
      from [dbo].[book] t1
      left join [dbo].[author] t2 on t2.[id] = t1.[author_id]
      where t1.[price] < cast(N'12' as decimal(38, 12))
    ) t3 group by t3.k1
  ) t4
  order by t4.k1 asc
  for json path, include_null_values
), N'[]'));
