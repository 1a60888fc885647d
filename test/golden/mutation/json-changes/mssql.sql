-- @p1: "{\"pages\":70,\"new\":\"a\\\"b\"}"
-- @p2: "4"
set nocount on;
select [id], [facts] into #engine_written
from [dbo].[edition]
where 1 = 0 union all
select [id], [facts]
from [dbo].[edition]
where 1 = 0;
update t1 set [facts] = case when (
  select d0.[type]
  from openjson(concat(cast(N'[' as nvarchar(max)), t1.[facts], N']')) d0
) = 5
and (
  select d0.[type]
  from openjson(concat(cast(N'[' as nvarchar(max)), @p1, N']')) d0
) = 5 then (
  select concat(N'{', string_agg(concat(concat(N'"', string_escape(i.[key] collate database_default, N'json'), N'"'), N':', case i.[type] when 0 then N'null' when 1 then concat(N'"', string_escape(i.[value], N'json'), N'"') else i.[value] end), N','), N'}')
  from (
    select [key], [value] collate database_default as [value], [type]
    from openjson(t1.[facts]) f
    where not exists (
      select 1
      from openjson(@p1) s
      where s.[key] = f.[key]
    ) union all
    select [key], [value] collate database_default as [value], [type]
    from openjson(@p1)
  ) i
) when t1.[facts] is not null
and @p1 is not null then (
  select concat(N'[', string_agg(cast(case i.[type] when 0 then N'null' when 1 then concat(N'"', string_escape(i.[value], N'json'), N'"') else i.[value] end as nvarchar(max)), N',') within group (order by i.part, cast(i.[key] as int)), N']')
  from (
    select [key], [value] collate database_default as [value], [type], 1 as part
    from openjson(iif((
      select d0.[type]
      from openjson(concat(cast(N'[' as nvarchar(max)), t1.[facts], N']')) d0
    ) = 4, t1.[facts], concat(cast(N'[' as nvarchar(max)), t1.[facts], N']'))) union all
    select [key], [value] collate database_default as [value], [type], 2 as part
    from openjson(iif((
      select d0.[type]
      from openjson(concat(cast(N'[' as nvarchar(max)), @p1, N']')) d0
    ) = 4, @p1, concat(cast(N'[' as nvarchar(max)), @p1, N']')))
  ) i
) end
output inserted.[id], inserted.[facts] into #engine_written
from [dbo].[edition] t1
where t1.[id] < cast(@p2 as int);
select json_query(isnull((
  select t2.[id] as [id], json_query(t2.[facts]) as [facts]
  from #engine_written t2
  for json path, include_null_values
), N'[]')), (
  select count(*)
  from #engine_written
);
drop table #engine_written;

-- @p1: "[null,\"start\"]"
-- @p2: "3"
set nocount on;
select [id], [facts] into #engine_written
from [dbo].[edition]
where 1 = 0 union all
select [id], [facts]
from [dbo].[edition]
where 1 = 0;
update t1 set [facts] = case when (
  select d0.[type]
  from openjson(concat(cast(N'[' as nvarchar(max)), @p1, N']')) d0
) = 5
and (
  select d0.[type]
  from openjson(concat(cast(N'[' as nvarchar(max)), t1.[facts], N']')) d0
) = 5 then (
  select concat(N'{', string_agg(concat(concat(N'"', string_escape(i.[key] collate database_default, N'json'), N'"'), N':', case i.[type] when 0 then N'null' when 1 then concat(N'"', string_escape(i.[value], N'json'), N'"') else i.[value] end), N','), N'}')
  from (
    select [key], [value] collate database_default as [value], [type]
    from openjson(@p1) f
    where not exists (
      select 1
      from openjson(t1.[facts]) s
      where s.[key] = f.[key]
    ) union all
    select [key], [value] collate database_default as [value], [type]
    from openjson(t1.[facts])
  ) i
) when @p1 is not null
and t1.[facts] is not null then (
  select concat(N'[', string_agg(cast(case i.[type] when 0 then N'null' when 1 then concat(N'"', string_escape(i.[value], N'json'), N'"') else i.[value] end as nvarchar(max)), N',') within group (order by i.part, cast(i.[key] as int)), N']')
  from (
    select [key], [value] collate database_default as [value], [type], 1 as part
    from openjson(iif((
      select d0.[type]
      from openjson(concat(cast(N'[' as nvarchar(max)), @p1, N']')) d0
    ) = 4, @p1, concat(cast(N'[' as nvarchar(max)), @p1, N']'))) union all
    select [key], [value] collate database_default as [value], [type], 2 as part
    from openjson(iif((
      select d0.[type]
      from openjson(concat(cast(N'[' as nvarchar(max)), t1.[facts], N']')) d0
    ) = 4, t1.[facts], concat(cast(N'[' as nvarchar(max)), t1.[facts], N']')))
  ) i
) end
output inserted.[id], inserted.[facts] into #engine_written
from [dbo].[edition] t1
where t1.[id] = cast(@p2 as int);
select json_query(isnull((
  select json_query(t2.[facts]) as [facts]
  from #engine_written t2
  for json path, include_null_values
), N'[]')), (
  select count(*)
  from #engine_written
);
drop table #engine_written;

-- @p1: "loose"
-- @p2: "[\"1\",\"3\"]"
set nocount on;
select [id], [facts] into #engine_written
from [dbo].[edition]
where 1 = 0 union all
select [id], [facts]
from [dbo].[edition]
where 1 = 0;
update t1 set [facts] = case (
  select d0.[type]
  from openjson(concat(cast(N'[' as nvarchar(max)), t1.[facts], N']')) d0
) when 5 then (
  select concat(N'{', string_agg(concat(concat(N'"', string_escape(i.[key] collate database_default, N'json'), N'"'), N':', case i.[type] when 0 then N'null' when 1 then concat(N'"', string_escape(i.[value], N'json'), N'"') else i.[value] end), N','), N'}')
  from openjson(t1.[facts]) i
  where not (concat(i.[key], N'.') collate Latin1_General_100_BIN2 = concat(@p1, N'.') collate Latin1_General_100_BIN2)
) when 4 then (
  select concat(N'[', string_agg(cast(case i.[type] when 0 then N'null' when 1 then concat(N'"', string_escape(i.[value], N'json'), N'"') else i.[value] end as nvarchar(max)), N',') within group (order by cast(i.[key] as int)), N']')
  from openjson(t1.[facts]) i
  where not (i.[type] = 1 and concat(i.[value], N'.') collate Latin1_General_100_BIN2 = concat(@p1, N'.') collate Latin1_General_100_BIN2)
) else t1.[facts] end
output inserted.[id], inserted.[facts] into #engine_written
from [dbo].[edition] t1
where t1.[id] in (
  select cast([value] as int)
  from openjson(@p2)
);
select json_query(isnull((
  select json_query(t2.[facts]) as [facts]
  from #engine_written t2
  for json path, include_null_values
), N'[]')), (
  select count(*)
  from #engine_written
);
drop table #engine_written;

-- @p1: "size"
-- @p2: "1"
set nocount on;
select [id], [facts] into #engine_written
from [dbo].[edition]
where 1 = 0 union all
select [id], [facts]
from [dbo].[edition]
where 1 = 0;
update t1 set [facts] = case (
  select d0.[type]
  from openjson(concat(cast(N'[' as nvarchar(max)), t1.[facts], N']')) d0
) when 5 then (
  select concat(N'{', string_agg(concat(concat(N'"', string_escape(i.[key] collate database_default, N'json'), N'"'), N':', case i.[type] when 0 then N'null' when 1 then concat(N'"', string_escape(i.[value], N'json'), N'"') else i.[value] end), N','), N'}')
  from openjson(t1.[facts]) i
  where not (concat(i.[key], N'.') collate Latin1_General_100_BIN2 = concat(@p1, N'.') collate Latin1_General_100_BIN2)
) when 4 then (
  select concat(N'[', string_agg(cast(case i.[type] when 0 then N'null' when 1 then concat(N'"', string_escape(i.[value], N'json'), N'"') else i.[value] end as nvarchar(max)), N',') within group (order by cast(i.[key] as int)), N']')
  from openjson(t1.[facts]) i
  where not (i.[type] = 1 and concat(i.[value], N'.') collate Latin1_General_100_BIN2 = concat(@p1, N'.') collate Latin1_General_100_BIN2)
) else t1.[facts] end
output inserted.[id], inserted.[facts] into #engine_written
from [dbo].[edition] t1
where t1.[id] = cast(@p2 as int);
select json_query(isnull((
  select json_query(t2.[facts]) as [facts]
  from #engine_written t2
  for json path, include_null_values
), N'[]')), (
  select count(*)
  from #engine_written
);
drop table #engine_written;

-- @p1: "-1"
-- @p2: "3"
set nocount on;
select [id], [facts] into #engine_written
from [dbo].[edition]
where 1 = 0 union all
select [id], [facts]
from [dbo].[edition]
where 1 = 0;
update t1 set [facts] = case (
  select d0.[type]
  from openjson(concat(cast(N'[' as nvarchar(max)), t1.[facts], N']')) d0
) when 4 then (
  select concat(N'[', string_agg(cast(case i.[type] when 0 then N'null' when 1 then concat(N'"', string_escape(i.[value], N'json'), N'"') else i.[value] end as nvarchar(max)), N',') within group (order by cast(i.[key] as int)), N']')
  from openjson(t1.[facts]) i
  where cast(i.[key] as int) <> iif(cast(@p1 as int) < 0, (
    select count(*)
    from openjson(t1.[facts])
  ) + cast(@p1 as int), cast(@p1 as int))
) when 5 then convert(nvarchar(max), convert(int, concat(N'cannot delete from an object by the index ', cast(@p1 as int)))) else t1.[facts] end
output inserted.[id], inserted.[facts] into #engine_written
from [dbo].[edition] t1
where t1.[id] = cast(@p2 as int);
select json_query(isnull((
  select json_query(t2.[facts]) as [facts]
  from #engine_written t2
  for json path, include_null_values
), N'[]')), (
  select count(*)
  from #engine_written
);
drop table #engine_written;

-- @p1: "{\"deep\":{\"er\":[1.50,1e3]}}"
-- @p2: "4"
set nocount on;
select [id], [facts] into #engine_written
from [dbo].[edition]
where 1 = 0 union all
select [id], [facts]
from [dbo].[edition]
where 1 = 0;
update t1 set [facts] = @p1
output inserted.[id], inserted.[facts] into #engine_written
from [dbo].[edition] t1
where t1.[id] = cast(@p2 as int);
select json_query(isnull((
  select json_query(t2.[facts]) as [facts]
  from #engine_written t2
  for json path, include_null_values
), N'[]')), (
  select count(*)
  from #engine_written
);
drop table #engine_written;
