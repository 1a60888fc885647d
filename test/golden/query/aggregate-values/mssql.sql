select json_query((
  select json_query((
    select a.v1 as [count], a.v2 as [different], json_query((
      select a.v3 as [price], a.v4 as [title]
      for json path, include_null_values, without_array_wrapper
    )) as [max], json_query((
      select a.v5 as [price]
      for json path, include_null_values, without_array_wrapper
    )) as [avg], json_query((
      select a.v6 as [year]
      for json path, include_null_values, without_array_wrapper
    )) as [sum]
    for json path, include_null_values, without_array_wrapper
  )) as [aggregate]
  from (
    select count(t2.c1) as v1, count(distinct (t2.c2)) as v2, max(t2.c2) as v3, max(t2.c3) as v4, avg(t2.c2) as v5, sum(cast(t2.c4 as bigint)) as v6
    from (
      select t1.[translator_id] as c1, t1.[price] as c2, t1.[title] as c3, t1.[year] as c4
      from [dbo].[book] t1
    ) t2
  ) a
  for json path, include_null_values, without_array_wrapper
));
