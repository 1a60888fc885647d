-- @p1: "2"
select json_query(isnull((
  select t1.[name] as [name], json_query(isnull((
    select top (cast(@p1 as bigint)) t2.[title] as [title]
    from (
      select g.*
      from (
        select t2.[id], t2.[title], t2.[published], t2.[price], t2.[genres], t2.[author_id], t2.[translator_id], t2.[shelf_floor], t2.[shelf_place], t2.[year], row_number() over (partition by t2.[shelf_floor] order by t2.[shelf_floor] desc, t2.[price] asc, t2.[id] asc) as [place in group]
        from [dbo].[book] t2
        where t2.[author_id] = t1.[id]
      ) g
      where g.[place in group] <= 1
    ) t2
    order by t2.[shelf_floor] desc, t2.[price] asc, t2.[id] asc
    for json path, include_null_values
  ), N'[]')) as [books], json_query((
    select json_query((
      select a.v1 as [count]
      for json path, include_null_values, without_array_wrapper
    )) as [aggregate], json_query(a.v2) as [nodes]
    from (
      select count(*) as v1, concat(N'[', string_agg(isnull(t4.c2, N'null'), N',') within group (order by t4.c1), N']') as v2
      from (
        select row_number() over (order by t3.[shelf_floor] asc, t3.[id] asc) as c1, json_query((
          select t3.[title] as [title]
          for json path, include_null_values, without_array_wrapper
        )) as c2
        from (
          select g.*
          from (
            select t3.[id], t3.[title], t3.[published], t3.[price], t3.[genres], t3.[author_id], t3.[translator_id], t3.[shelf_floor], t3.[shelf_place], t3.[year], row_number() over (partition by t3.[shelf_floor] order by t3.[shelf_floor] asc, t3.[id] asc) as [place in group]
            from [dbo].[book] t3
            where t3.[author_id] = t1.[id]
          ) g
          where g.[place in group] <= 1
        ) t3
      ) t4
    ) a
    for json path, include_null_values, without_array_wrapper
  )) as [books_aggregate]
  from [dbo].[author] t1
  order by t1.[id] asc
  for json path, include_null_values
), N'[]'));
