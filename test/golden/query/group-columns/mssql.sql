select json_query(isnull((
  select json_query((
    select t3.k1 as [book_id]
    for json path, include_null_values, without_array_wrapper
  )) as [key], json_query((
    select t3.v1 as [count], json_query((
      select t3.v2 as [stars]
      for json path, include_null_values, without_array_wrapper
    )) as [avg], json_query((
      select t3.v3 as [reader]
      for json path, include_null_values, without_array_wrapper
    )) as [max]
    for json path, include_null_values, without_array_wrapper
  )) as [aggregate]
  from (
    select t2.k1, count(*) as v1, avg(cast(t2.c1 as bigint)) as v2, max(t2.c2) as v3
    from (
      select t1.[book_id] as k1, t1.[stars] as c1, t1.[reader] as c2
      from [dbo].[review] t1
    ) t2 group by t2.k1
  ) t3
  order by t3.k1 asc
  for json path, include_null_values
), N'[]'));
