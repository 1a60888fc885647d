-- @p1: "2"
-- @p2: "1"
select json_query(isnull((
  select t1.[id] as [id], json_query(case when t2.[id] is not null then json_query((
    select t2.[name] as [name]
    for json path, include_null_values, without_array_wrapper
  )) end) as [author]
  from [dbo].[book] t1
  left join [dbo].[author] t2 on t2.[id] = t1.[author_id]
  where cast(@p1 as bigint) > 0
  order by t1.[price] desc, t1.[id] asc
  offset (cast(@p2 as bigint)) rows
  fetch next (iif(cast(@p1 as bigint) = 0, 1, cast(@p1 as bigint))) rows only
  for json path, include_null_values
), N'[]'));
