-- @p1: "Ada"
select json_query(isnull((
  select t1.[book_id] as [book_id], t1.[reader] as [reader], json_query(case when t2.[id] is not null then json_query((
    select t2.[title] as [title]
    for json path, include_null_values, without_array_wrapper
  )) end) as [book]
  from [dbo].[review] t1
  left join [dbo].[book] t2 on (t2.[id] = t1.[book_id])
  and (exists (
    select 1
    from [dbo].[author] r1
    where r1.[id] = t2.[author_id]
    and (r1.[name] = @p1)
  ))
  where exists (
    select 1
    from [dbo].[book] r1
    where r1.[id] = t1.[book_id]
    and (exists (
      select 1
      from [dbo].[author] r2
      where r2.[id] = r1.[author_id]
      and (r2.[name] = @p1)
    ))
  )
  or t1.[reader] = @p1
  order by t1.[book_id] asc, t1.[reader] asc
  for json path, include_null_values
), N'[]'));
