-- @p1: "1"
-- @p2: "8"
select json_query(isnull((
  select t1.[name] as [name], json_query(isnull((
    select top (cast(@p1 as bigint)) t2.[title] as [title]
    from [dbo].[book] t2
    where (t2.[author_id] = t1.[id])
    and (t2.[price] > cast(@p2 as decimal(38, 12)))
    order by t2.[title] desc
    for json path, include_null_values
  ), N'[]')) as [books]
  from [dbo].[author] t1
  order by t1.[id] asc
  for json path, include_null_values
), N'[]'));
