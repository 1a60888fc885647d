select json_query(isnull((
  select top (2) t1.[id] as [id], (case when t1.[price] < cast(N'12' as decimal(38, 12)) then t1.[price] end) as [price], json_query(case when t2.[id] is not null then json_query((
    select t2.[name] as [name]
    for json path, include_null_values, without_array_wrapper
  )) end) as [author]
  from [dbo].[book] t1
  left join [dbo].[author] t2 on (t2.[id] = t1.[author_id])
  and ((exists (
    select 1
    from [dbo].[book] book_1
    where book_1.[author_id] = t2.[id]
  )) or (1 = 1))
  where (t1.[genres] like N'%science%')
  or (t1.[price] < cast(N'12' as decimal(38, 12)))
  order by iif((case when t1.[price] < cast(N'12' as decimal(38, 12)) then t1.[price] end) is null, 1, 0) asc, (case when t1.[price] < cast(N'12' as decimal(38, 12)) then t1.[price] end) asc, t1.[id] asc
  for json path, include_null_values
), N'[]'));
