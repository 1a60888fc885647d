select json_query(isnull((
  select json_query((
    select json_query((
      select t5.k1 as [name]
      for json path, include_null_values, without_array_wrapper
    )) as [author], json_query((
      select t5.k2 as [_part]
      for json path, include_null_values, without_array_wrapper
    )) as [translator]
    for json path, include_null_values, without_array_wrapper
  )) as [key], json_query((
    select t5.v1 as [count]
    for json path, include_null_values, without_array_wrapper
  )) as [aggregate]
  from (
    select t4.k1, t4.k2, count(*) as v1, count(*) as v2
    from (
      select t2.[name] as k1, datepart(month, t3.[born]) as k2
      from [dbo].[book] t1
      left join [dbo].[author] t2 on t2.[id] = t1.[author_id]
      left join [dbo].[author] t3 on t3.[id] = t1.[translator_id]
    ) t4 group by t4.k1, t4.k2
  ) t5
  order by t5.v2 desc, t5.k1 asc, t5.k2 asc
  for json path, include_null_values
), N'[]'));
