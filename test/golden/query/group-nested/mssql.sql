select json_query(isnull((
  select t1.[name] as [name], json_query(isnull((
    select json_query((
      select t4.k1 as [price]
      for json path, include_null_values, without_array_wrapper
    )) as [key], json_query((
      select t4.v1 as [count]
      for json path, include_null_values, without_array_wrapper
    )) as [aggregate]
    from (
      select t3.k1, count(*) as v1, count(*) as v2
      from (
        select t2.[price] as k1
        from [dbo].[book] t2
        where t2.[author_id] = t1.[id]
      ) t3 group by t3.k1
    ) t4
    order by t4.v2 desc, t4.k1 asc
    for json path, include_null_values
  ), N'[]')) as [books_group]
  from [dbo].[author] t1
  order by t1.[id] asc
  for json path, include_null_values
), N'[]'));
