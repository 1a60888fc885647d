-- @p1: "%SISTERS"
-- @p2: "More%"
select json_query(isnull((
  select t1.[title] as [title]
  from [dbo].[book] t1
  where (lower(t1.[title]) like lower(@p1))
  and (lower(t1.[title]) not like lower(@p2))
  for json path, include_null_values
), N'[]'));
