-- @p1: "0"
-- @p2: "1"
select json_query(isnull((
  select t1.[id] as [id]
  from [dbo].[book] t1
  where cast(@p1 as bigint) > 0
  order by t1.[id] asc
  offset (cast(@p2 as bigint)) rows
  fetch next (iif(cast(@p1 as bigint) = 0, 1, cast(@p1 as bigint))) rows only
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
      from [dbo].[book] t2
      where cast(@p1 as bigint) > 0
      order by (
        select null
      )
      offset (cast(@p2 as bigint)) rows
      fetch next (iif(cast(@p1 as bigint) = 0, 1, cast(@p1 as bigint))) rows only
    ) t3
  ) a
  for json path, include_null_values, without_array_wrapper
));
