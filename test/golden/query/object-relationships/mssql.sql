select json_query(isnull((
  select t1.[title] as [title], json_query(case when t2.[id] is not null then json_query((
    select t2.[name] as [name]
    for json path, include_null_values, without_array_wrapper
  )) end) as [author], json_query(case when t3.[id] is not null then json_query((
    select t3.[name] as [name]
    for json path, include_null_values, without_array_wrapper
  )) end) as [translator], json_query(case when t4.[floor] is not null then json_query((
    select t4.[label] as [label]
    for json path, include_null_values, without_array_wrapper
  )) end) as [shelf]
  from [dbo].[book] t1
  left join [dbo].[author] t2 on t2.[id] = t1.[author_id]
  left join [dbo].[author] t3 on t3.[id] = t1.[translator_id]
  left join [dbo].[shelf] t4 on t4.[floor] = t1.[shelf_floor]
  and t4.[place] = t1.[shelf_place]
  order by t1.[id] asc
  for json path, include_null_values
), N'[]'));
