-- @p1: "Ada"
select json_query(isnull((
  select t1.[label] as [label]
  from [dbo].[shelf] t1
  where exists (
    select 1
    from [dbo].[book] r1
    where r1.[shelf_floor] = t1.[floor]
    and r1.[shelf_place] = t1.[place]
    and (exists (
      select 1
      from [dbo].[author] r2
      where r2.[id] = r1.[author_id]
      and (r2.[name] = @p1)
    ))
  )
  order by t1.[label] asc
  for json path, include_null_values
), N'[]'));
