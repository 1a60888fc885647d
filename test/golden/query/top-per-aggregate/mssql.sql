-- @p1: "1"
select json_query((
  select json_query((
    select a.v1 as [count], json_query((
      select a.v2 as [price]
      for json path, include_null_values, without_array_wrapper
    )) as [sum]
    for json path, include_null_values, without_array_wrapper
  )) as [aggregate], json_query(a.v3) as [nodes]
  from (
    select count(*) as v1, sum(t2.c2) as v2, concat(N'[', string_agg(isnull(t2.c3, N'null'), N',') within group (order by t2.c1), N']') as v3
    from (
      select row_number() over (order by t1.[price] desc) as c1, t1.[price] as c2, json_query((
        select t1.[title] as [title]
        for json path, include_null_values, without_array_wrapper
      )) as c3
      from (
        select g.*
        from (
          select t1.[id], t1.[title], t1.[published], t1.[price], t1.[genres], t1.[author_id], t1.[translator_id], t1.[shelf_floor], t1.[shelf_place], t1.[year], row_number() over (partition by t1.[author_id], t1.[shelf_floor] order by t1.[price] desc, t1.[id] asc) as [place in group]
          from [dbo].[book] t1
        ) g
        where g.[place in group] <= cast(@p1 as bigint)
      ) t1
    ) t2
  ) a
  for json path, include_null_values, without_array_wrapper
));
