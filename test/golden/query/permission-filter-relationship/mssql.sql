-- @p1: "mia"
-- @p2: "2"
select json_query(isnull((
  select t1.[name] as [name]
  from [dbo].[author] t1
  where exists (
    select 1
    from [dbo].[book] t2
    where (t2.[author_id] = t1.[id])
    and (t2.[price] < cast(N'12' as decimal(38, 12)))
    and (exists (
      select 1
      from [dbo].[review] t3
      where (t3.[book_id] = t2.[id])
      and (t3.[hidden] = cast(N'0' as bit) or t3.[reader] = @p1 or exists (
        select 1
        from [dbo].[friend] friend_1
        where friend_1.[reader] = @p1
        and friend_1.[friend] = t3.[reader]
      ))
      and (t3.[stars] > cast(@p2 as int))
    ))
  )
  order by t1.[id] asc
  for json path, include_null_values
), N'[]'));
