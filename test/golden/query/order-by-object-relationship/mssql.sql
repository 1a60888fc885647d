-- @p1: "3"
select json_query(isnull((
  select top (cast(@p1 as bigint)) t1.[title] as [title], json_query(case when t2.[id] is not null then json_query((
    select t2.[name] as [name]
    for json path, include_null_values, without_array_wrapper
  )) end) as [author]
  from [dbo].[book] t1
  left join [dbo].[author] t2 on t2.[id] = t1.[author_id]
  left join [dbo].[shelf] t3 on t3.[floor] = t1.[shelf_floor]
  and t3.[place] = t1.[shelf_place]
  order by t2.[name] desc, t3.[label] asc, t1.[id] asc
  for json path, include_null_values
), N'[]'));
