-- @p1: "Engines"
-- @p2: "1"
-- @p3: "2"
-- @p4: "0"
select json_query(isnull((
  select t1.[name] as [name], json_query(isnull((
    select t2.[title] as [title], json_query(case when t3.[id] is not null then json_query((
      select t3.[name] as [name]
      for json path, include_null_values, without_array_wrapper
    )) end) as [author]
    from (
      select g.*
      from (
        select t2.[id], t2.[title], t2.[published], t2.[price], t2.[genres], t2.[author_id], t2.[translator_id], t2.[shelf_floor], t2.[shelf_place], t2.[year], row_number() over (partition by t2.[price] order by t3.[name] asc, t2.[id] desc) as [place in group]
        from [dbo].[book] t2
        left join [dbo].[author] t3 on t3.[id] = t2.[author_id]
        where (t2.[author_id] = t1.[id])
        and (t2.[price] < cast(N'12' as decimal(38, 12)))
        and (t2.[title] <> @p1)
      ) g
      where g.[place in group] <= cast(@p2 as bigint)
    ) t2
    left join [dbo].[author] t3 on t3.[id] = t2.[author_id]
    where iif(cast(@p3 as bigint) < 2, cast(@p3 as bigint), 2) > 0
    order by t3.[name] asc, t2.[id] desc
    offset (cast(@p4 as bigint)) rows
    fetch next (iif(iif(cast(@p3 as bigint) < 2, cast(@p3 as bigint), 2) = 0, 1, iif(cast(@p3 as bigint) < 2, cast(@p3 as bigint), 2))) rows only
    for json path, include_null_values
  ), N'[]')) as [books]
  from [dbo].[author] t1
  order by t1.[id] asc
  for json path, include_null_values
), N'[]'));
