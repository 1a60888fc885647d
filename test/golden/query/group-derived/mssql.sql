-- @p1: "5"
select json_query(isnull((
  select json_query((
    select t3.k1 as [year], t3.k2 as [from]
    for json path, include_null_values, without_array_wrapper
  )) as [key], json_query((
    select t3.v1 as [count]
    for json path, include_null_values, without_array_wrapper
  )) as [aggregate]
  from (
    select t2.k1, t2.k2, count(*) as v1
    from (
      select datepart(year, t1.[published]) as k1, floor(cast(t1.[price] as float) / cast(@p1 as float)) * cast(@p1 as float) as k2
      from [dbo].[book] t1
    ) t2 group by t2.k1, t2.k2
  ) t3
  order by t3.k1 asc, t3.k2 asc
  for json path, include_null_values
), N'[]'));
