select json_query(isnull((
  select json_query((
    select t3.k1 as [price]
    for json path, include_null_values, without_array_wrapper
  )) as [key], json_query((
    select t3.v1 as [count]
    for json path, include_null_values, without_array_wrapper
  )) as [aggregate], json_query(t3.v2) as [nodes]
  from (
    select t2.k1, count(*) as v1, concat(N'[', string_agg(case when t2.c1 <= 2 then isnull(t2.c2, N'null') end, N',') within group (order by t2.c1), N']') as v2
    from (
      select (case when t1.[price] < cast(N'12' as decimal(38, 12)) then t1.[price] end) as k1, row_number() over (partition by (case when t1.[price] < cast(N'12' as decimal(38, 12)) then t1.[price] end) order by t1.[id]) as c1, json_query(case when row_number() over (partition by (case when t1.[price] < cast(N'12' as decimal(38, 12)) then t1.[price] end) order by t1.[id]) <= 2 then json_query((
        select t1.[title] as [title], (case when t1.[price] < cast(N'12' as decimal(38, 12)) then t1.[price] end) as [price]
        for json path, include_null_values, without_array_wrapper
      )) end) as c2
      from [dbo].[book] t1
      where (t1.[genres] like N'%science%')
      or (t1.[price] < cast(N'12' as decimal(38, 12)))
    ) t2 group by t2.k1
  ) t3
  order by t3.k1 desc
  for json path, include_null_values
), N'[]'));
