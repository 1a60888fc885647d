-- @p1: ""
-- @p2: "[\"1\",\"2\"]"
select json_query(isnull((
  select t1.[name] as [name]
  from [dbo].[author] t1
  where ((exists (
    select 1
    from [dbo].[book] book_1
    where book_1.[author_id] = t1.[id]
  )) or (1 = 1))
  and (exists (
    select 1
    from (
      select (case when t2.[price] < cast(N'12' as decimal(38, 12)) then t2.[price] end) as c1
      from [dbo].[book] t2
      where (t2.[author_id] = t1.[id])
      and ((t2.[genres] like N'%science%') or (t2.[price] < cast(N'12' as decimal(38, 12))))
      and (t2.[title] <> @p1)
    ) t3
    having count(distinct (t3.c1)) in (
      select cast([value] as int)
      from openjson(@p2)
    )
  ))
  order by t1.[name] asc
  for json path, include_null_values
), N'[]'));
