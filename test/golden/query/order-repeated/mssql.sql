select json_query(isnull((
  select t1.[id] as [id]
  from [dbo].[book] t1
  left join [dbo].[author] t2 on t2.[id] = t1.[author_id]
  order by t1.[price] desc, t2.[name] asc, t1.[id] asc
  for json path, include_null_values
), N'[]'));
