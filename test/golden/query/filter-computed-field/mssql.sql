-- @p1: "1850"
select json_query(isnull((
  select t1.[title] as [title]
  from [dbo].[book] t1
  where t1.[year] < cast(@p1 as int)
  order by t1.[year] asc
  for json path, include_null_values
), N'[]'));
