-- @p1: "mia"
select json_query(isnull((
  select t1.[reader] as [reader]
  from [dbo].[review] t1
  left join [dbo].[book] t2 on (t2.[id] = t1.[book_id])
  and (t2.[price] < cast(N'12' as decimal(38, 12)))
  where t1.[hidden] = cast(N'0' as bit)
  or t1.[reader] = @p1
  or exists (
    select 1
    from [dbo].[friend] friend_1
    where friend_1.[reader] = @p1
    and friend_1.[friend] = t1.[reader]
  )
  order by iif(t2.[title] is null, 1, 0) asc, t2.[title] asc, t1.[reader] asc
  for json path, include_null_values
), N'[]'));
