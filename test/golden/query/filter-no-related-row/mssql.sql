select json_query(isnull((
  select t1.[name] as [name]
  from [dbo].[author] t1
  where not (exists (
    select 1
    from [dbo].[book] t2
    where t2.[author_id] = t1.[id]
  ))
  for json path, include_null_values
), N'[]'));
