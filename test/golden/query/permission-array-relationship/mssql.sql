-- @p1: "5"
-- @p2: "mia"
select json_query(isnull((
  select t1.[name] as [name], json_query(isnull((
    select top (iif(cast(@p1 as bigint) < 2, cast(@p1 as bigint), 2)) t2.[title] as [title], json_query(isnull((
      select t3.[reader] as [reader]
      from [dbo].[review] t3
      where (t3.[book_id] = t2.[id])
      and (t3.[hidden] = cast(N'0' as bit) or t3.[reader] = @p2 or exists (
        select 1
        from [dbo].[friend] friend_1
        where friend_1.[reader] = @p2
        and friend_1.[friend] = t3.[reader]
      ))
      order by t3.[reader] asc
      for json path, include_null_values
    ), N'[]')) as [reviews]
    from [dbo].[book] t2
    where (t2.[author_id] = t1.[id])
    and (t2.[price] < cast(N'12' as decimal(38, 12)))
    order by t2.[id] asc
    for json path, include_null_values
  ), N'[]')) as [books]
  from [dbo].[author] t1
  order by t1.[id] asc
  for json path, include_null_values
), N'[]'));
