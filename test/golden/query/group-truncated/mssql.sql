select json_query(isnull((
  select json_query((
    select t4.k1 as [published], json_query((
      select t4.k2 as [born]
      for json path, include_null_values, without_array_wrapper
    )) as [author]
    for json path, include_null_values, without_array_wrapper
  )) as [key], json_query((
    select t4.v1 as [count]
    for json path, include_null_values, without_array_wrapper
  )) as [aggregate], json_query(t4.v2) as [nodes]
  from (
    select t3.k1, t3.k2, count(*) as v1, concat(N'[', string_agg(isnull(t3.c1, N'null'), N','), N']') as v2
    from (
      select datefromparts(year(t1.[published]), datepart(quarter, t1.[published]) * 3 - 2, 1) as k1, dateadd(day, 1 - ((datepart(weekday, t2.[born]) + @@datefirst + 5) % 7 + 1), cast(t2.[born] as date)) as k2, json_query((
        select t1.[published] as [published]
        for json path, include_null_values, without_array_wrapper
      )) as c1
      from [dbo].[book] t1
      left join [dbo].[author] t2 on t2.[id] = t1.[author_id]
    ) t3 group by t3.k1, t3.k2
  ) t4
  order by t4.k1 desc, t4.k2 asc
  for json path, include_null_values
), N'[]'));
