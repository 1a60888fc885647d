-- @p1: "1"
select json_query((
  select t1.[title] as [title]
  from [dbo].[book] t1
  where (t1.[id] = cast(@p1 as int))
  and (t1.[price] < cast(N'12' as decimal(38, 12)))
  for json path, include_null_values, without_array_wrapper
));
