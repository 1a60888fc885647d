-- @p1: "1"
select json_query(isnull((
  select top (2) t1.[title] as [title], (case when t1.[price] < cast(N'12' as decimal(38, 12)) then t1.[price] end) as [price]
  from (
    select g.*
    from (
      select t1.[id], t1.[title], t1.[published], t1.[price], t1.[genres], t1.[author_id], t1.[translator_id], t1.[shelf_floor], t1.[shelf_place], t1.[year], row_number() over (partition by (case when t1.[price] < cast(N'12' as decimal(38, 12)) then t1.[price] end) order by t1.[title] asc, t1.[id] asc) as [place in group]
      from [dbo].[book] t1
      where (t1.[genres] like N'%science%')
      or (t1.[price] < cast(N'12' as decimal(38, 12)))
    ) g
    where g.[place in group] <= cast(@p1 as bigint)
  ) t1
  order by t1.[title] asc
  for json path, include_null_values
), N'[]'));
