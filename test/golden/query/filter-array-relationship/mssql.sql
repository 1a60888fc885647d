-- @p1: "5"
select json_query(isnull((
  select t1.[name] as [name]
  from [dbo].[author] t1
  where exists (
    select 1
    from [dbo].[book] t2
    where (t2.[author_id] = t1.[id])
    and (exists (
      select 1
      from [dbo].[review] t3
      where (t3.[book_id] = t2.[id])
      and (t3.[stars] >= cast(@p1 as int))
    ))
  )
  order by t1.[id] asc
  for json path, include_null_values
), N'[]'));
