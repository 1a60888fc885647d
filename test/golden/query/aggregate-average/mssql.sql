select json_query((
  select json_query((
    select json_query((
      select a.v1 as [id]
      for json path, include_null_values, without_array_wrapper
    )) as [avg]
    for json path, include_null_values, without_array_wrapper
  )) as [aggregate]
  from (
    select avg(cast(t2.c1 as bigint)) as v1
    from (
      select t1.[id] as c1
      from [dbo].[author] t1
    ) t2
  ) a
  for json path, include_null_values, without_array_wrapper
));
