select json_query(isnull((
  select t1.[name] as [name], N'author' as [__typename]
  from [dbo].[author] t1
  order by t1.[id] asc
  for json path, include_null_values
), N'[]'));
