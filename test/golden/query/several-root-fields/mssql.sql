-- @p1: "1"
select json_query(isnull((
  select top (cast(@p1 as bigint)) t1.[id] as [id]
  from [dbo].[book] t1
  order by t1.[id] asc
  for json path, include_null_values
), N'[]')), json_query((
  select json_query((
    select a.v1 as [count]
    for json path, include_null_values, without_array_wrapper
  )) as [aggregate]
  from (
    select count(*) as v1
    from (
      select 1 as c1
      from [dbo].[author] t2
    ) t3
  ) a
  for json path, include_null_values, without_array_wrapper
));
