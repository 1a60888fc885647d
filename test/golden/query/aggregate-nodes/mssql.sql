-- @p1: "3"
select json_query((
  select json_query((
    select a.v1 as [count]
    for json path, include_null_values, without_array_wrapper
  )) as [aggregate], json_query(a.v2) as [nodes]
  from (
    select count(*) as v1, concat(N'[', string_agg(isnull(t2.c2, N'null'), N',') within group (order by t2.c1), N']') as v2
    from (
      select top (cast(@p1 as bigint)) row_number() over (order by t1.[id] asc) as c1, json_query((
        select t1.[title] as [title], json_query(case when t3.[id] is not null then json_query((
          select t3.[name] as [name]
          for json path, include_null_values, without_array_wrapper
        )) end) as [author]
        for json path, include_null_values, without_array_wrapper
      )) as c2
      from [dbo].[book] t1
      left join [dbo].[author] t3 on t3.[id] = t1.[author_id]
      order by t1.[id] asc
    ) t2
  ) a
  for json path, include_null_values, without_array_wrapper
));
