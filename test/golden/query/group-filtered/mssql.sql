-- @p1: "9"
select json_query(isnull((
  select json_query((
    select json_query((
      select t4.k1 as [name]
      for json path, include_null_values, without_array_wrapper
    )) as [author]
    for json path, include_null_values, without_array_wrapper
  )) as [key], json_query((
    select t4.v1 as [count]
    for json path, include_null_values, without_array_wrapper
  )) as [aggregate], json_query((
    select t4.v2 as [count], t4.v3 as [priced], json_query((
      select t4.v4 as [price]
      for json path, include_null_values, without_array_wrapper
    )) as [max], json_query((
      select t4.v5 as [price]
      for json path, include_null_values, without_array_wrapper
    )) as [avg]
    for json path, include_null_values, without_array_wrapper
  )) as [cheap], json_query((
    select t4.v6 as [count]
    for json path, include_null_values, without_array_wrapper
  )) as [all]
  from (
    select t3.k1, count(*) as v1, count(case when t3.c1 = 1 then 1 end) as v2, count(distinct (case when t3.c1 = 1 then t3.c2 end)) as v3, max(case when t3.c1 = 1 then t3.c2 end) as v4, avg(case when t3.c1 = 1 then t3.c2 end) as v5, count(*) as v6
    from (
      select t2.[name] as k1, case when (case when t1.[price] < cast(N'12' as decimal(38, 12)) then t1.[price] end) < cast(@p1 as decimal(38, 12)) then 1 end as c1, (case when t1.[price] < cast(N'12' as decimal(38, 12)) then t1.[price] end) as c2
      from [dbo].[book] t1
      left join [dbo].[author] t2 on (t2.[id] = t1.[author_id])
      and ((exists (
        select 1
        from [dbo].[book] book_1
        where book_1.[author_id] = t2.[id]
      )) or (1 = 1))
      where (t1.[genres] like N'%science%')
      or (t1.[price] < cast(N'12' as decimal(38, 12)))
    ) t3 group by t3.k1
  ) t4
  order by t4.k1 asc
  for json path, include_null_values
), N'[]'));
