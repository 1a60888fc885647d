-- @p1: "0.5"
-- @p2: "0.9"
-- @p3: "0.25"
-- @p4: "9"
select json_query(isnull((
  select json_query((
    select t3.k1 as [author_id]
    for json path, include_null_values, without_array_wrapper
  )) as [key], json_query((
    select t3.v1 as [median], t3.v2 as [high]
    for json path, include_null_values, without_array_wrapper
  )) as [aggregate], json_query((
    select t3.v3 as [percentile_cont]
    for json path, include_null_values, without_array_wrapper
  )) as [cheap]
  from (
    select t2.k1, max(case when t2.p1 = floor(cast(@p1 as float) * (t2.q1 - 1)) + 1 then cast(t2.c1 as float) end) + (max(case when t2.p1 = ceiling(cast(@p1 as float) * (t2.q1 - 1)) + 1 then cast(t2.c1 as float) end) - max(case when t2.p1 = floor(cast(@p1 as float) * (t2.q1 - 1)) + 1 then cast(t2.c1 as float) end)) * max(cast(@p1 as float) * (t2.q1 - 1) - floor(cast(@p1 as float) * (t2.q1 - 1))) as v1, max(case when t2.p1 = floor(cast(@p2 as float) * (t2.q1 - 1)) + 1 then cast(t2.c1 as float) end) + (max(case when t2.p1 = ceiling(cast(@p2 as float) * (t2.q1 - 1)) + 1 then cast(t2.c1 as float) end) - max(case when t2.p1 = floor(cast(@p2 as float) * (t2.q1 - 1)) + 1 then cast(t2.c1 as float) end)) * max(cast(@p2 as float) * (t2.q1 - 1) - floor(cast(@p2 as float) * (t2.q1 - 1))) as v2, max(case when t2.p2 = floor(cast(@p3 as float) * (t2.q2 - 1)) + 1 then cast(case when t2.c2 = 1 then t2.c1 end as float) end) + (max(case when t2.p2 = ceiling(cast(@p3 as float) * (t2.q2 - 1)) + 1 then cast(case when t2.c2 = 1 then t2.c1 end as float) end) - max(case when t2.p2 = floor(cast(@p3 as float) * (t2.q2 - 1)) + 1 then cast(case when t2.c2 = 1 then t2.c1 end as float) end)) * max(cast(@p3 as float) * (t2.q2 - 1) - floor(cast(@p3 as float) * (t2.q2 - 1))) as v3
    from (
      select t2.*, row_number() over (partition by t2.k1 order by iif(t2.c1 is null, 1, 0), t2.c1) as p1, count(t2.c1) over (partition by t2.k1) as q1, row_number() over (partition by t2.k1 order by iif(case when t2.c2 = 1 then t2.c1 end is null, 1, 0), case when t2.c2 = 1 then t2.c1 end) as p2, count(case when t2.c2 = 1 then t2.c1 end) over (partition by t2.k1) as q2
      from (
        select t1.[author_id] as k1, t1.[price] as c1, case when t1.[price] < cast(@p4 as decimal(38, 12)) then 1 end as c2
        from [dbo].[book] t1
      ) t2
    ) t2 group by t2.k1
  ) t3
  order by t3.k1 asc
  for json path, include_null_values
), N'[]'));
