-- @p1: "sisters"
select json_query(isnull((
  select t1.[title] as [title], json_query((
    select top (1) t2.[name] as [name]
    from [dbo].[author] t2
    where t2.[id] = t1.[author_id]
    for json path, include_null_values, without_array_wrapper
  )) as [author]
  from [dbo].[books_about](@p1, default) t1
  order by t1.[id] asc
  for json path, include_null_values
), N'[]'));
