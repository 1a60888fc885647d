-- @p1: "10"
select json_query(isnull((
  select t1.[name] as [name], json_query((
    select json_query((
      select a.v1 as [count], json_query((
        select a.v2 as [price]
        for json path, include_null_values, without_array_wrapper
      )) as [min]
      for json path, include_null_values, without_array_wrapper
    )) as [aggregate]
    from (
      select count(*) as v1, min(t3.c1) as v2
      from (
        select t2.[price] as c1
        from [dbo].[book] t2
        where (t2.[author_id] = t1.[id])
        and (t2.[price] < cast(@p1 as decimal(38, 12)))
      ) t3
    ) a
    for json path, include_null_values, without_array_wrapper
  )) as [books_aggregate]
  from [dbo].[author] t1
  order by t1.[id] asc
  for json path, include_null_values
), N'[]'));
