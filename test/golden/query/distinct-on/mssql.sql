select json_query(isnull((
  select t1.[title] as [title]
  from (
    select g.*
    from (
      select t1.[id], t1.[title], t1.[published], t1.[price], t1.[genres], t1.[author_id], t1.[translator_id], t1.[shelf_floor], t1.[shelf_place], t1.[year], row_number() over (partition by t1.[author_id] order by t1.[author_id] asc, t1.[price] asc, t1.[id] asc) as [place in group]
      from [dbo].[book] t1
    ) g
    where g.[place in group] <= 1
  ) t1
  order by t1.[author_id] asc, t1.[price] asc, t1.[id] asc
  for json path, include_null_values
), N'[]'));
