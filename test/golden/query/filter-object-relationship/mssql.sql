-- @p1: "A%"
select json_query(isnull((
  select t1.[title] as [title]
  from [dbo].[book] t1
  where exists (
    select 1
    from [dbo].[author] t2
    where (t2.[id] = t1.[author_id])
    and ((t2.[born] is not null) and (t2.[name] like @p1))
  )
  order by t1.[id] asc
  for json path, include_null_values
), N'[]'));
