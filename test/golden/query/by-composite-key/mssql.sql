-- @p1: "1"
-- @p2: "mia"
select json_query((
  select t1.[stars] as [stars], json_query(case when t2.[id] is not null then json_query((
    select t2.[title] as [title]
    for json path, include_null_values, without_array_wrapper
  )) end) as [book]
  from [dbo].[review] t1
  left join [dbo].[book] t2 on t2.[id] = t1.[book_id]
  where (t1.[book_id] = cast(@p1 as int))
  and (t1.[reader] = @p2)
  for json path, include_null_values, without_array_wrapper
));
