-- @p1: "1"
select json_query(isnull((
  select t1.[title] as [title]
  from [dbo].[book] t1
  where exists (
    select 1
    from [dbo].[review] t2
    where t2.[book_id] = t1.[id]
    having cast(max(cast(t2.[hidden] as int)) as bit) = cast(@p1 as bit)
  )
  order by t1.[id] asc
  for json path, include_null_values
), N'[]'));
