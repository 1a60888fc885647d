-- @p1: "9"
select json_query(isnull((
  select t1.[id] as [id], json_query((
    select top (1) t2.[name] as [name]
    from (
      select r.*
      from openjson(t1.[maker]) with ([name] nvarchar(200) '$."name"', [titles] nvarchar(max) '$."titles"' as json) r
    ) t2
    where t2.[name] = N'Ada'
    for json path, include_null_values, without_array_wrapper
  )) as [maker], json_query(isnull((
    select t3.[stars] as [stars]
    from (
      select r.*, cast(i.[key] as int) as [place in the list]
      from openjson(t1.[ratings]) i cross apply openjson(i.[value]) with ([reader] nvarchar(200) '$."reader"', [stars] int '$."stars"') r
    ) t3
    where t3.[stars] > cast(N'2' as int)
    order by t3.[place in the list]
    for json path, include_null_values
  ), N'[]')) as [ratings]
  from (
    select b.id, iif(b.id <> 4, (
      select a.name, (
        select o.title
        from dbo.book o
        where o.author_id = a.id
        order by o.id
        for json path
      ) as titles
      for json path, without_array_wrapper
    ), null) as maker, (
      select r.reader, r.stars
      from dbo.review r
      where r.book_id = b.id
      order by r.reader
      for json path
    ) as ratings
    from dbo.book b join dbo.author a on a.id = b.author_id
    where b.id <= (cast(@p1 as int))
  ) t1
  where t1.[id] < cast(N'3' as int)
  order by t1.[id] asc
  for json path, include_null_values
), N'[]'));
