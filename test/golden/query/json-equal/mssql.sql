-- @p1: "{\"tags\":[],\"pages\":546.0}"
-- @p2: "[\"[\\\"loose\\\",{\\\"pages\\\":1},7]\",\"{\\\"tags\\\":[],\\\"pages\\\":546}\"]"
-- @p3: "[\"loose\",7,{\"pages\":1}]"
-- @p4: "[\"{\\\"pages\\\":546}\"]"
select json_query(isnull((
  select t1.[id] as [id]
  from [dbo].[edition] t1
  where case when t1.[facts] is null
  or @p1 is null then null when exists (
    select 1
    from openjson(concat(cast(N'[' as nvarchar(max)), t1.[facts], N']')) d0 cross join openjson(concat(cast(N'[' as nvarchar(max)), @p1, N']')) v0
    where d0.[type] = v0.[type]
    and (concat(d0.[value], N'.') collate Latin1_General_100_BIN2 = concat(v0.[value], N'.') collate Latin1_General_100_BIN2 or v0.[type] = 2 and try_convert(float, d0.[value]) = try_convert(float, v0.[value]))
    or v0.[type] > 3
    and d0.[type] = v0.[type]
    and (
      select count(*)
      from openjson(case when d0.[type] > 3 then d0.[value] end) d1
    ) = (
      select count(*)
      from openjson(case when v0.[type] > 3 then v0.[value] end) v1
    )
    and not exists (
      select 1
      from openjson(case when v0.[type] > 3 then v0.[value] end) v1
      where not exists (
        select 1
        from openjson(case when d0.[type] > 3 then d0.[value] end) d1
        where d1.[key] = v1.[key]
        and (d1.[type] = v1.[type] and (concat(d1.[value], N'.') collate Latin1_General_100_BIN2 = concat(v1.[value], N'.') collate Latin1_General_100_BIN2 or v1.[type] = 2 and try_convert(float, d1.[value]) = try_convert(float, v1.[value])) or v1.[type] > 3 and d1.[type] = v1.[type] and (
          select count(*)
          from openjson(case when d1.[type] > 3 then d1.[value] end) d2
        ) = (
          select count(*)
          from openjson(case when v1.[type] > 3 then v1.[value] end) v2
        ) and not exists (
          select 1
          from openjson(case when v1.[type] > 3 then v1.[value] end) v2
          where not exists (
            select 1
            from openjson(case when d1.[type] > 3 then d1.[value] end) d2
            where d2.[key] = v2.[key]
            and (d2.[type] = v2.[type] and (concat(d2.[value], N'.') collate Latin1_General_100_BIN2 = concat(v2.[value], N'.') collate Latin1_General_100_BIN2 or v2.[type] = 2 and try_convert(float, d2.[value]) = try_convert(float, v2.[value])) or v2.[type] > 3 and d2.[type] = v2.[type] and (
              select count(*)
              from openjson(case when d2.[type] > 3 then d2.[value] end) d3
            ) = (
              select count(*)
              from openjson(case when v2.[type] > 3 then v2.[value] end) v3
            ) and not exists (
              select 1
              from openjson(case when v2.[type] > 3 then v2.[value] end) v3
              where not exists (
                select 1
                from openjson(case when d2.[type] > 3 then d2.[value] end) d3
                where d3.[key] = v3.[key]
                and (case when v3.[type] > 3 then convert(int, concat(N'JSON is nested deeper than 3 levels at ', v3.[key])) when d3.[type] = v3.[type] and (concat(d3.[value], N'.') collate Latin1_General_100_BIN2 = concat(v3.[value], N'.') collate Latin1_General_100_BIN2 or v3.[type] = 2 and try_convert(float, d3.[value]) = try_convert(float, v3.[value])) then 1 end = 1)
              )
            ))
          )
        ))
      )
    )
  ) then 1 else 0 end = 1
  for json path, include_null_values
), N'[]')), json_query(isnull((
  select t2.[id] as [id]
  from [dbo].[edition] t2
  where case when t2.[facts] is null
  or @p2 is null then null when exists (
    select 1
    from openjson(@p2) e
    where exists (
      select 1
      from openjson(concat(cast(N'[' as nvarchar(max)), t2.[facts], N']')) d0 cross join openjson(concat(cast(N'[' as nvarchar(max)), e.[value], N']')) v0
      where d0.[type] = v0.[type]
      and (concat(d0.[value], N'.') collate Latin1_General_100_BIN2 = concat(v0.[value], N'.') collate Latin1_General_100_BIN2 or v0.[type] = 2 and try_convert(float, d0.[value]) = try_convert(float, v0.[value]))
      or v0.[type] > 3
      and d0.[type] = v0.[type]
      and (
        select count(*)
        from openjson(case when d0.[type] > 3 then d0.[value] end) d1
      ) = (
        select count(*)
        from openjson(case when v0.[type] > 3 then v0.[value] end) v1
      )
      and not exists (
        select 1
        from openjson(case when v0.[type] > 3 then v0.[value] end) v1
        where not exists (
          select 1
          from openjson(case when d0.[type] > 3 then d0.[value] end) d1
          where d1.[key] = v1.[key]
          and (d1.[type] = v1.[type] and (concat(d1.[value], N'.') collate Latin1_General_100_BIN2 = concat(v1.[value], N'.') collate Latin1_General_100_BIN2 or v1.[type] = 2 and try_convert(float, d1.[value]) = try_convert(float, v1.[value])) or v1.[type] > 3 and d1.[type] = v1.[type] and (
            select count(*)
            from openjson(case when d1.[type] > 3 then d1.[value] end) d2
          ) = (
            select count(*)
            from openjson(case when v1.[type] > 3 then v1.[value] end) v2
          ) and not exists (
            select 1
            from openjson(case when v1.[type] > 3 then v1.[value] end) v2
            where not exists (
              select 1
              from openjson(case when d1.[type] > 3 then d1.[value] end) d2
              where d2.[key] = v2.[key]
              and (d2.[type] = v2.[type] and (concat(d2.[value], N'.') collate Latin1_General_100_BIN2 = concat(v2.[value], N'.') collate Latin1_General_100_BIN2 or v2.[type] = 2 and try_convert(float, d2.[value]) = try_convert(float, v2.[value])) or v2.[type] > 3 and d2.[type] = v2.[type] and (
                select count(*)
                from openjson(case when d2.[type] > 3 then d2.[value] end) d3
              ) = (
                select count(*)
                from openjson(case when v2.[type] > 3 then v2.[value] end) v3
              ) and not exists (
                select 1
                from openjson(case when v2.[type] > 3 then v2.[value] end) v3
                where not exists (
                  select 1
                  from openjson(case when d2.[type] > 3 then d2.[value] end) d3
                  where d3.[key] = v3.[key]
                  and (case when v3.[type] > 3 then convert(int, concat(N'JSON is nested deeper than 3 levels at ', v3.[key])) when d3.[type] = v3.[type] and (concat(d3.[value], N'.') collate Latin1_General_100_BIN2 = concat(v3.[value], N'.') collate Latin1_General_100_BIN2 or v3.[type] = 2 and try_convert(float, d3.[value]) = try_convert(float, v3.[value])) then 1 end = 1)
                )
              ))
            )
          ))
        )
      )
    )
  ) then 1 else 0 end = 1
  order by t2.[id] asc
  for json path, include_null_values
), N'[]')), json_query(isnull((
  select t3.[id] as [id]
  from [dbo].[edition] t3
  where case when t3.[facts] is null
  or @p3 is null then null when not exists (
    select 1
    from openjson(concat(cast(N'[' as nvarchar(max)), t3.[facts], N']')) d0 cross join openjson(concat(cast(N'[' as nvarchar(max)), @p3, N']')) v0
    where d0.[type] = v0.[type]
    and (concat(d0.[value], N'.') collate Latin1_General_100_BIN2 = concat(v0.[value], N'.') collate Latin1_General_100_BIN2 or v0.[type] = 2 and try_convert(float, d0.[value]) = try_convert(float, v0.[value]))
    or v0.[type] > 3
    and d0.[type] = v0.[type]
    and (
      select count(*)
      from openjson(case when d0.[type] > 3 then d0.[value] end) d1
    ) = (
      select count(*)
      from openjson(case when v0.[type] > 3 then v0.[value] end) v1
    )
    and not exists (
      select 1
      from openjson(case when v0.[type] > 3 then v0.[value] end) v1
      where not exists (
        select 1
        from openjson(case when d0.[type] > 3 then d0.[value] end) d1
        where d1.[key] = v1.[key]
        and (d1.[type] = v1.[type] and (concat(d1.[value], N'.') collate Latin1_General_100_BIN2 = concat(v1.[value], N'.') collate Latin1_General_100_BIN2 or v1.[type] = 2 and try_convert(float, d1.[value]) = try_convert(float, v1.[value])) or v1.[type] > 3 and d1.[type] = v1.[type] and (
          select count(*)
          from openjson(case when d1.[type] > 3 then d1.[value] end) d2
        ) = (
          select count(*)
          from openjson(case when v1.[type] > 3 then v1.[value] end) v2
        ) and not exists (
          select 1
          from openjson(case when v1.[type] > 3 then v1.[value] end) v2
          where not exists (
            select 1
            from openjson(case when d1.[type] > 3 then d1.[value] end) d2
            where d2.[key] = v2.[key]
            and (d2.[type] = v2.[type] and (concat(d2.[value], N'.') collate Latin1_General_100_BIN2 = concat(v2.[value], N'.') collate Latin1_General_100_BIN2 or v2.[type] = 2 and try_convert(float, d2.[value]) = try_convert(float, v2.[value])) or v2.[type] > 3 and d2.[type] = v2.[type] and (
              select count(*)
              from openjson(case when d2.[type] > 3 then d2.[value] end) d3
            ) = (
              select count(*)
              from openjson(case when v2.[type] > 3 then v2.[value] end) v3
            ) and not exists (
              select 1
              from openjson(case when v2.[type] > 3 then v2.[value] end) v3
              where not exists (
                select 1
                from openjson(case when d2.[type] > 3 then d2.[value] end) d3
                where d3.[key] = v3.[key]
                and (case when v3.[type] > 3 then convert(int, concat(N'JSON is nested deeper than 3 levels at ', v3.[key])) when d3.[type] = v3.[type] and (concat(d3.[value], N'.') collate Latin1_General_100_BIN2 = concat(v3.[value], N'.') collate Latin1_General_100_BIN2 or v3.[type] = 2 and try_convert(float, d3.[value]) = try_convert(float, v3.[value])) then 1 end = 1)
              )
            ))
          )
        ))
      )
    )
  ) then 1 else 0 end = 1
  order by t3.[id] asc
  for json path, include_null_values
), N'[]')), json_query(isnull((
  select t4.[id] as [id]
  from [dbo].[edition] t4
  where case when t4.[facts] is null
  or @p4 is null then null when not exists (
    select 1
    from openjson(@p4) e
    where exists (
      select 1
      from openjson(concat(cast(N'[' as nvarchar(max)), t4.[facts], N']')) d0 cross join openjson(concat(cast(N'[' as nvarchar(max)), e.[value], N']')) v0
      where d0.[type] = v0.[type]
      and (concat(d0.[value], N'.') collate Latin1_General_100_BIN2 = concat(v0.[value], N'.') collate Latin1_General_100_BIN2 or v0.[type] = 2 and try_convert(float, d0.[value]) = try_convert(float, v0.[value]))
      or v0.[type] > 3
      and d0.[type] = v0.[type]
      and (
        select count(*)
        from openjson(case when d0.[type] > 3 then d0.[value] end) d1
      ) = (
        select count(*)
        from openjson(case when v0.[type] > 3 then v0.[value] end) v1
      )
      and not exists (
        select 1
        from openjson(case when v0.[type] > 3 then v0.[value] end) v1
        where not exists (
          select 1
          from openjson(case when d0.[type] > 3 then d0.[value] end) d1
          where d1.[key] = v1.[key]
          and (d1.[type] = v1.[type] and (concat(d1.[value], N'.') collate Latin1_General_100_BIN2 = concat(v1.[value], N'.') collate Latin1_General_100_BIN2 or v1.[type] = 2 and try_convert(float, d1.[value]) = try_convert(float, v1.[value])) or v1.[type] > 3 and d1.[type] = v1.[type] and (
            select count(*)
            from openjson(case when d1.[type] > 3 then d1.[value] end) d2
          ) = (
            select count(*)
            from openjson(case when v1.[type] > 3 then v1.[value] end) v2
          ) and not exists (
            select 1
            from openjson(case when v1.[type] > 3 then v1.[value] end) v2
            where not exists (
              select 1
              from openjson(case when d1.[type] > 3 then d1.[value] end) d2
              where d2.[key] = v2.[key]
              and (d2.[type] = v2.[type] and (concat(d2.[value], N'.') collate Latin1_General_100_BIN2 = concat(v2.[value], N'.') collate Latin1_General_100_BIN2 or v2.[type] = 2 and try_convert(float, d2.[value]) = try_convert(float, v2.[value])) or v2.[type] > 3 and d2.[type] = v2.[type] and (
                select count(*)
                from openjson(case when d2.[type] > 3 then d2.[value] end) d3
              ) = (
                select count(*)
                from openjson(case when v2.[type] > 3 then v2.[value] end) v3
              ) and not exists (
                select 1
                from openjson(case when v2.[type] > 3 then v2.[value] end) v3
                where not exists (
                  select 1
                  from openjson(case when d2.[type] > 3 then d2.[value] end) d3
                  where d3.[key] = v3.[key]
                  and (case when v3.[type] > 3 then convert(int, concat(N'JSON is nested deeper than 3 levels at ', v3.[key])) when d3.[type] = v3.[type] and (concat(d3.[value], N'.') collate Latin1_General_100_BIN2 = concat(v3.[value], N'.') collate Latin1_General_100_BIN2 or v3.[type] = 2 and try_convert(float, d3.[value]) = try_convert(float, v3.[value])) then 1 end = 1)
                )
              ))
            )
          ))
        )
      )
    )
  ) then 1 else 0 end = 1
  order by t4.[id] asc
  for json path, include_null_values
), N'[]'));
