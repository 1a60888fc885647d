-- @p1: "Ada"
select json_query(isnull((
  select t1.[name] as [name], json_query(isnull((
    select t2.[title] as [title], json_query(case when t3.[id] is not null then json_query((
      select t3.[name] as [name]
      for json path, include_null_values, without_array_wrapper
    )) end) as [author], json_query(isnull((
      select t4.[reader] as [reader]
      from [dbo].[review] t4
      where t4.[book_id] = t2.[id]
      order by t4.[reader] asc
      for json path, include_null_values
    ), N'[]')) as [reviews]
    from [dbo].[book] t2
    left join [dbo].[author] t3 on (t3.[id] = t2.[author_id])
    and (t3.[name] = @p1)
    where t2.[author_id] = t1.[id]
    order by t2.[id] asc
    for json path, include_null_values
  ), N'[]')) as [books], json_query((
    select json_query((
      select a.v1 as [count]
      for json path, include_null_values, without_array_wrapper
    )) as [aggregate]
    from (
      select count(*) as v1
      from (
        select 1 as c1
        from [dbo].[book] t5
        where t5.[author_id] = t1.[id]
      ) t6
    ) a
    for json path, include_null_values, without_array_wrapper
  )) as [books_aggregate]
  from [dbo].[author] t1
  where t1.[name] = @p1
  for json path, include_null_values
), N'[]'));
