-- @p1: "mia"
-- @p2: "1"
select json_query(isnull((
  select t1.[book_id] as [book_id], t1.[reader] as [reader]
  from [dbo].[review] t1
  where (t1.[hidden] = cast(N'0' as bit) or t1.[reader] = @p1 or exists (
    select 1
    from [dbo].[friend] friend_1
    where friend_1.[reader] = @p1
    and friend_1.[friend] = t1.[reader]
  ))
  and (t1.[stars] > cast(@p2 as int))
  order by t1.[book_id] asc, t1.[reader] asc
  for json path, include_null_values
), N'[]'));
