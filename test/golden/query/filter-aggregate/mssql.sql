-- @p1: "10"
-- @p2: "2"
select json_query(isnull((
  select t1.[name] as [name]
  from [dbo].[author] t1
  where exists (
    select 1
    from [dbo].[book] t2
    where (t2.[author_id] = t1.[id])
    and (t2.[price] < cast(@p1 as decimal(38, 12)))
    having count(*) >= cast(@p2 as int)
  )
  for json path, include_null_values
), N'[]'));
