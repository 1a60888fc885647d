-- @p1: "9"
select json_query(isnull((
  select t1.[id] as [id]
  from [dbo].[book] t1
  where ((t1.[published] is null) or (not (t1.[price] > cast(@p1 as decimal(38, 12)))))
  order by t1.[id] asc
  for json path, include_null_values
), N'[]'));
