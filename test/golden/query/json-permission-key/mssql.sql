-- @p1: "size"
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
  for json path, include_null_values
), N'[]'));
