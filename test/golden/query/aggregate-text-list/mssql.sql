-- @p1: ", "
-- @p2: "3"
select json_query((
  select json_query((
    select a.v1 as [count], a.v2 as [string_agg]
    for json path, include_null_values, without_array_wrapper
  )) as [aggregate], json_query(a.v3) as [nodes]
  from (
    select count(*) as v1, string_agg(cast(t2.c2 as nvarchar(max)), @p1) within group (order by t2.c1) as v2, concat(N'[', string_agg(isnull(t2.c3, N'null'), N',') within group (order by t2.c1), N']') as v3
    from (
      select top (cast(@p2 as bigint)) row_number() over (order by t1.[price] desc, t1.[id] asc) as c1, t1.[title] as c2, json_query((
        select t1.[title] as [title]
        for json path, include_null_values, without_array_wrapper
      )) as c3
      from [dbo].[book] t1
      order by t1.[price] desc, t1.[id] asc
    ) t2
  ) a
  for json path, include_null_values, without_array_wrapper
));
