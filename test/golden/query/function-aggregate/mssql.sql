-- @p1: "e"
-- @p2: "10"
select json_query((
  select json_query((
    select a.v1 as [count]
    for json path, include_null_values, without_array_wrapper
  )) as [aggregate]
  from (
    select count(*) as v1
    from (
      select 1 as c1
      from [dbo].[books_about](@p1, cast(@p2 as decimal(38, 12))) t1
    ) t2
  ) a
  for json path, include_null_values, without_array_wrapper
));
