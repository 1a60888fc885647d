-- @p1: "1"
-- @p2: "2"
select json_query(isnull((
  select json_query((
    select t3.k1 as [author_id]
    for json path, include_null_values, without_array_wrapper
  )) as [key], json_query(t3.v1) as [nodes], json_query(t3.v2) as [all]
  from (
    select t2.k1, concat(N'[', string_agg(case when (t2.c1 > cast(@p1 as bigint)) and (t2.c1 <= cast(@p1 as bigint) + cast(@p2 as bigint)) then isnull(t2.c2, N'null') end, N',') within group (order by t2.c1), N']') as v1, concat(N'[', string_agg(isnull(t2.c3, N'null'), N','), N']') as v2
    from (
      select t1.[author_id] as k1, row_number() over (partition by t1.[author_id] order by t1.[title] asc) as c1, json_query(case when (row_number() over (partition by t1.[author_id] order by t1.[title] asc) > cast(@p1 as bigint)) and (row_number() over (partition by t1.[author_id] order by t1.[title] asc) <= cast(@p1 as bigint) + cast(@p2 as bigint)) then json_query((
        select t1.[title] as [title], json_query(case when t4.[id] is not null then json_query((
          select t4.[name] as [name]
          for json path, include_null_values, without_array_wrapper
        )) end) as [author], json_query(isnull((
          select t5.[stars] as [stars]
          from [dbo].[review] t5
          where t5.[book_id] = t1.[id]
          for json path, include_null_values
        ), N'[]')) as [reviews]
        for json path, include_null_values, without_array_wrapper
      )) end) as c2, json_query((
        select t1.[title] as [title]
        for json path, include_null_values, without_array_wrapper
      )) as c3
      from [dbo].[book] t1
      left join [dbo].[author] t4 on t4.[id] = t1.[author_id]
    ) t2 group by t2.k1
  ) t3
  order by t3.k1 asc
  for json path, include_null_values
), N'[]'));
