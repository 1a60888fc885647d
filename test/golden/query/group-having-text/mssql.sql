-- @p1: ""
-- @p2: "1"
-- @p3: "4"
-- @p4: "; "
-- @p5: "%o%"
-- @p6: "100"
select json_query(isnull((
  select json_query((
    select t3.k1 as [book_id]
    for json path, include_null_values, without_array_wrapper
  )) as [key], json_query((
    select t3.v1 as [bool_and], t3.v2 as [bool_or]
    for json path, include_null_values, without_array_wrapper
  )) as [aggregate]
  from (
    select t2.k1, cast(min(cast(t2.c1 as int)) as bit) as v1, cast(max(cast(t2.c1 as int)) as bit) as v2, count(case when t2.c6 = 1 then 1 end) as v3, cast(max(cast(t2.c1 as int)) as bit) as v4, string_agg(cast(t2.c4 as nvarchar(max)), @p1) within group (order by t2.c3) as v5
    from (
      select t1.[book_id] as k1, t1.[hidden] as c1, case when t1.[stars] > cast(@p2 as int) then 1 end as c2, row_number() over (order by t1.[stars] desc) as c3, t1.[reader] as c4, t1.[stars] as c5, case when t1.[stars] > cast(@p3 as int) then 1 end as c6
      from [dbo].[review] t1
    ) t2 group by t2.k1
    having (string_agg(cast(case when t2.c2 = 1 then t2.c4 end as nvarchar(max)), @p4) within group (order by t2.c3) like @p5)
    and (varp(t2.c5) < cast(@p6 as float))
  ) t3
  order by t3.v3 desc, t3.v4 asc, t3.v5 desc, t3.k1 asc
  for json path, include_null_values
), N'[]'));
