select json_query(isnull((
  select t1.[name] as [name]
  from [dbo].[author] t1
  order by (
    select count(*)
    from [dbo].[book] t2
    where t2.[author_id] = t1.[id]
  ) desc, (
    select max(t3.[price])
    from [dbo].[book] t3
    where t3.[author_id] = t1.[id]
  ) desc, t1.[id] asc
  for json path, include_null_values
), N'[]'));
