-- @p1: "10"
-- @p2: "2"
-- @p3: "1"
select json_query(isnull((
  select t1.[title] as [title], [dbo].[book_headline](t1.[title], t1.[price], default) as [headline], json_query(case when t2.[id] is not null then json_query((
    select json_query(isnull((
      select t3.[title] as [title]
      from (
        select g.*
        from (
          select t3.[id], t3.[title], t3.[published], t3.[price], t3.[genres], t3.[author_id], t3.[translator_id], t3.[shelf_floor], t3.[shelf_place], t3.[year], row_number() over (partition by t3.[price] order by t3.[id] asc) as [place in group]
          from [dbo].[cheap_books](t2.[id], cast(@p1 as decimal(38, 12))) t3
        ) g
        where g.[place in group] <= cast(@p2 as bigint)
      ) t3
      order by t3.[id] asc
      for json path, include_null_values
    ), N'[]')) as [cheap_books]
    for json path, include_null_values, without_array_wrapper
  )) end) as [author]
  from (
    select g.*
    from (
      select t1.[id], t1.[title], t1.[published], t1.[price], t1.[genres], t1.[author_id], t1.[translator_id], t1.[shelf_floor], t1.[shelf_place], t1.[year], row_number() over (partition by t1.[author_id] order by t1.[id] desc) as [place in group]
      from [dbo].[book] t1
    ) g
    where g.[place in group] <= cast(@p3 as bigint)
  ) t1
  left join [dbo].[author] t2 on t2.[id] = t1.[author_id]
  order by t1.[id] desc
  for json path, include_null_values
), N'[]'));
