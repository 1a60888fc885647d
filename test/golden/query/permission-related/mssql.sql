select json_query(isnull((
  select t1.[name] as [name]
  from [dbo].[author] t1
  where exists (
    select 1
    from [dbo].[book] book_1
    where book_1.[author_id] = t1.[id]
  )
  order by t1.[name] asc
  for json path, include_null_values
), N'[]'));
