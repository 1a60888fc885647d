-- @p1: "2"
-- @p2: "1"
-- @p3: "0"
-- @p4: "4"
-- @p5: "ole"
-- @p6: "1"
-- @p7: "2"
-- @p8: "0"
select json_query(isnull((
  select json_query((
    select t3.k1 as [book_id]
    for json path, include_null_values, without_array_wrapper
  )) as [key], json_query((
    select t3.v1 as [count], json_query((
      select t3.v2 as [stars]
      for json path, include_null_values, without_array_wrapper
    )) as [sum]
    for json path, include_null_values, without_array_wrapper
  )) as [aggregate]
  from (
    select t2.k1, count(*) as v1, sum(cast(t2.c1 as bigint)) as v2, sum(cast(t2.c1 as bigint)) as v3
    from (
      select t1.[book_id] as k1, t1.[stars] as c1, case when t1.[stars] > cast(@p1 as int) then 1 end as c2, t1.[reader] as c3, t1.[hidden] as c4
      from [dbo].[review] t1
      where t1.[stars] > cast(@p2 as int)
    ) t2 group by t2.k1
    having (count(case when t2.c2 = 1 then 1 end) > cast(@p3 as int))
    and (((avg(cast(t2.c1 as bigint)) >= cast(@p4 as float)) or (max(t2.c3) = @p5)))
    and (not (cast(min(cast(t2.c4 as int)) as bit) = cast(@p6 as bit)))
  ) t3
  where cast(@p7 as bigint) > 0
  order by t3.v3 desc, t3.k1 asc
  offset (cast(@p8 as bigint)) rows
  fetch next (iif(cast(@p7 as bigint) = 0, 1, cast(@p7 as bigint))) rows only
  for json path, include_null_values
), N'[]'));
