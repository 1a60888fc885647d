-- @p1: "1"
-- @p2: "5"
-- @p3: "4"
select json_query(isnull((
  select t1.[id] as [id], json_query((
    select top (1) t2.[name] as [name], json_query(isnull((
      select top (cast(@p1 as bigint)) t3.[title] as [title]
      from (
        select r.*, cast(i.[key] as int) as [place in the list]
        from openjson(t2.[titles]) i cross apply openjson(i.[value]) with ([title] nvarchar(200) '$."title"') r
      ) t3
      order by t3.[place in the list]
      for json path, include_null_values
    ), N'[]')) as [titles]
    from (
      select r.*
      from openjson(t1.[maker]) with ([name] nvarchar(200) '$."name"', [titles] nvarchar(max) '$."titles"' as json) r
    ) t2
    for json path, include_null_values, without_array_wrapper
  )) as [maker], json_query(isnull((
    select t4.[reader] as [reader], t4.[stars] as [stars]
    from (
      select r.*, cast(i.[key] as int) as [place in the list]
      from openjson(t1.[ratings]) i cross apply openjson(i.[value]) with ([reader] nvarchar(200) '$."reader"', [stars] int '$."stars"') r
    ) t4
    where t4.[stars] < cast(@p2 as int)
    order by t4.[stars] desc
    for json path, include_null_values
  ), N'[]')) as [ratings], json_query(isnull((
    select t5.[reader] as [reader]
    from (
      select r.*, cast(i.[key] as int) as [place in the list]
      from openjson(t1.[ratings]) i cross apply openjson(i.[value]) with ([reader] nvarchar(200) '$."reader"', [stars] int '$."stars"') r
    ) t5
    order by t5.[place in the list]
    for json path, include_null_values
  ), N'[]')) as [all]
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
    where b.id <= (cast(@p3 as int))
  ) t1
  order by t1.[id] asc
  for json path, include_null_values
), N'[]'));
