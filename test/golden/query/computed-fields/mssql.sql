-- @p1: "2"
-- @p2: " –"
select json_query(isnull((
  select top (cast(@p1 as bigint)) t1.[year] as [year], [dbo].[book_headline](t1.[title], t1.[price], @p2) as [headline]
  from [dbo].[book] t1
  order by t1.[id] asc
  for json path, include_null_values
), N'[]'));
