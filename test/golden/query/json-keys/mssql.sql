-- @p1: "tags"
-- @p2: "loose"
-- @p3: "[\"pages\",\"size\"]"
-- @p4: "[\"loose\",\"size\"]"
-- @p5: "%rare%"
select json_query(isnull((
  select t1.[id] as [id]
  from [dbo].[edition] t1
  where case when t1.[facts] is null
  or @p1 is null then null when exists (
    select 1
    from openjson(concat(cast(N'[' as nvarchar(max)), t1.[facts], N']')) d0 cross apply openjson(case when d0.[type] > 3 then d0.[value] end) d1
    where d0.[type] = 5
    and concat(d1.[key], N'.') collate Latin1_General_100_BIN2 = concat(@p1, N'.') collate Latin1_General_100_BIN2
    or d0.[type] = 4
    and d1.[type] = 1
    and concat(d1.[value], N'.') collate Latin1_General_100_BIN2 = concat(@p1, N'.') collate Latin1_General_100_BIN2
  ) then 1 else 0 end = 1
  order by t1.[id] asc
  for json path, include_null_values
), N'[]')), json_query(isnull((
  select t2.[id] as [id]
  from [dbo].[edition] t2
  where case when t2.[facts] is null
  or @p2 is null then null when exists (
    select 1
    from openjson(concat(cast(N'[' as nvarchar(max)), t2.[facts], N']')) d0 cross apply openjson(case when d0.[type] > 3 then d0.[value] end) d1
    where d0.[type] = 5
    and concat(d1.[key], N'.') collate Latin1_General_100_BIN2 = concat(@p2, N'.') collate Latin1_General_100_BIN2
    or d0.[type] = 4
    and d1.[type] = 1
    and concat(d1.[value], N'.') collate Latin1_General_100_BIN2 = concat(@p2, N'.') collate Latin1_General_100_BIN2
  ) then 1 else 0 end = 1
  order by t2.[id] asc
  for json path, include_null_values
), N'[]')), json_query(isnull((
  select t3.[id] as [id]
  from [dbo].[edition] t3
  where case when t3.[facts] is null
  or @p3 is null then null when not exists (
    select 1
    from openjson(@p3) k
    where not exists (
      select 1
      from openjson(concat(cast(N'[' as nvarchar(max)), t3.[facts], N']')) d0 cross apply openjson(case when d0.[type] > 3 then d0.[value] end) d1
      where d0.[type] = 5
      and concat(d1.[key], N'.') collate Latin1_General_100_BIN2 = concat(k.[value], N'.') collate Latin1_General_100_BIN2
      or d0.[type] = 4
      and d1.[type] = 1
      and concat(d1.[value], N'.') collate Latin1_General_100_BIN2 = concat(k.[value], N'.') collate Latin1_General_100_BIN2
    )
  ) then 1 else 0 end = 1
  order by t3.[id] asc
  for json path, include_null_values
), N'[]')), json_query(isnull((
  select t4.[id] as [id]
  from [dbo].[edition] t4
  where case when t4.[facts] is null
  or @p4 is null then null when exists (
    select 1
    from openjson(@p4) k
    where exists (
      select 1
      from openjson(concat(cast(N'[' as nvarchar(max)), t4.[facts], N']')) d0 cross apply openjson(case when d0.[type] > 3 then d0.[value] end) d1
      where d0.[type] = 5
      and concat(d1.[key], N'.') collate Latin1_General_100_BIN2 = concat(k.[value], N'.') collate Latin1_General_100_BIN2
      or d0.[type] = 4
      and d1.[type] = 1
      and concat(d1.[value], N'.') collate Latin1_General_100_BIN2 = concat(k.[value], N'.') collate Latin1_General_100_BIN2
    )
  ) then 1 else 0 end = 1
  order by t4.[id] asc
  for json path, include_null_values
), N'[]')), json_query(isnull((
  select t5.[id] as [id]
  from [dbo].[edition] t5
  where t5.[facts] like @p5
  for json path, include_null_values
), N'[]')), json_query(isnull((
  select t6.[id] as [id]
  from [dbo].[edition] t6
  where t6.[facts] is null
  for json path, include_null_values
), N'[]'));
