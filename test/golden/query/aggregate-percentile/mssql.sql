-- @p1: "0.5"
-- @p2: "0.1"
-- @p3: "3"
select json_query((
  select json_query((
    select a.v1 as [median], a.v2 as [low]
    for json path, include_null_values, without_array_wrapper
  )) as [aggregate], json_query(a.v3) as [nodes]
  from (
    select max(case when t2.p1 = floor(cast(@p1 as float) * (t2.q1 - 1)) + 1 then cast(t2.c2 as float) end) + (max(case when t2.p1 = ceiling(cast(@p1 as float) * (t2.q1 - 1)) + 1 then cast(t2.c2 as float) end) - max(case when t2.p1 = floor(cast(@p1 as float) * (t2.q1 - 1)) + 1 then cast(t2.c2 as float) end)) * max(cast(@p1 as float) * (t2.q1 - 1) - floor(cast(@p1 as float) * (t2.q1 - 1))) as v1, max(case when t2.p1 = floor(cast(@p2 as float) * (t2.q1 - 1)) + 1 then cast(t2.c2 as float) end) + (max(case when t2.p1 = ceiling(cast(@p2 as float) * (t2.q1 - 1)) + 1 then cast(t2.c2 as float) end) - max(case when t2.p1 = floor(cast(@p2 as float) * (t2.q1 - 1)) + 1 then cast(t2.c2 as float) end)) * max(cast(@p2 as float) * (t2.q1 - 1) - floor(cast(@p2 as float) * (t2.q1 - 1))) as v2, concat(N'[', string_agg(isnull(t2.c3, N'null'), N',') within group (order by t2.c1), N']') as v3
    from (
      select t2.*, row_number() over (order by iif(t2.c2 is null, 1, 0), t2.c2) as p1, count(t2.c2) over () as q1
      from (
        select top (cast(@p3 as bigint)) row_number() over (order by t1.[price] desc) as c1, t1.[price] as c2, json_query((
          select t1.[id] as [id]
          for json path, include_null_values, without_array_wrapper
        )) as c3
        from [dbo].[book] t1
        order by t1.[price] desc
      ) t2
    ) t2
  ) a
  for json path, include_null_values, without_array_wrapper
));
