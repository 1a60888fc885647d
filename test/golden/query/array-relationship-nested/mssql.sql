select json_query(isnull((
  select t1.[name] as [name], json_query(isnull((
    select t2.[title] as [title], json_query(case when t3.[floor] is not null then json_query((
      select t3.[label] as [label]
      for json path, include_null_values, without_array_wrapper
    )) end) as [shelf], json_query(isnull((
      select t4.[stars] as [stars]
      from [dbo].[review] t4
      where t4.[book_id] = t2.[id]
      order by t4.[reader] asc
      for json path, include_null_values
    ), N'[]')) as [reviews]
    from [dbo].[book] t2
    left join [dbo].[shelf] t3 on t3.[floor] = t2.[shelf_floor]
    and t3.[place] = t2.[shelf_place]
    where t2.[author_id] = t1.[id]
    order by t2.[id] asc
    for json path, include_null_values
  ), N'[]')) as [books]
  from [dbo].[author] t1
  order by t1.[id] asc
  for json path, include_null_values
), N'[]'));
