-- @p1: "; "
-- @p2: ", "
-- @p3: "9"
select json_query(isnull((
  select json_query((
    select json_query((
      select t4.k1 as [name]
      for json path, include_null_values, without_array_wrapper
    )) as [author]
    for json path, include_null_values, without_array_wrapper
  )) as [key], json_query((
    select t4.v1 as [all]
    for json path, include_null_values, without_array_wrapper
  )) as [aggregate], json_query((
    select t4.v2 as [string_agg]
    for json path, include_null_values, without_array_wrapper
  )) as [cheap]
  from (
    select t3.k1, string_agg(cast(t3.c2 as nvarchar(max)), @p1) within group (order by t3.c1) as v1, string_agg(cast(case when t3.c3 = 1 then t3.c2 end as nvarchar(max)), @p2) as v2
    from (
      select t2.[name] as k1, row_number() over (order by t1.[published] desc, t1.[id] asc) as c1, t1.[title] as c2, case when t1.[price] < cast(@p3 as decimal(38, 12)) then 1 end as c3
      from [dbo].[book] t1
      left join [dbo].[author] t2 on t2.[id] = t1.[author_id]
    ) t3 group by t3.k1
  ) t4
  order by t4.k1 asc
  for json path, include_null_values
), N'[]'));
