-- @p1: "1"
select json_query(isnull((
  select t1.[book_id] as [book_id], t1.[reader] as [reader], t1.[stars] as [stars]
  from (
    select g.*
    from (
      select t1.[book_id], t1.[reader], t1.[stars], t1.[hidden], row_number() over (partition by t1.[book_id] order by t1.[stars] desc, t1.[book_id] asc, t1.[reader] asc) as [place in group]
      from [dbo].[review] t1
    ) g
    where g.[place in group] <= cast(@p1 as bigint)
  ) t1
  order by t1.[stars] desc
  for json path, include_null_values
), N'[]'));
