select json_query(isnull((
  select t1.[stars] as [stars], json_query(case when t2.[id] is not null then json_query((
    select t2.[title] as [title], json_query(case when t3.[id] is not null then json_query((
      select t3.[name] as [name]
      for json path, include_null_values, without_array_wrapper
    )) end) as [author]
    for json path, include_null_values, without_array_wrapper
  )) end) as [book]
  from [dbo].[review] t1
  left join [dbo].[book] t2 on t2.[id] = t1.[book_id]
  left join [dbo].[author] t3 on t3.[id] = t2.[author_id]
  order by t1.[book_id] asc, t1.[reader] asc
  for json path, include_null_values
), N'[]'));
