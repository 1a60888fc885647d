-- @p1: "Ada"
select json_query(isnull((
  select t1.[title] as [title], json_query(isnull((
    select t2.[reader] as [reader]
    from [dbo].[review] t2
    where (t2.[book_id] = t1.[id])
    and (exists (
      select 1
      from [dbo].[book] book_1
      where book_1.[id] = t2.[book_id]
      and exists (
        select 1
        from [dbo].[author] author_1
        where author_1.[id] = book_1.[author_id]
        and author_1.[name] = @p1
      )
    ))
    for json path, include_null_values
  ), N'[]')) as [reviews]
  from [dbo].[books_retold]() t1
  where exists (
    select 1
    from [dbo].[author] author_1
    where author_1.[id] = t1.[author_id]
    and author_1.[name] = @p1
  )
  order by t1.[id] asc
  for json path, include_null_values
), N'[]'));
