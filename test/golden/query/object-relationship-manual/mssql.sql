select json_query(isnull((
  select t1.[name] as [name], json_query((
    select top (1) t2.[prize] as [prize]
    from [dbo].[prize] t2
    where t2.[author_name] = t1.[name]
    for json path, include_null_values, without_array_wrapper
  )) as [prize]
  from [dbo].[author] t1
  order by t1.[id] asc
  for json path, include_null_values
), N'[]'));
