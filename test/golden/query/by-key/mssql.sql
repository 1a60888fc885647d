-- @p1: "1"
select json_query((
  select t1.[title] as [title], json_query(case when t2.[id] is not null then json_query((
    select t2.[name] as [name]
    for json path, include_null_values, without_array_wrapper
  )) end) as [author]
  from [dbo].[book] t1
  left join [dbo].[author] t2 on t2.[id] = t1.[author_id]
  where t1.[id] = cast(@p1 as int)
  for json path, include_null_values, without_array_wrapper
));
