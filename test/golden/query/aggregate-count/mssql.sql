-- @p1: "Ada"
select json_query((
  select json_query((
    select a.v1 as [count]
    for json path, include_null_values, without_array_wrapper
  )) as [aggregate]
  from (
    select count(*) as v1
    from (
      select 1 as c1
      from [dbo].[book] t1
      where exists (
        select 1
        from [dbo].[author] t2
        where (t2.[id] = t1.[author_id])
        and (t2.[name] = @p1)
      )
    ) t3
  ) a
  for json path, include_null_values, without_array_wrapper
));
