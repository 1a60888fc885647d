-- @p1: "9.95"
select json_query(isnull((
  select t1.[name] as [name], json_query(isnull((
    select t2.[title] as [title]
    from [dbo].[cheap_books](t1.[id], cast(@p1 as decimal(38, 12))) t2
    order by t2.[id] asc
    for json path, include_null_values
  ), N'[]')) as [cheap_books]
  from [dbo].[author] t1
  order by t1.[id] asc
  for json path, include_null_values
), N'[]'));
