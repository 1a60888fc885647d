declare @due table (id uniqueidentifier not null primary key);
insert into @due (id)
select top (cast(@p4 as int)) e.id
from openjson(@p2) as n
join openjson(@p3) as c on c.[key] = n.[key]
cross apply (
  select top (cast(c.[value] as int)) l.id
  from engine_catalog.event_log as l with (updlock, readpast, rowlock)
  where l.trigger_name = n.[value] and l.delivered = 0 and l.error = 0 and l.archived = 0 and l.ordered = 0 and l.locked is null
    and (l.next_retry_at is null or l.next_retry_at <= sysdatetimeoffset())
  order by l.next_retry_at, l.created_at
) as e
where exists (
  select 1 from engine_catalog.engine_instances as i with (repeatableread, rowlock) where i.id = cast(@p1 as uniqueidentifier)
);
update l set locked = sysdatetimeoffset(), locked_by = cast(@p1 as uniqueidentifier)
from engine_catalog.event_log as l join @due as d on d.id = l.id;
select l.trigger_name, lower(cast(l.id as varchar(36))), l.schema_name, l.table_name, l.payload,
  cast(l.tries as varchar(12)), convert(varchar(40), l.created_at, 127), json_query(l.payload, '$.trace_context'),
  cast(datediff_big(millisecond, l.created_at, sysdatetimeoffset()) / 1000.0 as varchar(40))
from engine_catalog.event_log as l join @due as d on d.id = l.id
