select json_query(isnull((
  select t1.[id] as [id], t1.[title] as [title]
  from [dbo].[book] t1
  for json path, include_null_values
), N'[]'));
