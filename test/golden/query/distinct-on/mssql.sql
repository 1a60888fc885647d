select json_query(isnull((
  select t1.[title] as [title]
  from (
    select g.*
    from (
      select t1.*, row_number() over (partition by t1.[author_id] order by t1.[author_id] asc, t1.[price] asc, t1.[id] asc) as [place in group]
      from [dbo].[book] t1
    ) g
    where g.[place in group] <= 1
  ) t1
  order by t1.[author_id] asc, t1.[price] asc, t1.[id] asc
  for json path, include_null_values
), N'[]'));
