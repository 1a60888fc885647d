-- @p1: "[\"Sisters\",\"Numbers\"]"
-- @p2: "8"
-- @p3: "12.5"
-- @p4: "%novel%"
select json_query(isnull((
  select t1.[id] as [id]
  from [dbo].[book] t1
  where (t1.[title] in (
    select convert(nvarchar(200), convert(varbinary(400), [value]))
    from openjson(@p1)
    where [value] is null
    or datalength([value]) <= 400
  ))
  and ((t1.[price] >= cast(@p2 as decimal(38, 12))) and (t1.[price] < cast(@p3 as decimal(38, 12))))
  and (t1.[genres] like @p4)
  for json path, include_null_values
), N'[]'));
