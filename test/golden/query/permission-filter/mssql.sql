select json_query(isnull((
  select top (2) t1.[title] as [title]
  from [dbo].[book] t1
  where t1.[price] < cast(N'12' as decimal(38, 12))
  order by t1.[id] asc
  for json path, include_null_values
), N'[]'));
